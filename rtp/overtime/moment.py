"""One moment: was this house occupied at 14:00? How far the rates so far, and the whole record, can tell.

A rate's promise is ε per step, and Theorem 2 adds the steps up to ε·T. What they can do to the odds of one
moment is far less, because neighbouring moments forget: see `leak`. The losses are those really spent on a
house at each step, exactly as the audit finds them, or the promised ε.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rtp.arrays import Bools, Floats, Ints
from rtp.attacker.beliefs import Chains, chains_of
from rtp.audit.exact import widths
from rtp.mechanisms import REGISTRY
from rtp.overtime.leak import Chain, Leak, leak
from rtp.scenario import must_be_house, must_be_one_of
from rtp.simulation import Day
from rtp.street.draw import BLOCK, Street
from rtp.street.life import Life

if TYPE_CHECKING:
    import pandas as pd

AT_MOST = 200_000  # houses × steps that are worked on at once
OPEN = (1e-300, 1 - 2**-53)  # a chance that is neither 0 nor 1, however it was rounded


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


def moment(day: Day, mechanism: str, house: int | None = None, *, promised: bool = False) -> Moment:
    """Every moment of one house, or of all: the worst of them. `promised`: as if every rate spent its ε."""
    must_be_one_of("mechanism", mechanism, day.release)
    must_be_house("house", house, day.scenario.households)
    houses = np.arange(day.scenario.households) if house is None else np.array([house])
    steps = day.scenario.steps
    so_far, whole = np.full(steps, -1.0), np.full(steps, -1.0)
    so_far_house, worst_house = np.zeros(steps, dtype=np.intp), np.zeros(steps, dtype=np.intp)
    by_house = np.empty(len(houses))
    for part in parts(len(houses), steps):
        some = houses[part]
        found = worst_model(day.life, some, step_losses(day, mechanism, some, promised))
        by_house[part] = found.whole.max(axis=0)
        for kept, whose, leaks in ((so_far, so_far_house, found.so_far), (whole, worst_house, found.whole)):
            most = leaks.argmax(axis=1)
            value = leaks[np.arange(steps), most]
            whose[value > kept] = some[most][value > kept]
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


def parts(houses: int, steps: int) -> Iterator[slice]:
    """As many houses at a time as memory bears."""
    size = max(min(AT_MOST // steps, BLOCK), 1)
    return (slice(start, start + size) for start in range(0, houses, size))


def worst_model(life: Life, houses: Ints, losses: Floats) -> Leak:
    """At every moment of some houses the worst of the models, from what each step's rate leaves, (T, n)."""
    of_house = life.kinds.of_house[houses]
    leaks = [
        leak(chain_of(chains_of(life.spec, life.street, model, houses), uncertain[:, of_house]), losses)
        for model, uncertain in enumerate(life.kinds.uncertain)
    ]
    if len(leaks) == 1:
        return leaks[0]
    return Leak(
        so_far=np.max([found.so_far for found in leaks], axis=0),
        whole=np.max([found.whole for found in leaks], axis=0),
    )


def step_losses(day: Day, mechanism: str, houses: Ints, promised: bool = False) -> Floats:
    """(T, n): what each step's rate leaves to learn about each house, as spent or as promised."""
    if promised:
        return np.full((day.scenario.steps, len(houses)), REGISTRY[mechanism].promised(day.scenario.epsilon))
    return losses_at(widths(day, mechanism), day.street, houses)


def losses_at(b: Floats, street: Street, houses: Ints) -> Floats:
    """(T, n): what noise of these scales, (T,) in the unit of consumption, leaves to learn of each house."""
    scales, of_step = np.unique(b, return_inverse=True)
    return np.array([street.loss(float(scale), houses) for scale in scales])[of_step]


def chain_of(chains: Chains, uncertain: Bools) -> Chain:
    """The houses' chains with a row for every step; what is certain, (T, n), is decided on booleans."""
    steps = len(uncertain)
    days = -(-steps // chains.period.shape[1])
    period = np.tile(chains.period, days)[:, : steps - 1]  # (G, T − 1)
    leave, arrive, row = chains.leave, chains.arrive, period[0]
    if (period != period[0]).any():  # groups keep different hours
        of_house, houses = period[chains.group].T, np.arange(len(chains.group))
        leave, arrive, row = leave[of_house, houses], arrive[of_house, houses], np.arange(steps - 1)
    occupied = np.empty((steps, len(chains.initial)))
    occupied[0] = chains.initial
    keep = 1 - leave - arrive
    for step, p in enumerate(row.tolist()):
        np.multiply(occupied[step], keep[p], out=occupied[step + 1])
        occupied[step + 1] += arrive[p]
    np.clip(occupied, *OPEN, out=occupied)
    if not uncertain.all():
        np.rint(occupied, out=occupied, where=~uncertain)
    return Chain(occupied=occupied, leave=leave, arrive=arrive, period=row)
