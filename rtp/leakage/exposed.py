"""Which house shows best: the one of which most can be told, not the one whose use differs most.

Only a few can be it: those whose use differs most between their states, and those in which it differs most
beside how much it scatters under the noise. Of these a day away is watched by an insider, whose score is
exact, so that luck plays hardly a part.
"""

import numpy as np

from rtp.core.types import Floats, Ints
from rtp.leakage.area import final_areas
from rtp.leakage.budget import noise_scale
from rtp.leakage.hypothesis import HYPOTHESES, draw_readings, watch_house
from rtp.mechanisms import FEATURED, REGISTRY
from rtp.scenario import Scenario
from rtp.simulation import Market, draw_day, market
from rtp.street.draw import Street

CANDIDATES = 3  # of either kind
FEWEST = 150  # repetitions by which they are compared


def candidates(street: Street, houses: Ints, b: float) -> list[int]:
    """Return which of some houses may show best under noise of a scale."""
    (empty, occupied), spread = street.moments(houses)
    gap = np.abs(occupied - empty)
    beside = gap / np.sqrt(np.maximum(spread.sum(axis=0) + 2 * b**2, np.finfo(float).tiny))
    best = [houses[np.argsort(-by, kind="stable")[:CANDIDATES]] for by in (gap, beside)]
    return [int(house) for house in np.unique(np.concatenate(best))]


def most_exposed_house(scenario: Scenario) -> int:
    """Return the house of a street of which the private rate tells most."""
    today = scenario.replace(days=1)
    return most_exposed(market(today, draw_day(today)), scenario.epsilon, scenario.seed)


def most_exposed(context: Market, epsilon: float, seed: int, houses: Ints | None = None) -> int:
    """Return the same on a street that has been drawn, of some of its houses or of all."""
    b = noise_scale(context, REGISTRY[FEATURED], epsilon)
    street = context.street_day.street
    some = np.arange(len(street.group)) if houses is None else houses
    among = candidates(street, some, float(b.max()))
    areas = [_told_in_a_day(context, house, b, seed) for house in among if len(among) > 1]
    return among[int(np.argmax(areas)) if areas else 0]


def _told_in_a_day(context: Market, house: int, b: Floats, seed: int) -> float:
    watched = watch_house(context, house, HYPOTHESES["holiday"])
    day = watched.until(watched.steps_per_day)
    (area,) = final_areas(day, b[: day.steps], ["insider"], draw_readings(day, seed, FEWEST), FEWEST)
    return area.value
