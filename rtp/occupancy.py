"""Coming and going: from stated matrices to per-step chances, expected occupancy and possible states.

The paper states the chance that something happens *at some point during* a period of n steps. Taken as n
independent tries, the per-step chance is 1 − (1 − p)^(1/n) ("geometric"); read as an n-step transition
matrix, it is the n-th matrix root, which exists only where leave + arrive ≤ 1 ("root").

Possibility is kept on booleans and read off the stated matrix: an entry is impossible where the user wrote
exactly 0, never because a probability has underflowed. Laplace noise has a density that is positive
everywhere, so a published rate never makes a state impossible; houses are independent; so the possible
joint states are the product of the houses' own sets, which evolve by the zero pattern of the matrices.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rtp.scenario import STEPS_PER_DAY, STEPS_PER_HOUR, Habits, Period

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.intp]

ROUNDING = 1e-12
INTERIOR = 1e-6  # a chance that is not structural stays this far from 0 and 1


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """The per-step habits of one group under one model."""

    initial: float
    period: Ints  # (96,) which period contains each step of the day
    leave: Floats  # (4,) per step
    arrive: Floats  # (4,)
    can: Bools  # (4, 2, 2) the entries of the stated matrices that are not exactly 0

    def runs(self) -> list[tuple[int, int, int]]:
        """The day as (first step, last step + 1, period), in the order of the clock."""
        edges = [0, *(np.flatnonzero(np.diff(self.period)) + 1).tolist(), STEPS_PER_DAY]
        return [(start, end, int(self.period[start])) for start, end in pairwise(edges)]


def step_chances(part: Period, steps: int, conversion: str = "geometric") -> tuple[float, float]:
    """(leave, arrive) per step for a period of `steps` steps."""
    leave, arrive = part.leave, part.arrive
    if part.basis == "step":
        return leave, arrive
    if conversion == "root":
        return _root(leave, arrive, steps)
    return _spread(leave, steps), _spread(arrive, steps)


def period_chances(leave: float, arrive: float, steps: int) -> tuple[float, float]:
    """The inverse of the geometric conversion: the chance of at least one success in `steps` tries."""
    return _gather(leave, steps), _gather(arrive, steps)


def _spread(chance: float, steps: int) -> float:
    return 1.0 if chance == 1 else float(-np.expm1(np.log1p(-chance) / steps))


def _gather(chance: float, steps: int) -> float:
    return 1.0 if chance == 1 else float(-np.expm1(np.log1p(-chance) * steps))


def _root(leave: float, arrive: float, steps: int) -> tuple[float, float]:
    """The n-th root of a 2×2 stochastic matrix: same stationary law, eigenvalue 1 − leave − arrive rooted."""
    eigenvalue = 1 - (leave + arrive)
    if eigenvalue < 0:
        raise ValueError(f"leave + arrive = {leave + arrive:.6g}; no stochastic root exists beyond 1.")
    if eigenvalue == 1:
        return leave, arrive
    if eigenvalue < ROUNDING:  # 0.7 + 0.3 must mean 1: the 32nd root of a rounding error is 0.3
        eigenvalue = 0.0
    factor = (1 - eigenvalue ** (1 / steps)) / (leave + arrive)
    return leave * factor, arrive * factor


@lru_cache(maxsize=256)
def schedule(habits: Habits, conversion: str = "geometric") -> Schedule:
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


def personal(plan: Schedule, draws: NDArray[np.float32], spread: float, clip: str) -> tuple[Floats, Floats]:
    """Each house's own (leave, arrive) chances, both (4, n), from its standard normal draws (n, 2, 4).

    Structural entries stay exactly 0 or 1; the others are kept inside (0, 1), or, with clip "closed", the
    paper's literal wording, may be cut to 0 or 1.
    """
    low, high = (INTERIOR, 1 - INTERIOR) if clip == "interior" else (0.0, 1.0)

    def perturb(base: Floats, possible: Bools, escapable: Bools, z: NDArray[np.float32]) -> Floats:
        chances = np.clip(base[:, None] + spread * z.T, low, high)
        chances[~possible] = 0.0
        chances[~escapable] = 1.0
        return chances

    return (
        perturb(plan.leave, plan.can[:, 1, 0], plan.can[:, 1, 1], draws[:, 0]),
        perturb(plan.arrive, plan.can[:, 0, 1], plan.can[:, 0, 0], draws[:, 1]),
    )


def expected_days(plan: Schedule, leave: Floats, arrive: Floats, days: int, room: Floats) -> Iterator[Floats]:
    """Pr[occupied] of every house, day by day, each (96, n): the chain's closed form, no sampling.

    All days use the same `room` (97, n); its last row is the start of the next.
    """
    carry, arrives = list(1 - leave - arrive), list(arrive)
    room[-1] = plan.initial
    for _ in range(days):
        now = room[0]
        now[:] = room[-1]
        for p, then in zip(plan.period.tolist(), room[1:], strict=True):
            np.multiply(now, carry[p], out=then)
            now = np.add(then, arrives[p], out=then)
        yield room[:-1]


def uncertain(initial: Floats, period: Ints, can: Bools, days: int) -> Bools:
    """Where both states are still possible: (steps, n) for n zero patterns.

    initial (n,) is Pr[occupied] at step 0; period (n, 96); can (n, 4, 2, 2) the possible entries of each
    period's matrix. This is μ, ν and κ of Algorithm 1, lines 5–7, house by house.
    """
    moves = can[np.arange(len(initial))[:, None], period].transpose(1, 2, 3, 0)  # (96, from, to, n)
    empty, occupied = initial < 1, initial > 0
    both = np.empty((days * STEPS_PER_DAY, len(initial)), dtype=bool)
    for step in range(len(both)):
        np.logical_and(empty, occupied, out=both[step])
        (stay_away, arrive), (leave, stay) = moves[step % STEPS_PER_DAY]
        empty, occupied = (empty & stay_away) | (occupied & leave), (empty & arrive) | (occupied & stay)
    return both
