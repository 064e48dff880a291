"""What each observer tells of a moment of the street, how it is waited for, and the picture it makes.

Exposure depends on no budget: while ε moves, nothing is found anew. Another street's takes a moment, and
until it is there the last answer stays, pale.
"""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from pages.ui import cache, jobs
from pages.ui.params import EPSILON_GRID
from pages.ui.session import lab
from rtp.core.types import Floats
from rtp.exposure import Exposure, Observer
from rtp.figures.bend import Bend, bend_figure, nothing_more
from rtp.figures.leakage import dimmed
from rtp.figures.style import Picture
from rtp.mechanisms import FEATURED, YARDSTICK, private
from rtp.output.exposure import observers
from rtp.scenario import Scenario
from rtp.simulation import Day
from rtp.tradeoff import cost
from rtp.tradeoff.curves import errors

INSIDER_FIRST: tuple[Observer, ...] = ("insider", "outsider")
NAME = "explore:exposure"  # the last that was found, and the work that finds the next

costs = cache.shared()(cost)


class Seen(NamedTuple):
    """What each observer tells of a moment on a street; `old` while another street's is being found."""

    scenario: Scenario  # the street's
    insider: Exposure
    outsider: Exposure
    old: bool = False


def known(scenario: Scenario) -> Seen:
    """What is told of this street, however long it takes to find."""
    insider, outsider = (cache.exposure(scenario, "moment", who) for who in INSIDER_FIRST)
    return Seen(scenario, insider, outsider)


def seen(scenario: Scenario) -> Seen | None:
    """What is told of this street or, until that is found, of the last one."""
    if cache.exposures(NAME, [scenario], ["moment"]) is None:
        last: Seen | None = lab().extras.get(NAME)
        return last and last._replace(old=True)
    found = lab().extras[NAME] = known(scenario)
    return found


def compared(shown: Sequence[str] = ()) -> tuple[str, ...]:
    """The private rates that the picture compares: the naive one, the featured one, and others that are
    shown."""
    return tuple(dict.fromkeys([YARDSTICK, FEATURED, *(name for name in private() if name in shown)]))


def bend(day: Day, names: tuple[str, ...], found: Seen | None, hint: str = "") -> Picture:
    """Error against exposure over ε; of the last street, and pale, until this one's exposure is found."""
    old = found is not None and found.old
    of = cache.day(found.scenario) if found is not None and old else day
    drawn = cache.picture(partial(_draw, of, names, found, hint), "bend", of, names, hint, found is not None)
    return dimmed(drawn) if old else drawn


@cache.shared(apart_from=("epsilon",))
def _errors(day: Day, names: tuple[str, ...]) -> dict[str, Floats]:
    """How far off each rate is over the slider's budgets; a worker follows demand that answers prices."""
    if day.scenario.elasticity:
        return jobs.call(errors, day, names, EPSILON_GRID)
    return errors(day, names, EPSILON_GRID)


@cache.shared(apart_from=("epsilon",))
def _told(scenario: Scenario, names: tuple[str, ...]) -> dict[str, dict[str, Floats]]:
    """By mechanism and observer: how often she tells, over the slider's budgets."""
    _, insider, outsider, _ = known(scenario)
    seen_by = observers(insider, outsider, scenario)
    return {
        name: {who: found.over(name, EPSILON_GRID).value for who, found in seen_by.items()} for name in names
    }


def enough(day: Day, names: tuple[str, ...], found: Seen) -> float | None:
    """Return the error from which on a larger one of the private rate hides nothing more from either
    observer; None where that is not reached."""
    told = _told(found.scenario, names)[FEATURED]
    return nothing_more(_errors(day, names)[FEATURED], list(told.values()))


def _draw(day: Day, names: tuple[str, ...], found: Seen | None, hint: str) -> Picture:
    scenario, now = day.scenario, costs(day, names)
    off = _errors(day, names)
    told = {} if found is None else _told(scenario, names)
    seen_by = {} if found is None else observers(found.insider, found.outsider, scenario)
    bends = [
        Bend(
            name,
            off[name],
            told.get(name, {}),
            now[name],
            {who: each.at(name, scenario.epsilon).value for who, each in seen_by.items()},
        )
        for name in names
    ]
    return bend_figure(np.array(EPSILON_GRID), bends, scenario.epsilon, hint)
