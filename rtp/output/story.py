"""What the first screen says beside exposure: where the private rate is as dear as the naive one."""

from collections.abc import Mapping
from math import isclose

from rtp.core.formatting import whole_percent
from rtp.core.stats import Range
from rtp.mechanisms import FEATURED, YARDSTICK
from rtp.simulation import Day

_SAME = 0.01  # of an error: less does not show in its digits
LOOKING = "Looking for the house and the moment that show most …"


def as_naive(day: Day, cost: Mapping[str, Range]) -> bool:
    """Whether the private rate misses as much as the naive one because every house is always protected."""
    never_certain = bool((day.release[FEATURED].protected == day.scenario.households).all())
    return never_certain and isclose(cost[FEATURED].value, cost[YARDSTICK].value, rel_tol=_SAME)


def as_naive_words(preset: str, cost: Mapping[str, Range]) -> str:
    """Why that is so, and on which preset it is not; `cost` is that preset's."""
    less = whole_percent(1 - cost[FEATURED].value / cost[YARDSTICK].value)
    return (
        "Algorithm 1 adds as much noise as naive here: nobody is surely out. On "
        f"*{preset.capitalize()}*, {less} less."
    )


def houses_words(households: int) -> str:
    """How many houses a street has."""
    return "1 house" if households == 1 else f"{households:,} houses"
