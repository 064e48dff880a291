"""How far the normal crowd is from the truth: measured where an outsider can be exact.

On a street of `REFERENCE_HOUSES` houses of the same kind, the most exposed one of which is empty for a day or
keeps its habits, the same days are seen by the exact outsider and by the one who takes the sum of the others
as normal. The larger a street is, the nearer is its sum to normal, so this is about the worst there is.
"""

from dataclasses import dataclass

from rtp.core.stats import Range
from rtp.leakage.area import final_areas, followed
from rtp.leakage.budget import noise_scale
from rtp.leakage.detection import watch_street
from rtp.leakage.hypothesis import draw_readings
from rtp.mechanisms import REGISTRY
from rtp.scenario import Scenario, edit, must_be_one_of

REFERENCE_HOUSES = 8
REPETITIONS = 400  # of either way to live


@dataclass(frozen=True, kw_only=True)
class Approximation:
    """How often an outsider is right on a few houses about a day away of the most exposed."""

    houses: int
    exact: Range
    normal: Range  # where she takes the sum of the others as normal


def crowd_approximation(scenario: Scenario, mechanism: str) -> Approximation:
    """Return how far the outsider of a longer street is off on few houses of its kind."""
    must_be_one_of("mechanism", mechanism, REGISTRY)
    few = edit.of_size(scenario, min(REFERENCE_HOUSES, scenario.households))
    context, _, house = watch_street(few, "holiday", 1, None)
    b, count = noise_scale(context, REGISTRY[mechanism], scenario.epsilon), REPETITIONS
    days = tuple(draw_readings(house, scenario.seed, count))
    (normal,) = final_areas(house, b, ["outsider"], days, count, approximate=True)
    count = followed(house, ["outsider"], count)
    (exact,) = final_areas(house, b, ["outsider"], draw_readings(house, scenario.seed, count), count)
    return Approximation(houses=few.households, exact=exact, normal=normal)
