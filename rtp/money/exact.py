"""What a rate costs on average, without sampling a day: from the model's moments of demand alone.

A rate r̂ that misses the optimal one by e = r̂ − r moves money by e·Z, where Z is what is used. Where demand is
inelastic, over the days that people may live

    E[e·Z] = E[e]·E[Z] + Cov(e, Z).

Noise is centred and knows nothing of demand: both terms are 0, for the generator and for every bill. What a
span of days then brings is luck with the variance 2·Σ b²·E[Z²]. A forecast misses what demand deviates by,
e = −α·(Z − E[Z]), so it moves −α·Var Z. A filter's error is linear in demand and noise, and its covariance
with each group's demand is carried with the filter (`rtp.simulation.publish.rate_error`). Where a wrong model
is believed, E[e] is not 0.

A group is a sum of independent chains of two states. Its moments are exact; that it is a linear chain itself
holds where its houses are alike, and otherwise to 0.3 % of the mean of *filtered*.
"""

from dataclasses import dataclass

import numpy as np

from rtp.core.types import Floats
from rtp.mechanisms import Mechanism
from rtp.simulation import Market, rate_error


@dataclass(frozen=True, kw_only=True)
class ExactMoney:
    """Means over the scenario's days. Of bills, (G + 1,): per house of each group, the whole street last."""

    profit: float  # the generator's, at the published rates
    loss: float  # of profit, against the optimal rates
    mismatch: float
    bill: Floats  # at the optimal rates
    change: Floats  # at the published ones
    # Standard deviations, where nothing but noise lies between the two rates.
    loss_spread: float | None = None
    change_spread: Floats | None = None


def exact_money(market: Market, mechanism: Mechanism, scale: Floats) -> ExactMoney | None:
    """Return what a mechanism's rates cost on average at these scales, (T,).

    None where demand responds to prices, where they are cut at 0 or at a cap, or where a mechanism does
    not say how its error varies: then days have to be sampled.
    """
    tariff, moments = market.tariff, market.street_day.true_moments
    leans = mechanism.postprocess is not None  # on a model
    if tariff.elasticity or tariff.is_cut or (leans and mechanism.error_moments is None):
        return None
    mean, used = tariff.inelastic_demand + moments.expected_demand, _with_street(moments.demand)
    variance = _with_street(moments.group_variance)
    _, bias, varies, covariance = rate_error(market, mechanism, scale)
    covariance = _with_street(covariance)
    hours = tariff.hours
    houses = np.bincount(market.street_day.street.group, minlength=len(moments.demand))
    each = hours / np.maximum(np.append(houses, houses.sum()), 1)
    loss = 0.0 - hours * float(np.sum(bias * mean + covariance[-1]))  # never −0
    best = hours * tariff.alpha / 2 * float(np.sum(mean**2 + variance[-1]))
    result = {
        "profit": best - loss,
        "loss": loss,
        "mismatch": hours * float(np.sum(varies + bias**2)) / (2 * tariff.alpha),
        "bill": each * np.sum(tariff.rate(mean) * used + tariff.alpha * variance, axis=1),
        "change": each * np.sum(bias * used + covariance, axis=1),
    }
    if leans:
        return ExactMoney(**result)
    return ExactMoney(
        **result,
        loss_spread=hours * float(np.sqrt(np.sum(varies * (mean**2 + variance[-1])))),
        change_spread=each * np.sqrt(np.sum(varies * (used**2 + variance), axis=1)),
    )


def _with_street(by_group: Floats) -> Floats:
    """(G + 1, T): the groups', and their sum last."""
    return np.vstack([by_group, by_group.sum(axis=0)])
