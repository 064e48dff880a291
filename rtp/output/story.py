"""What the first screen says beside exposure: what ε means for one house, and where the private rate is as
dear as the naive one."""

from collections.abc import Mapping
from math import isclose

from rtp.core.stats import Range
from rtp.mechanisms import FEATURED, YARDSTICK
from rtp.probability.privacy_loss import worst_case
from rtp.simulation import Day

_SAME = 0.01  # of an error: less does not show in its digits
BELIEVER_WORDS = (
    "Believed by an observer who knows what everyone else used, and held both states for equally likely "
    "before she saw the rate. 50 and 50 would be a coin: the rate tells her nothing. 0 and 100 would be "
    "proof."
)
LOOKING = "Looking for the house and the moment that show most …"
AS_NAIVE = "Private costs the same as naive: nobody's whereabouts are ever certain here."


def as_naive(day: Day, cost: Mapping[str, Range]) -> bool:
    """Whether the private rate misses as much as the naive one because every house is always protected."""
    never_certain = bool((day.release[FEATURED].protected == day.scenario.households).all())
    return never_certain and isclose(cost[FEATURED].value, cost[YARDSTICK].value, rel_tol=_SAME)


def houses_words(households: int) -> str:
    """How many houses a street has."""
    return "1 house" if households == 1 else f"{households:,} houses"


def worst_case_line(epsilon: float) -> str:
    """What the promise allows, in one line, for the place where ε is chosen."""
    most = worst_case(epsilon)
    return (
        f"Worst case: **{of_100(most.occupied)}** of 100 rates suggest ‘occupied’ when a house is, "
        f"**{of_100(most.empty)}** when it is empty."
    )


def of_100(probability: float) -> int:
    """How many of 100."""
    return round(100 * probability)
