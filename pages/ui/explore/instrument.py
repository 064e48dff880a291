"""The first window of Explore: the claim, cost and exposure, rates and their error, occupancy, consumption,
and the matrices that move them."""

from functools import partial

import streamlit as st

from pages.ui import cache, pins, show, tour
from pages.ui.explore.below import SHOWN
from pages.ui.matrices import matrices
from pages.ui.screens import READINGS, TAB
from pages.ui.session import lab
from pages.ui.sidebar import link_to
from pages.ui.widgets import url_segmented
from rtp.core.stats import Range
from rtp.figures.day import CONSUMPTION, OCCUPANCY, mean_figure, rates_figure
from rtp.figures.instrument import cost_figure, exposure_figure
from rtp.mechanisms import FEATURED, YARDSTICK, private
from rtp.output import story as output
from rtp.scenario import LIBRARY, Scenario
from rtp.simulation import Day
from rtp.teaching.exposure import Exposure
from rtp.tradeoff import cost

GROUP = "explore:group"
BETTER = "mansions"  # a preset on which the private rate wins

_costs = cache.shared()(cost)


def instrument(scenario: Scenario) -> None:
    """What moves when a knob is turned, and the knobs that stand on no sidebar."""
    day, before = cache.day(scenario), _before(scenario)
    shown = [name for name in lab().chosen(SHOWN) if name in day.release]
    costly = [name for name in private() if name in shown]
    costs, found = _cost(day, costly), cache.exposures(scenario)
    with st.container(key="claim", horizontal=True, vertical_alignment="top"):
        _claim(day, costs, found)
        _doors()
    left, right = st.columns(2, gap="small")
    with left:
        earlier = _cost(before, costly) if before else None
        make = partial(cost_figure, day, costs, earlier)
        show.chart(cache.picture(make, "cost", day, before, costly), key="cost", card=False)
    with right:
        past = cache.exposures(before.scenario) if before else None
        make = partial(exposure_figure, found, past)
        show.chart(cache.picture(make, "exposure", scenario, before), key="exposure", card=False)
    make = partial(rates_figure, day, shown, pins.days(), before)
    show.chart(cache.picture(make, "rates", day, before, shown, *pins.texts()), key="rates", card=False)
    group = _group(scenario)
    for column, panel in zip(st.columns(2, gap="small"), (OCCUPANCY, CONSUMPTION), strict=True):
        with column:
            make = partial(mean_figure, day, panel, group, before)
            show.chart(cache.picture(make, panel, day, before, group), key=panel, card=False)
    matrices(scenario, 0, group, lead=partial(_choose_group, scenario))


def _before(scenario: Scenario) -> Day | None:
    """What stood there before the last change."""
    earlier = lab().before
    return None if earlier is None or earlier == scenario else cache.day(earlier)


def _cost(day: Day, names: list[str]) -> dict[str, Range]:
    return _costs(day, tuple(dict.fromkeys([YARDSTICK, FEATURED, *names])))


def _claim(day: Day, costs: dict[str, Range], found: Exposure) -> None:
    with st.container(gap="xxsmall"):
        st.title(output.claim(day, costs, found), anchor=False, help=output.exposure_words(found))
        if output.as_naive(day, costs):
            _offer_better()


def _doors() -> None:
    """For who is new here, who teaches, and who has readings; not in front of a class."""
    if lab().presenting:
        return
    with st.container(key="doors", gap="xxsmall", width="content"):
        tour.start()
        link_to("Class", "Teaching: Class")
        link_to("Street", "Have readings: Street", **{TAB: READINGS})


def _offer_better() -> None:
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.caption(output.AS_NAIVE, width="content")
        st.button(
            "See a street where it wins",
            key="explore:better",
            type="tertiary",
            icon=":material/home_work:",
            on_click=_better,
            help="Mansions can use five times as much and are surely empty at times. Undo brings yours back.",
        )


def _better() -> None:
    lab().open(LIBRARY[BETTER].scenario, BETTER)


def _group(scenario: Scenario) -> int:
    """The group whose habits are shown and edited."""
    chosen: int = lab().chosen(GROUP)
    return chosen if chosen < len(scenario.groups) else 0


def _choose_group(scenario: Scenario) -> None:
    names = [group.name for group in scenario.groups]
    if len(names) > 1:
        url_segmented("Habits of", range(len(names)), GROUP, names.__getitem__, hidden=True)
