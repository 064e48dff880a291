"""Lived days, kept so that moving ε or the tariff does not draw the street again.

A lived day is frozen and shared by all sessions; how many are kept is bounded by the houses in them, so by
memory. The key is the text of all it depends on.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

import streamlit as st

from rtp.scenario import Scenario
from rtp.simulation import Day, life_key, live, publish
from rtp.street.life import Life

MAX_HOUSE_DAYS = 12_000_000
SLOW = 200_000  # house-days from which drawing takes long enough to show progress


@dataclass
class Shelf:
    """The last used lives, least recently used dropped first."""

    lives: OrderedDict[str, Life] = field(default_factory=OrderedDict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def get(self, key: str, make: Callable[[], Life]) -> Life:
        with self.lock:
            if key in self.lives:
                self.lives.move_to_end(key)
                return self.lives[key]
        life = make()
        with self.lock:
            self.lives[key] = life
            while len(self.lives) > 1 and self._size() > MAX_HOUSE_DAYS:
                self.lives.popitem(last=False)
        return life

    def _size(self) -> int:
        return sum(len(life.street.group) + 1000 for life in self.lives.values())


@st.cache_resource
def _shelf() -> Shelf:
    return Shelf()


def day(scenario: Scenario) -> Day:
    """The scenario's day; the street is drawn only if it has not been drawn yet."""
    return publish(scenario, _shelf().get(life_key(scenario), lambda: _live(scenario)))


def _live(scenario: Scenario) -> Life:
    if scenario.households * scenario.days < SLOW:
        return live(scenario)
    bar = st.progress(0.0, f"Drawing the day of {scenario.households:,} households …")
    shown = 0.0

    def report(done: float) -> None:
        nonlocal shown
        if done - shown >= 0.01:
            shown = done
            bar.progress(done, f"Drawing the day of {scenario.households:,} households … {done:.0%}")

    try:
        return live(scenario, report)
    finally:
        bar.empty()
