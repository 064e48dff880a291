"""How often prices lie outside those of a typical day (`rtp.simulation.prices`).

Days differ, and noise is added. Demand of a step is taken as normal with its own mean and variance, and
looked at on the nodes of Gauss and Hermite; Laplace noise has its distribution function there. A rate that
leans on a model has errors that are linear in demand and noise, and is taken as normal.
"""

from dataclasses import replace

import numpy as np

from rtp.core.types import Floats
from rtp.mechanisms import Mechanism
from rtp.simulation import Market, rate_error

DEMAND_NODES = 32
LEAST_VARIANCE = 1e-300  # of a variance
DEEPEST = 700.0  # of a logarithm


def share_outside(market: Market, mechanism: Mechanism, scale: Floats, low: float, high: float) -> float:
    """Return the expected share of steps at which a rate is not between two prices.

    `scale`, (T,), is that of its noise. Demand is taken as it is before it follows prices.
    """
    from scipy.special import ndtr

    tariff, moments = market.tariff, market.street_day.true_moments
    if tariff.cap < low:
        return 1.0
    never_above = tariff.cap <= high
    inelastic = replace(market, public=replace(market.public, tariff=replace(tariff, elasticity=0.0)))
    mean = tariff.optimal(moments.expected_demand)
    variance = tariff.alpha**2 * moments.variance
    if mechanism.error_moments is not None:
        error = rate_error(inelastic, mechanism, scale)
        mean = mean + error.bias
        variance = variance + error.variance + 2 * tariff.alpha * error.covariance.sum(axis=0)
        scale = np.zeros_like(mean)
    spread = np.sqrt(np.maximum(variance, LEAST_VARIANCE))
    above = np.zeros_like(mean) if never_above else ndtr((mean - high) / spread)
    without = ndtr((low - mean) / spread) + above
    at, weights = np.polynomial.hermite_e.hermegauss(DEMAND_NODES)
    rates = mean[:, None] + spread[:, None] * at
    gaps = (low - rates,) if never_above else (low - rates, rates - high)
    outside = sum(_laplace_below(gap, scale[:, None]) for gap in gaps)
    return float(np.mean(np.where(scale > 0, outside @ (weights / weights.sum()), without)))


def _laplace_below(x: Floats, scale: Floats) -> Floats:
    """Pr[noise of this scale < x]."""
    half = np.exp(-np.minimum(np.abs(x) / np.where(scale > 0, scale, 1.0), DEEPEST)) / 2
    return np.asarray(np.where(x < 0, half, 1 - half))
