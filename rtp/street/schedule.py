"""Coming and going: per-step chances of one group, and possible states.

Possibility is kept on booleans and read off the stated matrix: an entry is impossible where the user wrote
exactly 0, never because a probability has underflowed. Laplace noise has a density that is positive
everywhere, so a published rate never makes a state impossible; houses are independent; so the possible
joint states are the product of the houses' own sets, which evolve by the zero pattern of the matrices.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import cycle, islice, pairwise

import numpy as np
from numpy.typing import NDArray

from rtp.core.time import PAPER_STEP, WEEKEND, Weekday, steps_per_day, weekday
from rtp.core.types import Bools, Floats, Ints
from rtp.scenario import Habits, Period
from rtp.scenario.habits import lengths, step_probabilities
from rtp.street.room import aligned

EMPTY, OCCUPIED = 1, 2  # as members of a set of states, written as bits
BOTH = EMPTY | OCCUPIED
NOBODY_MOVES = ((1.0, 0.0), (0.0, 1.0))
INTERIOR = 1e-6  # a chance that is not structural stays this far from 0 and 1


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """The per-step habits of one group under one model.

    They come round in a cycle: a day, or a week from the weekday on which the days begin, in which the
    weekend's periods stand after those of the other days.
    """

    initial: float
    steps_per_day: int
    period: Ints  # (C,) which period contains each step of the cycle
    leave: Floats  # (P,) per step
    arrive: Floats  # (P,)
    can: Bools  # (P, 2, 2) the entries of the stated matrices that are not exactly 0

    @cached_property
    def runs(self) -> list[tuple[int, int, int]]:
        """The cycle as (first step, last step + 1, period), in the order of the clock, cut at midnight."""
        midnights = range(0, len(self.period) + 1, self.steps_per_day)
        changes = np.flatnonzero(np.diff(self.period)) + 1
        edges = sorted({*midnights, *changes.tolist()})
        return [(start, end, int(self.period[start])) for start, end in pairwise(edges)]

    def runs_of(self, days: int) -> Iterator[tuple[int, int, int]]:
        """The same for so many days."""
        last = days * self.steps_per_day
        for first in range(0, last, len(self.period)):
            yield from (
                (first + start, first + end, p) for start, end, p in self.runs if first + start < last
            )


@lru_cache(maxsize=256)
def schedule_of(
    habits: Habits,
    conversion: str = "geometric",
    step_minutes: int = PAPER_STEP,
    week_from: Weekday | None = None,
    periods: int = 0,
) -> Schedule:
    """The habits of one group, ready for arrays: for a day, or for a week from that weekday.

    `periods` is the least number of them; those that are missing never come, and nobody moves in them.
    """
    kinds = list(habits.day_kinds().values())
    stated = [
        (part, *step_probabilities(part, n, conversion))
        for parts in kinds
        for part, n in zip(parts, lengths(parts, step_minutes), strict=True)
    ]
    missing = max(periods - len(stated), 0)
    ordinary = _containing(habits.periods, step_minutes)
    weekend = (
        ordinary
        if habits.weekend is None
        else (len(habits.periods) + _containing(habits.weekend, step_minutes))
    )
    week = [week_from and weekday(day, week_from) for day in range(7 if week_from else 1)]
    return Schedule(
        initial=habits.initial_occupied,
        steps_per_day=steps_per_day(step_minutes),
        period=np.concatenate([weekend if day in WEEKEND else ordinary for day in week]),
        leave=np.array([leave for _, leave, _ in stated] + [0.0] * missing),
        arrive=np.array([arrive for _, _, arrive in stated] + [0.0] * missing),
        can=np.array([part.matrix for part, _, _ in stated] + [NOBODY_MOVES] * missing) != 0,
    )


def _containing(periods: tuple[Period, ...], step_minutes: int) -> Ints:
    """Which period contains each step of a day."""
    starts = [part.first_step(step_minutes) for part in periods]
    found = np.searchsorted(starts, np.arange(steps_per_day(step_minutes)), side="right") - 1
    return np.asarray(found % len(periods))


def personal_habits(
    schedule: Schedule, draws: NDArray[np.float32], spread: float, clip: str
) -> tuple[Floats, Floats]:
    """Each house's own (leave, arrive) chances, both (P, n), from its standard normal draws
    (n, 2, ≥ P).

    Structural entries stay exactly 0 or 1; the others are kept inside (0, 1), or, with clip "closed", the
    paper's literal wording, may be cut to 0 or 1.
    """
    low, high = (INTERIOR, 1 - INTERIOR) if clip == "interior" else (0.0, 1.0)
    can, stated = schedule.can, np.array([schedule.leave, schedule.arrive])
    chances = aligned(np.float64, *stated.shape, len(draws))  # house beside house, unlike the draws
    np.copyto(chances, (spread * draws[:, :, : stated.shape[1]]).transpose(1, 2, 0))
    chances += stated[:, :, None]
    np.maximum(chances, low, out=chances)
    np.minimum(chances, high, out=chances)
    if not can.all():
        chances[~np.array([can[:, 1, 0], can[:, 0, 1]])] = 0.0
        chances[~np.array([can[:, 1, 1], can[:, 0, 0]])] = 1.0
    leave, arrive = chances
    return leave, arrive


def both_states_possible(initial: Floats, period: Ints, can: Bools, steps: int) -> Bools:
    """Where both states are still possible: (steps, n) for n zero patterns.

    initial (n,) is Pr[occupied] at step 0; period (n, C) goes round; can (n, P, 2, 2) the possible
    entries of each period's matrix. This is μ, ν and κ of Algorithm 1, lines 5–7, house by house.
    """
    first = (initial < 1) * EMPTY + (initial > 0) * OCCUPIED
    to_empty, to_occupied = can[..., 0] * EMPTY, can[..., 1] * OCCUPIED
    reached = (to_empty + to_occupied).tolist()  # from each state, the set of those that may follow
    patterns = zip(first.tolist(), period.tolist(), reached, strict=True)
    return np.array([_both_states_possible(*pattern, steps) for pattern in patterns]).T


def _both_states_possible(now: int, period: list[int], reached: list[list[int]], steps: int) -> list[bool]:
    """The same for one pattern, from a first set of possible states."""
    follows = [(0, empty, occupied, empty | occupied) for empty, occupied in reached]
    both = []
    for p in islice(cycle(period), steps):
        both.append(now == BOTH)
        now = follows[p][now]
    return both
