"""at_home(readings): when somebody is at home, asleep included, by `four_states`.

Labels, where the readings have any, are never looked at: they are kept beside what is learned, to be shown
and to judge it (`check`).
"""

from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rtp.core.parallel import Progress, each
from rtp.core.types import Floats, Ints
from rtp.meters.four_states import ASLEEP, UP, fit_states
from rtp.meters.learned import AT_HOME, weekends
from rtp.meters.learning import in_parts, training_houses, training_readings
from rtp.meters.readings import Powers, Readings


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
    own = training_readings(readings, which, first, days)
    blocks = [own.only_houses(some) for some in in_parts(np.arange(len(which)), own, AT_HOME)]
    found = list(each(_decoded, blocks, executor, progress))
    home, up = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return AtHome(
        houses=own.houses,
        which=which,
        first=first,
        days=days,
        first_date=readings.date(first),
        minutes=own.minutes,
        power=own.power,
        at_home=home,
        up=up,
        truth=own.occupied,
    )


def _decoded(readings: Readings) -> tuple[Floats, Floats]:
    """(n, T) each: Pr[at home] and Pr[up and about]."""
    states = fit_states(readings, weekends(readings)).found.states
    up = states[:, UP].sum(axis=1)
    return (up + states[:, ASLEEP]).T, up.T
