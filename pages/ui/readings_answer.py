"""The answer: the feeder's own demand through every mechanism, its bills, and an observer at one house."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import streamlit as st

from pages.ui import jobs, show
from pages.ui.cache import key_of
from pages.ui.meters import LoadedReadings, stated
from pages.ui.session import lab
from pages.ui.widgets import offered_rates, url_pills, url_segmented, url_select
from rtp.attack.adversary import BY_KNOWLEDGE, QUICK
from rtp.figures import style
from rtp.figures.meters import bills_figure, observed_figure, replay_figure
from rtp.leakage.moment import QUICK_CELLS
from rtp.meters import Answer, Learned, ObservedHouse, Readings, Replay, answer, watch
from rtp.meters.answering import bills_frame
from rtp.meters.replaying import SPANS, with_bounds
from rtp.metrics import ERROR_MEANS
from rtp.output.attack import KNOWS, method_words
from rtp.output.meters import (
    WORST_MEANS,
    answer_cards,
    answer_words,
    observed_frame,
    promise_words,
    replay_frame,
    replay_moments_frame,
    replay_words,
    right_words,
)
from rtp.output.street_report import street_report
from rtp.scenario import Scenario

OBSERVED, MOMENTS = "meters:observed", "meters:moments"
Kept = TypeVar("Kept")


def answered(loaded: LoadedReadings, scenario: Scenario) -> None:
    """At the scenario's ε and tariff; with the learned habits where there are any."""
    readings = loaded.readings
    learned = loaded.learned if loaded.learned is not None and loaded.learned.groups else None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        span = url_segmented("Replay", list(SPANS), "meters:span")
        days = min(SPANS[span] or readings.days, readings.days)
        starts = list(range(readings.days - days + 1))
        first = url_select("From", starts, "meters:day", readings.date, width=170) if len(starts) > 1 else 0
    street = with_bounds(scenario, learned, *stated("replay"))
    key = key_of(loaded.key, street, first, days, learned is not None)
    run = jobs.run(
        "replay",
        key,
        partial(_answer, readings, street, learned, first, days),
        "Replay",
        f"{'One day' if days == 1 else f'{days:,} days'} at ε = {scenario.epsilon:g}; "
        + ("habits as learned." if learned else "habits of the scenario; learn them for a fair forecast."),
    )
    if run is not None and run.result is not None and not run.running:
        _shown(readings, run.result, street, key)


def _answer(
    readings: Readings,
    street: Scenario,
    learned: Learned | None,
    first: int,
    days: int,
    report: jobs.Report[Answer | None],
) -> Answer:
    return jobs.call(
        answer, readings, street, learned, first=first, days=days, progress=partial(_tell, report)
    )


def _tell(report: jobs.Report[Answer | None], done: float) -> None:
    report(done, None)


def _shown(readings: Readings, result: Answer, street: Scenario, key: str) -> None:
    """What can be taken away stands first: what is announced below it is there to be taken."""
    replayed = result.replay
    with st.container(horizontal=True):
        show.csv("Replay as CSV", replayed.frame, "replay.csv")
        show.csv("Bills as CSV", partial(bills_frame, replayed), "bills.csv")
        page = partial(street_report, readings, result, street)
        show.download("Report", page, "street.html", "text/html", "description")
    with st.grid(4, min_column_width=200):
        for label, (value, beneath) in answer_cards(result).items():
            show.metric(label, value, beneath=beneath)
    st.markdown(show.items(answer_words(result)))
    shown = list(
        url_pills("Rates", offered_rates(lab().scenario, "meters:shown"), "meters:shown", style.label)
    )
    show.chart(replay_figure(replayed, shown[::-1]), "meters:rates")
    st.table(replay_frame(replayed))
    learned = result.learned is not None or street.has_laws
    st.caption(f"{ERROR_MEANS} {replay_words(replayed)} {promise_words(learned)}")
    st.subheader("What each house would have paid", anchor=False)
    show.chart(bills_figure(replayed, shown), "meters:bills")
    st.caption(
        "A bill is rate × power × hours. Readings above the bound are cut. The file has every house and rate."
    )
    _observer(result, key, shown)
    show.lazy_expander("The most exposed moment of any house", partial(_moments, replayed, key))


def _observer(result: Answer, key: str, rates: Sequence[str]) -> None:
    """What she makes of the rates that are shown, at the house that shows most or at another."""
    st.subheader("An observer at one house", anchor=False)
    found = result.replay
    most = found.houses.index(result.observed.name)
    houses = [most, *(house for house in range(len(found.houses)) if house != most)]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        house = url_select("House", houses, "meters:watched", found.houses.__getitem__, width=200)
        knows = url_segmented("She knows", _known(found), "meters:knows", _knows_words)
    if not rates:
        st.caption("Choose a rate to see what it reveals.")
        return
    observed: ObservedHouse = _kept(
        OBSERVED,
        f"{key} {house} {knows} {list(rates)}",
        partial(watch, found, found.houses[house], knows=knows, mechanisms=rates),
    )
    st.markdown(f"**{observed.name}**: {right_words(observed)}")
    show.chart(observed_figure(observed), "meters:watched")
    st.table(observed_frame(observed))
    st.caption(f"{WORST_MEANS} {method_words(next(iter(observed.seen.values())).method)}")


def _known(found: Replay) -> list[str]:
    """An outsider follows all houses: offered where one can wait for it."""
    quick = len(found.houses) * found.pieces[0].scenario.days <= QUICK
    return ["others", "model"] if quick else ["others"]


def _knows_words(knows: str) -> str:
    return KNOWS[BY_KNOWLEDGE[knows]]


def _moments(found: Replay, key: str) -> None:
    if len(found.houses) * found.pieces[0].scenario.steps > QUICK_CELLS:
        st.caption("Too many houses and steps to go through all of them: choose a day, or one house above.")
        return
    st.table(_kept(MOMENTS, key, partial(replay_moments_frame, found)))
    st.caption(
        "By how much all rates of the span, or of its first four weeks, can shift an insider's log-odds of "
        "one moment."
    )


def _kept(name: str, key: str, make: Callable[[], Kept]) -> Kept:
    """Kept by the session alone, as the readings are."""
    kept: tuple[str, Kept] | None = lab().memo.get(name)
    if kept is None or kept[0] != key:
        with st.spinner("Reading every rate …"):
            kept = (key, make())
        lab().memo[name] = kept
    return kept[1]
