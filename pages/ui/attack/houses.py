"""All houses at once: as lit windows, with a clock; who shows, and when; as rows over the day."""

from functools import partial
from operator import attrgetter

import numpy as np
import streamlit as st

from pages.ui import cache, jobs
from pages.ui.attack.observer import Observer, beliefs, by_both_rates, download, shown_houses, truth
from pages.ui.session import lab
from pages.ui.show import Point, chart, number_of
from pages.ui.widgets import url_toggle
from rtp.attack.adversary import ordered_columns
from rtp.core.types import Floats
from rtp.exposure import Observer as Who
from rtp.figures import style
from rtp.figures.attack import FIRST, map_figure, street_figure
from rtp.figures.style import Picture
from rtp.figures.windows import Believed, windows_figure, wrong
from rtp.mechanisms import UNPROTECTED
from rtp.output.attack import METHODS, map_words, windows_legend, windows_words
from rtp.scenario import Scenario
from rtp.simulation import Day

MAPPING = "Looking at every house and moment …"
FIRST_HOUR = 10
HOUSE, STEP = "attacker:house", "attacker:step"
MAP = "Which house shows, and at what time of day: how often the observer tells each moment."


def windows(day: Day, observer: Observer) -> Picture:
    """Return who is in on the first day, and what the observer believes from the optimal rate and from the
    private one. Whoever looks at the same is sent the same picture, and no rate is read again for it."""
    step, shown = moment(day.scenario), shown_houses(day, observer)
    make = partial(_windows, day, observer, step, shown)
    return cache.picture(make, "windows", day, observer, step, shown)


def show(lit: Picture) -> None:
    """Show the windows; a click on one opens its day."""
    chart(lit, "windows", click=_look_at)


def legend(day: Day, observer: Observer) -> str:
    """How to read the windows, and whose they are."""
    return windows_legend(len(shown_houses(day, observer)), day.scenario.households)


def moment(scenario: Scenario) -> int:
    """The step of the first day at which the clock begins: where a window was clicked, else as many leave."""
    steps = scenario.steps_per_day
    return min(int(lab().setting(STEP, steps * FIRST_HOUR // 24)), steps - 1)


def _windows(day: Day, observer: Observer, step: int, shown: list[int]) -> Picture:
    scenario, now = day.scenario, slice(day.scenario.steps_per_day)
    optimal, private = by_both_rates(day, observer)
    columns = np.flatnonzero(np.isin(optimal.houses, shown))
    occupied = truth(day, optimal)[now, columns]
    believed = [seen.belief[now, columns] for seen in (optimal, private)]
    errors = [wrong(each, occupied) for each in (*believed, optimal.model_only[now, columns])]
    times = [scenario.when(step) for step in range(now.stop)]
    sentences = windows_words(times, errors, observer.adversary, observer.private)
    names = [f"the {style.short(rate)} rate" for rate in (UNPROTECTED, observer.private)]
    each = [Believed(name, belief) for name, belief in zip(names, believed, strict=True)]
    houses = {house: scenario.house(house) for house in optimal.houses[columns].tolist()}
    return windows_figure(houses, occupied, each, times, sentences, step, observer.house)


def _look_at(point: Point) -> None:
    """Open the day of the house whose window was clicked, at that moment; a second click there closes it."""
    if (house := number_of(point)) is None:
        return
    step = int(point.get("frame", 0))
    again = (lab().chosen(HOUSE), lab().chosen(STEP)) == (int(house), step)
    lab().show(HOUSE, None if again else int(house))
    lab().show(STEP, None if again else step)


def who_shows(day: Day, observer: Observer) -> None:
    """How often she tells each moment of each house, from the optimal rate."""
    scenario, who = day.scenario, observer.adversary
    if (found := cache.exposures("map", [scenario], ["moment"])) is None:
        st.caption(MAP)
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
    """All houses that she follows, one row each, by the rate that was chosen."""
    seen = beliefs(day, observer)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        n = len(seen.houses)
        by_shift = url_toggle("Most moved first", "attacker:sort", True)
        gain = url_toggle(
            "Only what the rates added", "attacker:gain", help="Her belief minus that of habits alone"
        )
        with_truth = url_toggle("Truth on top", "attacker:truth", True)
        every = n <= FIRST or url_toggle(f"All {n:,} houses", "attacker:all")
    columns = ordered_columns(seen, by_shift=by_shift, first=None if every else FIRST)
    chart(street_figure(day, seen, columns, truth(day, seen) if with_truth else None, gain), key="street")
    st.caption(METHODS[seen.method])
    download(day, observer)
