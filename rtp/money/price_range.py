"""From a range of prices to a tariff, and back.

On a *typical day* every step has the demand that the model expects there, inelastic demand included; over the
scenario's own days, so over a week where it has seven. The least of these loads is to have the lowest price
and the largest the highest: with r = α·load + β,

    α = (high − low)/(largest − least),    β = low − α·least.

β is no less than 0 in a scenario, so prices cannot spread more than the load does: where high/low is more
than largest/least, β is 0 and α = high/largest, and the lowest price is higher than was asked for. The price
range that comes back is the one that is met.

Real days scatter around the typical one. A step's demand is taken as normal with the model's variance, which
gives the share of optimal rates outside a range; of noisy rates `Summary.outside` says it.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rtp.core.types import Floats
from rtp.scenario import Scenario, ScenarioError, refusal
from rtp.simulation import draw_day
from rtp.street.simulate import StreetDay


class PriceRange(NamedTuple):
    """The lowest and the highest price, per unit of energy."""

    low: float
    high: float


class PriceLine(NamedTuple):
    """r = α·load + β, and the range of prices that it gives on a typical day."""

    alpha: float
    beta: float
    prices: PriceRange


@dataclass(frozen=True, kw_only=True)
class TypicalPrices:
    """What a scenario's tariff gives on a typical day, and how often real days leave a range."""

    prices: PriceRange  # of the optimal rate
    outside: float  # the share of steps whose optimal rate lies outside the range that was asked about


def price_line(load: Floats, prices: PriceRange) -> PriceLine:
    """Return the tariff that gives the least of these loads the lowest price, and the largest the highest."""
    low, high = prices
    if not 0 <= low < high < np.inf:
        raise refusal("price range", tuple(prices), "go from a price of at least 0 to a higher one")
    least, largest = float(np.min(load)), float(np.max(load))
    if not 0 <= least < largest < np.inf:
        raise ScenarioError(
            "load", f"goes from {least:.4g} to {largest:.4g}; it must vary and never be below 0."
        )
    alpha = (high - low) / (largest - least)
    beta = low - alpha * least
    if beta < 0:
        alpha, beta = high / largest, 0.0
    return PriceLine(alpha, beta, PriceRange(alpha * least + beta, alpha * largest + beta))


def with_price_range(
    scenario: Scenario, prices: PriceRange, street_day: StreetDay | None = None
) -> tuple[Scenario, PriceRange]:
    """Return the scenario with the tariff of a price range, and the range that this tariff gives."""
    alpha, beta, met = price_line(typical_load(scenario, street_day or draw_day(scenario)), prices)
    return scenario.replace(alpha=alpha, beta=beta), met


def typical_prices(
    scenario: Scenario, asked: PriceRange | None = None, street_day: StreetDay | None = None
) -> TypicalPrices:
    """Return the range that α and β give on a typical day, and the share of steps outside it, or outside the
    one that is asked about."""
    from scipy.special import ndtr

    street_day = street_day or draw_day(scenario)
    rate = scenario.alpha * typical_load(scenario, street_day) + scenario.beta
    prices = PriceRange(float(rate.min()), float(rate.max()))
    low, high = asked or prices
    spread = scenario.alpha * np.sqrt(street_day.true_moments.variance)
    certain, scale = spread == 0, np.where(spread > 0, spread, 1.0)
    beyond = np.where(
        certain, (rate < low) | (rate > high), ndtr((low - rate) / scale) + ndtr((rate - high) / scale)
    )
    return TypicalPrices(prices=prices, outside=float(beyond.mean()))


def typical_load(scenario: Scenario, street_day: StreetDay) -> Floats:
    """Return the load that the model expects at every step, inelastic demand included, (T,)."""
    return street_day.true_moments.expected_demand + scenario.inelastic_demand
