"""Coming and going: per-step chances of one group, and possible states.

Possibility is kept on booleans and read off the stated matrix: an entry is impossible where the user wrote
exactly 0, never because a probability has underflowed. Laplace noise has a density that is positive
everywhere, so a published rate never makes a state impossible; houses are independent; so the possible
joint states are the product of the houses' own sets, which evolve by the zero pattern of the matrices.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rtp.arrays import Bools, Floats, Ints
from rtp.clock import STEPS_PER_DAY, STEPS_PER_HOUR
from rtp.scenario import Habits
from rtp.scenario.conversion import step_chances

EMPTY, OCCUPIED = 1, 2  # as members of a set of states, written as bits
BOTH = EMPTY | OCCUPIED
INTERIOR = 1e-6  # a chance that is not structural stays this far from 0 and 1


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """The per-step habits of one group under one model."""

    initial: float
    period: Ints  # (96,) which period contains each step of the day
    leave: Floats  # (4,) per step
    arrive: Floats  # (4,)
    can: Bools  # (4, 2, 2) the entries of the stated matrices that are not exactly 0

    @cached_property
    def runs(self) -> list[tuple[int, int, int]]:
        """The day as (first step, last step + 1, period), in the order of the clock."""
        edges = [0, *(np.flatnonzero(np.diff(self.period)) + 1).tolist(), STEPS_PER_DAY]
        return [(start, end, int(self.period[start])) for start, end in pairwise(edges)]


@lru_cache(maxsize=256)
def schedule_of(habits: Habits, conversion: str = "geometric") -> Schedule:
    """The habits of one group, ready for arrays."""
    chances = [step_chances(p, n, conversion) for p, n in zip(habits.periods, habits.steps(), strict=True)]
    starts = np.array([p.start * STEPS_PER_HOUR for p in habits.periods])
    containing = np.searchsorted(starts, np.arange(STEPS_PER_DAY), side="right") - 1
    matrices = np.array([p.matrix for p in habits.periods])
    return Schedule(
        initial=habits.initial_occupied,
        period=containing % len(starts),
        leave=np.array([leave for leave, _ in chances]),
        arrive=np.array([arrive for _, arrive in chances]),
        can=matrices != 0,
    )


def personal(
    schedule: Schedule, draws: NDArray[np.float32], spread: float, clip: str
) -> tuple[Floats, Floats]:
    """Each house's own (leave, arrive) chances, both (4, n), from its standard normal draws (n, 2, 4).

    Structural entries stay exactly 0 or 1; the others are kept inside (0, 1), or, with clip "closed", the
    paper's literal wording, may be cut to 0 or 1.
    """
    limits = (INTERIOR, 1 - INTERIOR) if clip == "interior" else (0.0, 1.0)
    can = schedule.can
    return (
        _perturbed(schedule.leave, spread * draws[:, 0].T, limits, can[:, 1, 0], can[:, 1, 1]),
        _perturbed(schedule.arrive, spread * draws[:, 1].T, limits, can[:, 0, 1], can[:, 0, 0]),
    )


def _perturbed(
    stated: Floats, shift: NDArray[np.float32], limits: tuple[float, float], possible: Bools, escapable: Bools
) -> Floats:
    """Stated chances (4,) shifted for every house (4, n); an exact 0 or 1 stays."""
    chances = np.clip(stated[:, None] + shift, *limits)
    chances[~possible] = 0.0
    chances[~escapable] = 1.0
    return chances


def uncertain(initial: Floats, period: Ints, can: Bools, days: int) -> Bools:
    """Where both states are still possible: (steps, n) for n zero patterns.

    initial (n,) is Pr[occupied] at step 0; period (n, 96); can (n, 4, 2, 2) the possible entries of each
    period's matrix. This is μ, ν and κ of Algorithm 1, lines 5–7, house by house.
    """
    first = (initial < 1) * EMPTY + (initial > 0) * OCCUPIED
    to_empty, to_occupied = can[..., 0] * EMPTY, can[..., 1] * OCCUPIED
    reached = (to_empty + to_occupied).tolist()  # from each state, the set of those that may follow
    patterns = zip(first.tolist(), period.tolist(), reached, strict=True)
    return np.column_stack([_uncertain(*pattern, days) for pattern in patterns])


def _uncertain(now: int, period: list[int], reached: list[list[int]], days: int) -> list[bool]:
    """The same for one pattern, from a first set of possible states."""
    follows = [(0, empty, occupied, empty | occupied) for empty, occupied in reached]
    both = []
    for p in days * period:
        both.append(now == BOTH)
        now = follows[p][now]
    return both
