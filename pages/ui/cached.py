"""What is slow to make and the same for everybody: made once, and kept on a shelf for its kind.

Values are frozen and shared by all sessions; the key is the text of all they depend on. Lived days are kept
apart from their prices, so that moving ε or the tariff does not draw the street again.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

import streamlit as st

from pages.ui import CORES, SERVERS
from pages.ui.shelf import Limit, Shelf, among
from rtp.attack.adversary import Posterior
from rtp.figures.style import Picture
from rtp.leakage.moment import MomentLeakage, moment_leakage
from rtp.scenario import Scenario
from rtp.simulation import Day, draw_day, publish_day, street_key
from rtp.street.simulate import StreetDay

Value = TypeVar("Value")

WORKERS = ThreadPoolExecutor(CORES)
SLOW = 200_000  # house-days from which drawing takes long enough to show progress


def houses_in(life: StreetDay) -> int:
    """Memory grows with the houses; the rest of a life is worth about a thousand of them."""
    return len(life.street.group) + 1000


def houses_of(day: Day) -> int:
    """A day keeps its life from being dropped."""
    return houses_in(day.street_day)


def numbers_in(seen: Posterior) -> int:
    """The beliefs about a long street weigh as much as those about many short ones."""
    return max(len(seen.by_model), 1) * 4 * seen.belief.size


KINDS = {
    "life": Limit(12_000_000, houses_in),
    "day": Limit(400_000, houses_of),
    "picture": Limit(100),
    "range": Limit(200),
    "stake": Limit(60),
    "threat": Limit(200),
    "lesson": Limit(24),
    "posterior": Limit(1_600_000, numbers_in, heavy=True),
    "strongest": Limit(100, heavy=True),
    "truth": Limit(200),
    "judged": Limit(100, heavy=True),
    "audit": Limit(12, heavy=True),
    "ledger": Limit(12),
    "curve": Limit(32, heavy=True),
    "point": Limit(200),
    "believing": Limit(400_000, houses_in),
    "budgets": Limit(500, heavy=True),
    "bills": Limit(8),
    "roster": Limit(8),
    "insider": Limit(100),
    "luck": Limit(16),
    "lived again": Limit(2, heavy=True),
    "paper days": Limit(1),
    "paper": Limit(24),
    "alternatives": Limit(1),
    "moments": Limit(100),
    "overview": Limit(60, heavy=True),
    "one day": Limit(24),
    "price": Limit(12, heavy=True),
    "leak": Limit(100),
    "crowd": Limit(24),
    "ways": Limit(24),
    "sample readings": Limit(1),
    "exercise": Limit(100),
}


SHELVES: dict[str, Shelf[Any]] = {kind: Shelf(among(limit, SERVERS)) for kind, limit in KINDS.items()}


def forget() -> None:
    """Empty all shelves."""
    for shelf in SHELVES.values():
        shelf.values.clear()


def kept(kind: str, key: str, make: Callable[[], Value], spinner: str | None = None) -> Value:
    """What `make` gives, made at most once for this key; the spinner turns while it is made."""
    shelf: Shelf[Value] = SHELVES[kind]
    return shelf.get(key, partial(_spinning, make, spinner) if spinner else make)


def aside(make: Callable[[], Value]) -> Value:
    """What `make` gives, made by one of a few threads: the memory that work has taken stays with its thread,
    and sessions have one each. It must show nothing."""
    return WORKERS.submit(make).result()


def _spinning(make: Callable[[], Value], words: str) -> Value:
    with st.spinner(words):
        return make()


def day(scenario: Scenario) -> Day:
    """The scenario's day; the street is drawn only if it has not been drawn yet."""
    return kept("day", scenario.to_json(None), partial(_day, scenario))


def _day(scenario: Scenario) -> Day:
    return publish_day(scenario, life(scenario))


def life(scenario: Scenario) -> StreetDay:
    """The scenario's street and its day, before any price."""
    return kept("life", street_key(scenario), partial(_live, scenario))


def moments(day: Day, mechanism: str, house: int | None = None) -> MomentLeakage:
    """Every moment of a house, or of all."""
    key = f"{day.scenario.to_json(None)} {mechanism} {house}"
    return kept("moments", key, partial(moment_leakage, day, mechanism, house))


def picture(make: Callable[[], Picture], *depends_on: object) -> Picture:
    """A finished picture: whoever looks at the same scenario is sent the same one."""
    return kept("picture", " ".join(map(str, depends_on)), make)


def _live(scenario: Scenario) -> StreetDay:
    if scenario.households * scenario.days < SLOW:
        return draw_day(scenario)
    words = f"Drawing the day of {scenario.households:,} households …"
    bar = st.progress(0.0, words)
    shown = 0.0

    def report(done: float) -> None:
        nonlocal shown
        if done - shown >= 0.01:
            shown = done
            bar.progress(done, f"{words} {done:.0%}")

    try:
        return draw_day(scenario, report)
    finally:
        bar.empty()
