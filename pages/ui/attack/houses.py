"""All houses at once: as lit windows, with a clock; who shows, and when."""

from functools import partial
from operator import attrgetter

import numpy as np
import streamlit as st

from pages.ui import cache, jobs
from pages.ui.attack.observer import Observer, by_both_rates, shown_houses, truth
from pages.ui.session import lab
from pages.ui.show import Point, chart, number_of
from pages.ui.widgets import url_toggle
from rtp.core.types import Floats
from rtp.exposure import Observer as Who
from rtp.figures.attack import FIRST, map_figure
from rtp.figures.style import Picture
from rtp.figures.windows import Believed, windows_figure, wrong
from rtp.output.attack import map_words, windows_titles, windows_words
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
    title, *titles = windows_titles(len(columns), scenario.households, observer.private)
    each = [Believed(*row) for row in zip(titles, believed, strict=True)]
    houses = {house: scenario.house(house) for house in optimal.houses[columns].tolist()}
    return windows_figure(houses, title, occupied, each, times, sentences, step, observer.house)


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
