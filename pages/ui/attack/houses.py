"""All houses at once: as lit windows at a moment of the day; who shows, and when; as rows over the day."""

from functools import partial
from operator import attrgetter

import numpy as np
import streamlit as st

from pages.ui import cache, jobs
from pages.ui.attack.observer import JUDGES, JUDGING, Observer, beliefs, download, judging, truth
from pages.ui.session import lab
from pages.ui.show import Point, chart, lazy_expander, number_of
from pages.ui.widgets import url_toggle
from rtp.attack.adversary import Posterior, ordered_columns
from rtp.core.types import Floats
from rtp.exposure import Observer as Who
from rtp.figures.attack import FIRST, map_figure, street_figure
from rtp.figures.windows import Believed, windows_figure
from rtp.mechanisms import REGISTRY, UNPROTECTED
from rtp.output.attack import METHODS, map_words, windows_words
from rtp.scenario import Scenario
from rtp.simulation import Day

MAPPING = "Looking at every house and moment …"


def windows(day: Day, observer: Observer) -> None:
    """Who is in on the first day, and what she believes from the optimal rate and from the private one."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        observer = judging(day.scenario, observer)
    scenario, now = day.scenario, slice(day.scenario.steps_per_day)
    rates = UNPROTECTED, observer.private
    optimal, private = (beliefs(day, observer._replace(rate=rate)) for rate in rates)
    columns = np.sort(ordered_columns(optimal, by_shift=True, first=FIRST))
    occupied = truth(day, optimal)[now, columns]
    believed = [seen.belief[now, columns] for seen in (optimal, private)]
    alone = optimal.model_only[now, columns]
    st.markdown(windows_words(occupied, [*believed, alone], observer.private, scenario.households))
    houses = {house: scenario.house(house) for house in optimal.houses[columns].tolist()}
    times = [scenario.when(step) for step in range(now.stop)]
    names = ["the optimal rate", f"the {REGISTRY[observer.private].label} rate"]
    each = [Believed(name, belief) for name, belief in zip(names, believed, strict=True)]
    drawn = windows_figure(houses, occupied, each, times, now.stop // 2)
    chart(drawn, "windows", click=_look_at)


def _look_at(point: Point) -> None:
    """Open the day of the house whose window was clicked."""
    if (house := number_of(point)) is not None:
        lab().show("attacker:house", int(house))
        lab().show("attacker:step", int(point.get("frame", 0)))
        lab().show("attack:tab", "One house")


def who_shows(day: Day, observer: Observer) -> None:
    """How often she tells each moment of each house, from the optimal rate."""
    scenario, who = day.scenario, observer.adversary
    if (found := cache.exposures("map", [scenario], ["moment"])) is None:
        return
    areas = _map(scenario, who)
    looked_at = np.flatnonzero(np.isfinite(areas).any(axis=1))
    if not len(looked_at):
        st.caption("Habits settle every moment here: there is nothing to tell.")
        return
    every = len(looked_at) <= FIRST or url_toggle(f"All {len(looked_at):,} houses", "attacker:all")
    order = looked_at[np.argsort(-np.nanmax(areas[looked_at], axis=1), kind="stable")]
    st.markdown(map_words(found[0]["moment", who], len(looked_at), scenario))
    chart(map_figure(scenario, areas, order[: None if every else FIRST].tolist()), key="map")


@cache.shared(key=lambda scenario, who: cache.exposure_key(scenario, "moment", who), spinner=MAPPING)
def _map(scenario: Scenario, who: Who) -> Floats:
    return jobs.call(attrgetter("map"), cache.exposure(scenario, "moment", who))


def street(day: Day, observer: Observer) -> None:
    """The tab of all houses, one row each."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        observer = judging(day.scenario, observer)
        seen = beliefs(day, observer)
        n = len(seen.houses)
        by_shift = url_toggle("Most moved first", "attacker:sort", True)
        gain = url_toggle(
            "Only what the rates added", "attacker:gain", help="Her belief minus that of habits alone"
        )
        with_truth = url_toggle("Truth on top", "attacker:truth", True)
        every = n <= FIRST or url_toggle(f"All {n:,} houses", "attacker:all")
    columns = ordered_columns(seen, by_shift=by_shift, first=None if every else FIRST)
    chart(street_figure(day, seen, columns, truth(day, seen) if with_truth else None, gain), key="street")
    lazy_expander(JUDGES, partial(_judged, seen), JUDGING)
    download(day, observer)


def _judged(seen: Posterior) -> None:
    st.caption(METHODS[seen.method])
