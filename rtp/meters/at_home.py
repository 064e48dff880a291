"""at_home(readings): when somebody is at home, asleep included, by the model of `rhythm`.

Labels, where the readings have any, are never looked at: they are kept beside what is learned, to be shown
and to judge it (`check`).
"""

from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rtp.core.parallel import Progress, each
from rtp.core.types import Floats, Ints
from rtp.meters.learned import week_of
from rtp.meters.learning import in_parts, training_block, training_houses
from rtp.meters.readings import MINUTES_PER_DAY, Powers, Readings
from rtp.meters.rhythm import ASLEEP, CELLS, UP, Rhythm, join, learn_rhythm
from rtp.scenario import PAPER_PERIODS


@dataclass(frozen=True, kw_only=True)
class AtHome:
    """What readings say of n houses over T steps; nothing in it but `truth` comes from labels."""

    houses: tuple[str, ...]
    which: Ints  # (n,) their positions among the readings' houses
    first: int  # the first of the readings' days that was learned from
    days: int
    first_date: str
    minutes: int  # of a step
    power: Powers  # (n, T) kW
    at_home: Floats  # (n, T) Pr[somebody is at home | all readings]
    up: Floats  # (n, T) Pr[up and about | all readings]; the rest of `at_home` is asleep
    truth: NDArray[np.int8] | None  # (n, T) 1 or 0 where a label says it, −1 where none does
    model: Rhythm

    def labelled(self, house: int) -> bool:
        """Whether anybody said who was in one of them."""
        return self.truth is not None and bool((self.truth[house] >= 0).any())

    @property
    def certainty(self) -> Floats:
        """(n,): the probability that the likelier answer is right, in a mean step."""
        return np.asarray(np.maximum(self.at_home, 1 - self.at_home).mean(axis=1))


def at_home(
    readings: Readings, *, executor: Executor | None = None, progress: Progress | None = None
) -> AtHome:
    """Return when somebody is at home in every usable house, on the days that habits are learned from."""
    first, days, enough = training_houses(readings)
    which = np.flatnonzero(readings.usable & enough)
    block = training_block(readings, which, first, days, PAPER_PERIODS)
    minutes = MINUTES_PER_DAY // block.per_day
    week = week_of(readings, first, days)
    parts = [(block.power[some], minutes, week) for some in in_parts(np.arange(len(which)), block, CELLS)]
    found = list(each(_decoded, parts, executor, progress))
    return AtHome(
        houses=tuple(readings.houses[house] for house in which),
        which=which,
        first=first,
        days=days,
        first_date=readings.date(first),
        minutes=minutes,
        power=block.power,
        at_home=np.concatenate([home for _, home, _ in found]),
        up=np.concatenate([up for *_, up in found]),
        truth=block.occupied,
        model=join([model for model, _, _ in found]),
    )


def _decoded(work: tuple[Powers, int, int | None]) -> tuple[Rhythm, Floats, Floats]:
    model, _, found = learn_rhythm(*work)
    up = found.states[:, UP].sum(axis=1)
    return model, (up + found.states[:, ASLEEP]).T, up.T
