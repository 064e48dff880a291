"""One moment: was this house occupied at 14:00? How far the rates so far, and the whole record, can tell.

A rate's promise is ε per step, and Theorem 2 adds the steps up to ε·T. What they can do to the odds of one
moment is far less, because neighbouring moments forget: see `leak`. The losses are those really spent on a
house at each step, exactly as the audit finds them, or the promised ε.
"""

from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from rtp.audit.exact import widths
from rtp.core.types import Floats, Ints
from rtp.leakage.chain import Houses, Part, parts_of
from rtp.leakage.leak import Leak, Losses, leak
from rtp.mechanisms import REGISTRY
from rtp.scenario import must_be_house, must_be_one_of
from rtp.simulation import Day
from rtp.street.draw import Street

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, kw_only=True)
class Moment:
    """The largest shift of the log-odds of every moment, (T,) unless said; of several models the worst."""

    mechanism: str
    so_far: Floats  # by the rates up to the moment's own, for the house that loses most
    whole: Floats  # by the whole record
    so_far_house: Ints  # whose it is
    house: Ints
    by_house: Floats  # (n,) each house's worst moment, whole record
    houses: Ints  # (n,)
    theorem_2: float  # what the promise of single rates adds up to: ε·T

    @property
    def step(self) -> int:
        """The moment that can leak most."""
        return int(self.whole.argmax())

    @property
    def worst(self) -> float:
        return float(self.whole.max())


def moment(
    day: Day,
    mechanism: str,
    house: int | None = None,
    *,
    promised: bool = False,
    ready: Houses | None = None,
) -> Moment:
    """Every moment of one house, or of all: the worst of them. `promised`: as if every rate spent its ε;
    `ready`: all houses, where they have been made ready before."""
    must_be_one_of("mechanism", mechanism, day.release)
    must_be_house("house", house, day.scenario.households)
    houses = np.arange(day.scenario.households) if house is None else np.array([house])
    steps = day.scenario.steps
    so_far, whole = np.full(steps, -1.0), np.full(steps, -1.0)
    so_far_house, worst_house = np.zeros(steps, dtype=np.intp), np.zeros(steps, dtype=np.intp)
    by_house = np.empty(len(houses))
    first = 0
    for part in ready if ready is not None and house is None else parts_of(day.life, houses):
        found = worst_model(part, step_losses(day, mechanism, part.houses, promised))
        by_house[first : first + len(part.houses)] = found.shift(found.whole.max(axis=0))
        first += len(part.houses)
        for kept, whose, leaks in ((so_far, so_far_house, found.so_far), (whole, worst_house, found.whole)):
            most = leaks.argmax(axis=1)
            value = found.shift(leaks[np.arange(steps), most])
            whose[value > kept] = part.houses[most][value > kept]
            np.maximum(kept, value, out=kept)
    return Moment(
        mechanism=mechanism,
        so_far=so_far,
        whole=whole,
        so_far_house=so_far_house,
        house=worst_house,
        by_house=by_house,
        houses=houses,
        theorem_2=REGISTRY[mechanism].promised(day.scenario.epsilon) * steps,
    )


def moment_frame(day: Day, found: Moment) -> "pd.DataFrame":
    """One row per step: the leak so far and by the whole record, and whose it is."""
    import pandas as pd

    steps = np.arange(day.scenario.steps)
    return pd.DataFrame(
        {
            "time": [day.scenario.when(step) for step in steps.tolist()],
            "so_far": found.so_far,
            "so_far_house": found.so_far_house,
            "whole_record": found.whole,
            "whole_record_house": found.house,
        }
    )


def worst_model(part: Part, losses: Losses) -> Leak:
    """At every moment of some houses the worst of the models; it lasts until the next call."""
    found = (
        leak(chain, links, losses, min(number, 1)) for number, (chain, links) in enumerate(part.models())
    )
    return reduce(Leak.at_least, found)


def step_losses(day: Day, mechanism: str, houses: Ints, promised: bool = False) -> Losses:
    """What each step's rate leaves to learn about each house, as spent or as promised."""
    if promised:
        rows = np.full((1, len(houses)), REGISTRY[mechanism].promised(day.scenario.epsilon))
        return Losses(rows, np.zeros(day.scenario.steps, dtype=np.intp))
    return losses_at(widths(day, mechanism), day.street, houses)


def losses_at(b: Floats, street: Street, houses: Ints) -> Losses:
    """What noise of these scales, (T,) in the unit of consumption, leaves to learn of each house."""
    scales, of_step = np.unique(b, return_inverse=True)
    return Losses(np.array([street.loss(float(scale), houses) for scale in scales]), of_step)
