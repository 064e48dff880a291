"""From the prices of a typical day to α and β, and back.

The optimal rate is r = αZ + β, so it is lowest and highest where demand Z is. On a typical day, the mean one
of a typical week of the street as it is described (`rtp.simulation.load`), demand goes from Z₀ to Z₁; the
tariff with prices from p₀ to p₁ is

    α = (p₁ − p₀)/(Z₁ − Z₀),    β = p₀ − α·Z₀.

β is never below 0, so prices spread at most as far as demand does: p₀/p₁ ≥ Z₀/Z₁. A load that was measured
may take the place of the described one.

Other days differ, and noise is added: a share of steps lies outside. Demand of a step is taken as normal with
its own mean and variance, and looked at on the nodes of Gauss and Hermite; Laplace noise has its distribution
function there. A rate that leans on a model has errors that are linear in demand and noise, and is taken as
normal.
"""

from dataclasses import replace

import numpy as np

from rtp.core.types import Floats
from rtp.mechanisms import Mechanism
from rtp.scenario import Bounds, Scenario, ScenarioError
from rtp.simulation import Market, price
from rtp.simulation.load import load_of

LOWEST, HIGHEST = Bounds(0.0, 1e9, "Lowest price"), Bounds(0.0, 1e9, "Highest price")
DIGITS = 6  # of α and β
NODES = 32
FLAT = 1e-9  # of the demand, below which it does not vary
TINY = 1e-300  # of a variance
DEEPEST = 700.0  # of a logarithm


def typical_demand(scenario: Scenario) -> Floats:
    """Return demand over the time of a typical day, inelastic demand included."""
    return np.asarray(load_of(scenario).by_group.sum(axis=0) + scenario.inelastic_demand)


def typical_prices(scenario: Scenario) -> tuple[float, float]:
    """Return the lowest and the highest optimal rate of a typical day."""
    demand = typical_demand(scenario)
    low, high = scenario.alpha * demand[[demand.argmin(), demand.argmax()]] + scenario.beta
    return float(low), float(high)


def with_prices(scenario: Scenario, low: float, high: float, load: Floats | None = None) -> Scenario:
    """Return the scenario with the α and β that have these prices on a typical day.

    `load` is demand over the time of a typical day as it was measured; without it, that of the street.
    """
    demand = typical_demand(scenario) if load is None else load
    least, most = float(demand.min()), float(demand.max())
    if not low < high:
        raise ScenarioError("lowest price", f"is {low:g}; it must be below the highest, {high:g}.")
    if most - least <= FLAT * most:
        raise ScenarioError("demand", "is the same all day; no α and β have a range of prices then.")
    alpha = (high - low) / (most - least)
    beta = low - alpha * least
    if beta < -FLAT * high:
        raise ScenarioError(
            "lowest price",
            f"is {low:.4g}; it must be at least {high * least / most:.4g}: demand goes from {least:.4g} to "
            f"{most:.4g}, and β is not below 0.",
        )
    return scenario.replace(alpha=_rounded(alpha), beta=_rounded(max(beta, 0.0)))


def with_price(scenario: Scenario, which: str, price: float) -> Scenario:
    """Return the scenario with that "lowest" or "highest" price of a typical day. The other one stays, or
    keeps its distance in proportion where the new one lies beyond it."""
    low, high = typical_prices(scenario)
    if which == "lowest":
        return with_prices(scenario, price, high if price < high else price * high / low)
    return with_prices(scenario, low if price > low else price * low / high, price)


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def share_outside(market: Market, mechanism: Mechanism, scale: Floats, low: float, high: float) -> float:
    """Return the expected share of steps at which a rate is not between two prices.

    `scale`, (T,), is that of its noise. Demand is taken as it is before it follows prices.
    """
    from scipy.special import ndtr

    tariff, moments = market.tariff, market.street_day.true_moments
    if tariff.cap < low:
        return 1.0
    never_above, public = tariff.cap <= high, replace(market.public, tariff=replace(tariff, cap=np.inf))
    mean = tariff.optimal(moments.expected_demand)
    variance = tariff.alpha**2 * moments.variance
    if mechanism.error_moments is not None:
        calm = price(mechanism, public, moments.expected_demand, np.zeros_like(mean), scale)
        error = mechanism.error_moments(market.public, moments, scale, np.ones_like(mean))
        mean = mean + calm.rate - calm.optimal
        variance = variance + error.variance + 2 * tariff.alpha * error.covariance.sum(axis=0)
        scale = np.zeros_like(mean)
    spread = np.sqrt(np.maximum(variance, TINY))
    above = np.zeros_like(mean) if never_above else ndtr((mean - high) / spread)
    without = ndtr((low - mean) / spread) + above
    at, weights = np.polynomial.hermite_e.hermegauss(NODES)
    rates = mean[:, None] + spread[:, None] * at
    gaps = (low - rates,) if never_above else (low - rates, rates - high)
    outside = sum(_laplace_below(gap, scale[:, None]) for gap in gaps)
    return float(np.mean(np.where(scale > 0, outside @ (weights / weights.sum()), without)))


def _laplace_below(x: Floats, scale: Floats) -> Floats:
    """Pr[noise of this scale < x]."""
    half = np.exp(-np.minimum(np.abs(x) / np.where(scale > 0, scale, 1.0), DEEPEST)) / 2
    return np.asarray(np.where(x < 0, half, 1 - half))
