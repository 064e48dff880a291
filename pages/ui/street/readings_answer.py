"""The answer: the feeder's own demand through every mechanism, its bills, and an observer at one house."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from pages.ui import jobs, show
from pages.ui.cache import key_of
from pages.ui.session import lab
from pages.ui.street.readings import LoadedReadings, stated
from pages.ui.widgets import offered_rates, url_pills, url_segmented, url_select
from rtp.attack.adversary import BY_KNOWLEDGE, QUICK
from rtp.core.formatting import shown_name
from rtp.figures import style
from rtp.figures.meters import bills_figure, observed_figure, replay_figure
from rtp.meters import Answer, Learned, ObservedHouse, Readings, Replay, answer, watch
from rtp.meters.answering import bills_frame
from rtp.meters.replaying import SPANS, with_bounds
from rtp.metrics import ERROR_MEANS
from rtp.output import meters as words
from rtp.output.attack import KNOWS, method_words
from rtp.output.street_report import street_report
from rtp.scenario import Scenario

OBSERVED = "meters:observed"
EVERY_RATE, PAID, OBSERVER = "Every rate", "What each house would have paid", "An observer at one house"


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
    report: jobs.Report[Answer],
) -> Answer:
    return jobs.call(answer, readings, street, learned, first=first, days=days, progress=report)


def _shown(readings: Readings, result: Answer, street: Scenario, key: str) -> None:
    """What can be taken away stands first: what is announced below it is there to be taken."""
    replayed = result.replay
    with st.container(horizontal=True):
        show.csv("Replay as CSV", replayed.frame, "replay.csv")
        show.csv("Bills as CSV", partial(bills_frame, replayed), "bills.csv")
        page = partial(street_report, readings, result, street)
        show.download("Report", page, "street.html", "text/html", "description")
    st.markdown(words.rates_words(replayed))
    shown = list(
        url_pills("Rates", offered_rates(lab().scenario, "meters:shown"), "meters:shown", style.label)
    )
    show.chart(replay_figure(replayed, shown[::-1]), "meters:rates")
    learned = result.learned is not None or street.has_laws
    show.lazy_expander(EVERY_RATE, partial(_every_rate, replayed, learned))
    show.lazy_expander(PAID, partial(_paid, replayed, shown))
    chosen = lab().chosen("meters:watched") is not None
    show.lazy_expander(OBSERVER, partial(_observer, result, key, shown), opened=chosen)


def _every_rate(replayed: Replay, learned: bool) -> None:
    show.table(words.replay_frame(replayed))
    st.caption(f"{ERROR_MEANS} {words.replay_words(replayed)} {words.promise_words(learned)}")


def _paid(replayed: Replay, shown: list[str]) -> None:
    st.markdown(words.bills_words(replayed))
    show.chart(bills_figure(replayed, shown), "meters:bills")
    st.caption(
        "A bill is rate × power × hours. Readings above the bound are cut. The file has every house and rate."
    )


def _observer(result: Answer, key: str, rates: Sequence[str]) -> None:
    """What she makes of the rates that are shown, at the house that shows most or at another."""
    st.markdown(words.observer_words(result))
    found = result.replay
    most = found.houses.index(result.observed.name)
    houses = [most, *(house for house in range(len(found.houses)) if house != most)]
    names = list(map(shown_name, found.houses))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        house = url_select("House", houses, "meters:watched", names.__getitem__, width=200)
        quick = len(found.houses) * found.pieces[0].scenario.days <= QUICK
        known = ["others", "model"] if quick else ["others"]  # an outsider follows all houses
        knows = url_segmented("She knows", known, "meters:knows", lambda each: KNOWS[BY_KNOWLEDGE[each]])
    if not rates:
        st.caption("Choose a rate to see what it reveals.")
        return
    observed = _observed(found, f"{key} {house} {knows} {list(rates)}", house, knows, rates)
    show.chart(observed_figure(observed), "meters:watched")
    show.table(words.observed_frame(observed))
    method = method_words(next(iter(observed.seen.values())).method)
    st.caption(f"{words.judged_words(observed)} {words.WORST_MEANS} {method}")


def _observed(found: Replay, key: str, house: int, knows: str, rates: Sequence[str]) -> ObservedHouse:
    """Kept by the session alone, as the readings are."""
    kept: tuple[str, ObservedHouse] | None = lab().memo.get(OBSERVED)
    if kept is None or kept[0] != key:
        with st.spinner("Reading every rate …"):
            kept = (key, watch(found, found.houses[house], knows=knows, mechanisms=rates))
        lab().memo[OBSERVED] = kept
    return kept[1]
