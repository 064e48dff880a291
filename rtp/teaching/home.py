"""The exercise of a real home: some days of its readings, and when nobody was in.

The days begin where every moment is labelled and the home is empty by day for half of the time: three days at
work, three at home. At night its use is as low as while it is empty, and somebody is asleep: that is what the
readings alone do not tell, and what the learner knows of people (`rtp.meters.at_home`).
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from rtp.core.types import Bools, Floats
from rtp.meters.at_home import AtHome, at_home
from rtp.meters.real_home import real_home

FIRST, DAYS, AT_WORK = "2012-06-13", 6, 3  # a Wednesday
NIGHT, BY_DAY = (0, 6), (8, 18)  # hours


class Emptiness(NamedTuple):
    """How much of some hours nobody was in, and how often the learner is right about all of them."""

    nights: float
    first_days: float
    last_days: float
    right: float
    right_always_home: float


@lru_cache(maxsize=1)
def home() -> AtHome:
    """What is learned from the real home's readings, its labels beside it."""
    return at_home(real_home())


def first_day() -> int:
    """Which of the home's days the exercise begins with."""
    return int((np.datetime64(FIRST) - np.datetime64(home().first_date)).astype(int))


def emptiness() -> Emptiness:
    """How empty the home was by what its family said."""
    found = home()
    assert found.truth is not None
    per_day = 24 * 60 // found.minutes
    some = slice(first_day() * per_day, (first_day() + DAYS) * per_day)
    said, believed = (each[0, some].reshape(DAYS, per_day) for each in (found.truth, found.at_home))
    known, empty = said >= 0, said == 0
    hours = np.broadcast_to(np.arange(per_day) * 24 / per_day, said.shape)
    day = np.broadcast_to(np.arange(DAYS)[:, None], said.shape)
    by_day = (hours >= BY_DAY[0]) & (hours < BY_DAY[1])
    return Emptiness(
        _share(empty, known & (hours < NIGHT[1])),
        _share(empty, known & by_day & (day < AT_WORK)),
        _share(empty, known & by_day & (day >= AT_WORK)),
        _share((believed >= 0.5) == (said == 1), known),
        _share(said == 1, known),
    )


def _share(what: Bools, of: Bools) -> float:
    values: Floats = what[of].astype(float)
    return float(values.mean())
