"""The answer of readings: their demand through every mechanism, its bills, and an observer at one house."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from pages.ui import cache, jobs, show
from pages.ui.session import lab
from pages.ui.show import chart, lazy_expander
from pages.ui.street.readings import LoadedReadings, stated
from pages.ui.widgets import offered_rates, url_pills, url_segmented, url_select
from rtp.attack.adversary import BY_KNOWLEDGE, QUICK
from rtp.core.formatting import shown_name
from rtp.figures import meters as figures
from rtp.figures import style
from rtp.meters import Answer, ObservedHouse, Replay, answer, real_home, watch
from rtp.meters.answering import bills_frame
from rtp.meters.replaying import SPANS, well_read, with_bounds
from rtp.metrics import ERROR_MEANS
from rtp.output import meters as words
from rtp.output.attack import KNOWS, method_words
from rtp.output.street_report import street_report
from rtp.scenario import Scenario

OBSERVED = "meters:observed"


def answered(loaded: LoadedReadings, scenario: Scenario) -> None:
    """At the scenario's ε and tariff; with the learned habits where there are any."""
    readings = loaded.readings
    learned = loaded.learned if loaded.learned is not None and loaded.learned.groups else None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        span = url_segmented("Replay", list(SPANS), "meters:span")
        days = min(SPANS[span] or readings.days, readings.days)
        starts, read = range(readings.days - days + 1), well_read(readings, days, learned)
        first = read
        if len(starts) > 1:
            first = url_select(
                "From",
                starts,
                "meters:day",
                readings.date,
                default=read,
                width=170,
                help="At first the last days that are as well read as any; if there are some, days that "
                "habits were not learned from.",
            )
    street = with_bounds(scenario, learned, *stated())
    key = cache.key_of(loaded.key, street, first, days, learned is not None)
    run: jobs.Job[Answer | None] | None = jobs.run(
        "replay",
        key,
        lambda report: jobs.call(
            answer,
            readings,
            street,
            learned,
            first=first,
            days=days,
            progress=report,
        ),
        "Replay",
        f"{'One day' if days == 1 else f'{days:,} days'} at ε = {scenario.epsilon:g}; "
        + ("habits as learned." if learned else "habits of the scenario; learn them for a fair forecast."),
    )
    if run is not None and run.result is not None and not run.running:
        _shown(loaded, run.result, street, key)


def _shown(loaded: LoadedReadings, result: Answer, street: Scenario, key: str) -> None:
    """What can be taken away stands first: what is announced below it is there to be taken."""
    replayed = result.replay
    with st.container(horizontal=True):
        show.csv("Replay as CSV", replayed.frame, "replay.csv", of=street)
        show.csv("Bills as CSV", partial(bills_frame, replayed), "bills.csv", of=street)
        source = real_home.NAMED if loaded.name == real_home.NAME else ""
        page = partial(street_report, loaded.readings, result, street, loaded.home, source)
        show.download("Report", page, "street.html", "text/html", "description")
    st.markdown(words.rates_words(replayed))
    offered = offered_rates(lab().scenario, "meters:shown")
    shown = list(url_pills("Rates", offered, "meters:shown", style.label))
    chart(figures.replay_figure(replayed, shown[::-1]), "meters:rates")
    learned = result.learned is not None or street.has_laws
    lazy_expander("Every rate", partial(_every_rate, replayed, learned))
    lazy_expander("What each house would have paid", partial(_paid, replayed, shown))
    chosen = lab().chosen("meters:watched") is not None
    lazy_expander("An observer at one house", partial(_observer, result, key, shown), opened=chosen)


def _every_rate(replayed: Replay, learned: bool) -> None:
    show.table(words.replay_frame(replayed))
    promise = words.promise_words(learned)
    st.caption(f"{ERROR_MEANS} {words.replay_words(replayed)} {promise} {words.forecast_words(replayed)}")


def _paid(replayed: Replay, shown: list[str]) -> None:
    st.markdown(words.bills_words(replayed))
    if replayed.filled:
        st.caption("A ring is a house of whose readings some are filled in.")
    chart(figures.bills_figure(replayed, shown), "meters:bills")


def _observer(result: Answer, key: str, rates: Sequence[str]) -> None:
    """What she makes of the rates that are shown, at the house that shows most or at another."""
    st.markdown(words.observer_words(result))
    found = result.replay
    names = list(map(shown_name, found.houses))
    most = found.houses.index(result.observed.name)
    houses = sorted(range(len(names)), key=most.__ne__)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        house = url_select("House", houses, "meters:watched", names.__getitem__, width=200)
        quick = len(names) * found.pieces[0].scenario.days <= QUICK
        known = ["others", "model"] if quick else ["others"]  # an outsider follows all houses
        knows = url_segmented("She knows", known, "meters:knows", lambda each: KNOWS[BY_KNOWLEDGE[each]])
    if not rates:
        st.caption("Choose a rate to see what it reveals.")
        return
    observed = _observed(found, f"{key} {house} {knows} {list(rates)}", house, knows, rates)
    chart(figures.observed_figure(observed), "meters:watched")
    show.table(words.observed_frame(observed))
    method = method_words(next(iter(observed.seen.values())).method)
    st.caption(f"{words.WORST_MEANS} {method}")


def _observed(found: Replay, key: str, house: int, knows: str, rates: Sequence[str]) -> ObservedHouse:
    """Kept by the session alone, as the readings are."""
    kept: tuple[str, ObservedHouse] | None = lab().extras.get(OBSERVED)
    if kept is None or kept[0] != key:
        with st.spinner("Reading every rate …"):
            kept = (key, watch(found, found.houses[house], knows=knows, mechanisms=rates))
        lab().extras[OBSERVED] = kept
    return kept[1]
