"""The budget that keeps every moment within a leak, and what it costs.

More budget, less noise, more leak: for one house the budget of a leak is a root on the logarithm of ε. Over
all houses: solve for the one that leaks most, look who still leaks more at that budget, solve for the worst
of those, until nobody does. Households that respond to prices use less, so full use, taken here, is the worst
case.
"""

from dataclasses import dataclass

import numpy as np

from rtp.core.types import Floats, Ints
from rtp.leakage.moment import house_blocks, noise_evidence, worst_model
from rtp.mechanisms import REGISTRY, Mechanism, private
from rtp.scenario import BOUNDS, Scenario, must_be_one_of, must_be_positive
from rtp.simulation import Market, draw_day, market
from rtp.street.simulate import StreetDay
from rtp.tradeoff.expected import expected, scales

LOW, HIGH, _ = BOUNDS["epsilon"]
LOG_TOLERANCE = 1e-12  # of ln ε


@dataclass(frozen=True, kw_only=True)
class MomentBudget:
    """The largest budget per step at which no moment of any house leaks more than was asked for."""

    epsilon: float | None  # None: even the smallest budget leaks more; 0: it looks at no data
    leak: float  # the worst moment's, at that budget
    rmsre: float  # the expected error that it costs, as a fraction


def epsilon_for_moment(
    scenario: Scenario, mechanism: str, leak: float, *, street_day: StreetDay | None = None
) -> MomentBudget:
    """Return the budget that keeps every moment within a leak, whole record and full use."""
    must_be_one_of("mechanism", mechanism, private())
    must_be_positive("leak", leak)
    context, chosen = market(scenario, street_day or draw_day(scenario)), REGISTRY[mechanism]
    epsilon = _largest_epsilon(context, chosen, leak)
    at = epsilon or LOW
    return MomentBudget(
        epsilon=epsilon,
        leak=float(worst_moments(context, chosen, at).max()),
        rmsre=float(expected(context, chosen, scales(context, [chosen], [at])[mechanism])[0]),
    )


def _largest_epsilon(context: Market, mechanism: Mechanism, leak: float) -> float | None:
    """Return the largest budget that keeps every house within the leak, if there is one."""
    if not mechanism.reads_demand:
        return 0.0
    if worst_moments(context, mechanism, LOW).max() > leak:
        return None
    epsilon = HIGH
    while (leaks := worst_moments(context, mechanism, epsilon)).max() > leak * (1 + 1e-9):
        epsilon = _epsilon_for_house(context, mechanism, int(leaks.argmax()), leak, epsilon)
    return epsilon


def _epsilon_for_house(
    context: Market, mechanism: Mechanism, house: int, leak: float, too_large: float
) -> float:
    """Return the budget at which one house leaks just so much."""
    from scipy.optimize import brentq

    def excess(log_epsilon: float) -> float:
        return float(
            np.log(worst_moments(context, mechanism, np.exp(log_epsilon), np.array([house]))[0] / leak)
        )

    return float(np.exp(brentq(excess, np.log(LOW), np.log(too_large), xtol=LOG_TOLERANCE)))


def worst_moments(
    context: Market,
    mechanism: Mechanism,
    epsilon: float,
    houses: Ints | None = None,
    *,
    any_use: bool = False,
) -> Floats:
    """Return the leak of the worst moment of some houses, or of all, at a budget, (n,); full use."""
    b = noise_scale(context, mechanism, epsilon)
    everyone = np.arange(context.street_day.spec.households) if houses is None else houses
    return np.concatenate(
        [
            worst_model(
                context.street_day, some, noise_evidence(b, context.street_day.street, some, any_use)
            ).whole.max(axis=0)
            for some in house_blocks(everyone, len(b))
        ]
    )


def noise_scale(context: Market, mechanism: Mechanism, epsilon: float) -> Floats:
    """Return the noise's scale in the unit of consumption, (T,); infinite where demand plays no part."""
    scale = mechanism.scale(context.at(epsilon)).scale[:, 0]
    return context.tariff.in_demand(scale) if mechanism.reads_demand else np.full_like(scale, np.inf)
