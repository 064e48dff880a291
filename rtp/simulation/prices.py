"""From the prices of a typical day to α and β, and back.

The optimal rate is r = αZ + β, so it is lowest and highest where demand Z is. On a typical day, the mean one
of a typical week of the street as it is described (`rtp.simulation.load`), demand goes from Z₀ to Z₁; the
tariff with prices from p₀ to p₁ is

    α = (p₁ − p₀)/(Z₁ − Z₀),    β = p₀ − α·Z₀.

β is never below 0, so prices spread at most as far as demand does: p₀/p₁ ≥ Z₀/Z₁. A load that was measured
may take the place of the described one. A scenario that states its prices keeps them: α and β follow
(`at_stated_prices`) wherever it changes.
"""

import numpy as np

from rtp.core.types import Floats
from rtp.scenario import Scenario, ScenarioError
from rtp.simulation.load import load_of

DIGITS = 6  # of α and β
SHOWN_DIGITS = 4  # of prices that nobody has typed
FLAT = 1e-9  # of the demand, below which it does not vary


def typical_demand(scenario: Scenario) -> Floats:
    """Return demand over the time of a typical day, inelastic demand included."""
    return np.asarray(load_of(scenario).by_group.sum(axis=0) + scenario.inelastic_demand)


def typical_prices(scenario: Scenario) -> tuple[float, float]:
    """Return the lowest and the highest optimal rate of a typical day."""
    demand = typical_demand(scenario)
    low, high = scenario.alpha * demand[[demand.argmin(), demand.argmax()]] + scenario.beta
    return float(low), float(high)


def with_prices(scenario: Scenario, low: float, high: float, load: Floats | None = None) -> Scenario:
    """Return the scenario with the α and β that have these prices on a typical day, which it then states.

    `load` is demand over the time of a typical day as it was measured: α and β then are what is stated.
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
    return scenario.replace(
        alpha=_rounded(alpha),
        beta=_rounded(max(beta, 0.0)),
        price_range=(low, high) if load is None else None,
    )


def at_stated_prices(scenario: Scenario) -> Scenario:
    """Return the scenario with the α and β of the prices that it states, if it does."""
    return scenario if scenario.price_range is None else with_prices(scenario, *scenario.price_range)


def prices_of(scenario: Scenario) -> tuple[float, float]:
    """Return the lowest and the highest price as they are stated, else those of a typical day, rounded."""
    low, high = (float(f"{each:.{SHOWN_DIGITS}g}") for each in typical_prices(scenario))
    return scenario.price_range or (low, high)


def with_price(scenario: Scenario, which: str, price: float) -> Scenario:
    """Return the scenario with that "lowest" or "highest" price of a typical day. The other one stays, or
    keeps its distance where the new one lies beyond it: in proportion, unless the lowest is 0."""
    low, high = prices_of(scenario)
    if which == "highest":
        return with_prices(scenario, low if price > low else price * low / high, price)
    if price >= high:
        high = price * high / low if low > 0 else price + high
    return with_prices(scenario, price, high)


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")
