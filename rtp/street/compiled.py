"""A large street in one pass: what `walk` and `outlook` do with whole arrays, house by house and compiled.

Whole arrays are written and read again for every operation, and between two operations Python's threads wait
for each other: two of them take as long over a street of a million as one. A compiled loop takes each random
word once and needs no Python until it ends. The words are the same, so every house does the same; sums may
differ in their last digit, since they are added up in another order.

To load the compiler takes a second, and to compile, once on each machine, another two: only a large street
is worth it. Without the compiler (numba, which the lab installs and `rtp` alone does not) it lives as a small
one does.
"""

from collections.abc import Callable, Sequence
from functools import cache, partial
from importlib.util import find_spec
from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from rtp.core.types import Floats, Ints, Words
from rtp.street.occupancy import Schedule
from rtp.street.outlook import Moments, Outlook
from rtp.street.use import Use
from rtp.street.walk import UNIT, Lane, draw_words

LARGE = 200_000  # houses
STEPS = 24  # whose words are drawn at a time: they stay in cache
TOGETHER = 2048  # houses whose chances stay in cache
States = NDArray[np.uint8]
Loop = TypeVar("Loop", bound=Callable[..., None])


def worth(houses: int) -> bool:
    return houses >= LARGE and find_spec("numba") is not None


def live_steps(
    words: Words,
    period: Ints,
    leave: Floats,
    arrive: Floats,
    state: States,
    occupied_bound: Floats,
    empty_bound: Floats,
    count: Floats,
    demand: Floats,
) -> None:
    """The houses of one lane through k steps. Of a row of words, (k, 2n), the first half moves the houses,
    the other is what they use; chances, (P, n), and demand are in the unit of words. Adds to count and to
    demand, both (k,), and leaves the houses in their next state."""
    houses = state.shape[0]
    for step in range(words.shape[0]):
        leaves, arrives = leave[period[step]], arrive[period[step]]
        moving, using = words[step, :houses], words[step, houses:]
        occupied, used = 0, 0.0
        for i in range(houses):
            here = state[i]
            occupied += int(here)
            used += using[i] * (occupied_bound[i] if here else empty_bound[i])
            state[i] = here ^ (moving[i] < (leaves[i] if here else arrives[i]))
        count[step] += occupied
        demand[step] += used


def expect_steps(
    period: Ints,
    leave: Floats,
    arrive: Floats,
    chance: Floats,
    mean: Floats,
    variance: Floats,
    moments: Floats,
) -> None:
    """Adds the moments of n houses to those of k steps, (5, k), in the order of an `Outlook`. Their chances
    of being occupied, (n,), become those after the last step; use has means and variances (2, n)."""
    for step in range(period.shape[0]):
        leaves, arrives = leave[period[step]], arrive[period[step]]
        occupied, demand, consumption, presence, carried = 0.0, 0.0, 0.0, 0.0, 0.0
        for i in range(chance.shape[0]):
            now, other = chance[i], 1 - chance[i]
            swing = mean[1, i] - mean[0, i]
            spread = swing * swing * (now * other)
            occupied += now
            demand += other * mean[0, i] + now * mean[1, i]
            consumption += other * variance[0, i] + now * variance[1, i]
            presence += spread
            carried += spread * (1 - leaves[i] - arrives[i])
        moments[0, step] += occupied
        moments[1, step] += demand
        moments[2, step] += consumption
        moments[3, step] += presence
        moments[4, step] += carried
        for i in range(chance.shape[0]):  # so that who is certain stays exactly so
            chance[i] = chance[i] * (1 - leaves[i]) + (1 - chance[i]) * arrives[i]


@cache
def jit(loop: Loop) -> Loop:
    """The loop, compiled: other threads go on meanwhile, and sums may be taken in any order."""
    import numba

    njit = partial(numba.njit, nogil=True, fastmath={"reassoc"})
    try:
        return cast(Loop, njit(cache=True)(loop))
    except RuntimeError:  # there is no place to keep it
        return cast(Loop, njit()(loop))


def totals(
    lanes: Sequence[Lane], schedule: Schedule, leave: Floats, arrive: Floats, use: Use, days: int
) -> tuple[Floats, Floats]:
    """How many houses of one group are occupied and what they all use, at every step."""
    live, period = jit(live_steps), _periods(schedule, days)
    count, demand = np.zeros(len(period)), np.zeros(len(period))
    for rng, own in lanes:
        part = use.only(own)
        houses = len(part.occupied_bound)
        state = (rng.random(houses) < schedule.initial).view(np.uint8)
        leaves, arrives = (chance[:, own] * (1 / UNIT) for chance in (leave, arrive))
        for start in range(0, len(period), STEPS):
            some = slice(start, start + STEPS)
            words = draw_words(rng, len(period[some]), houses)
            live(
                words,
                period[some],
                leaves,
                arrives,
                state,
                part.occupied_bound,
                part.empty_bound,
                count[some],
                demand[some],
            )
            del words  # so that the next ones are written to the same place
    return count, demand * UNIT


def expected(
    schedule: Schedule, leave: Floats, arrive: Floats, mean: Floats, variance: Floats, days: int
) -> Moments:
    """What `outlook.of_block` says."""
    expect, period = jit(expect_steps), _periods(schedule, days)
    moments = np.zeros((5, len(period)))
    for first in range(0, leave.shape[1], TOGETHER):
        some = slice(first, first + TOGETHER)
        leaves, arrives, means, variances = (
            np.ascontiguousarray(each[:, some]) for each in (leave, arrive, mean, variance)
        )
        chance = np.full(leaves.shape[1], float(schedule.initial))
        expect(period, leaves, arrives, chance, means, variances, moments)
    return dict(zip(Outlook.__dataclass_fields__, moments, strict=True))


def _periods(schedule: Schedule, days: int) -> Ints:
    """Which one contains each step of all days."""
    return np.resize(schedule.period, days * schedule.steps_per_day)
