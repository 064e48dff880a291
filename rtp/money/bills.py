"""What privacy costs in money: the generator's objective, every household's bill, and
what can be said of both without sampling a day.

The generator minimises J(Z) − r·Z (the paper's Section II); its profit is the negative of that. Publishing r̂
instead of r does two different things to it:

* money changes hands: profit moves by Σ(r̂ − r)·Z, now for and now against the generator. Noise is centred, so
  over many days this averages to nothing, unless prices move demand or are clipped at zero;
* the price no longer fits the demand: at the price r̂ the generator would rather serve (r̂ − β)/α, and serving
  Z instead costs it (r̂ − r)²/2α. This *mismatch* is never negative and never averages out.

A household pays Σ r̂ₜ·gₜ·xₜ for its own consumption, where g is the response to the last price. Houses are
walked through again in blocks, and only one bill per house and mechanism is kept, never N·T numbers. Where
consumption is power, all of this is multiplied by the hours of a step: a bill is rate × power × hours.
Without units it is a rate times a step's consumption, as in the paper.

**On average**, from the model's moments of demand alone. A rate r̂ that misses the optimal one by e = r̂ − r
moves money by e·Z, where Z is what is used. Where demand is inelastic, over the days that people may live

    E[e·Z] = E[e]·E[Z] + Cov(e, Z).

Noise is centred and knows nothing of demand: both terms are 0, for the generator and for every bill. What a
span of days then brings is luck with the variance 2·Σ b²·E[Z²]. A forecast misses what demand deviates by,
e = −α·(Z − E[Z]), so it moves −α·Var Z. A filter's error is linear in demand and noise, and its covariance
with each group's demand is carried with the filter (`rtp.simulation.publish.rate_error`). Where a wrong model
is believed, E[e] is not 0.

A group is a sum of independent chains of two states. Its moments are exact; that it is a linear chain itself
holds where its houses are alike, and otherwise to 0.3 % of the mean of *filtered*.

**Prices outside** those of a typical day (`rtp.simulation.prices`). Days differ, and noise is added. Demand
of a step is taken as normal with its own mean and variance, and looked at on the nodes of Gauss and Hermite;
Laplace noise has its distribution function there. A rate that leans on a model has errors that are linear in
demand and noise, and is taken as normal.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rtp.core.types import Floats, Frame, data_frame
from rtp.core.workers import Progress
from rtp.mechanisms import Mechanism
from rtp.scenario import Scenario
from rtp.scenario.units import column
from rtp.simulation import Day, Market, rate_error
from rtp.street.simulate import replay_blocks
from rtp.tariff import Tariff

MONTH = 30  # days


def profit_and_mismatch(demand: Floats, rate: Floats, tariff: Tariff) -> tuple[Floats, Floats]:
    """Return the generator's profit r̂·Z − J(Z), and what it costs to serve Z and not what r̂ asks for.

    Steps run along the first axis.
    """
    gap = rate - tariff.rate(demand)
    profit = tariff.hours * np.asarray(np.sum(rate * demand - tariff.cost(demand), axis=0))
    return profit, tariff.hours * np.asarray(np.sum(gap**2, axis=0) / (2 * tariff.alpha))


def bills(day: Day, progress: Progress | None = None) -> dict[str, Floats]:
    """Return every household's bill over the scenario's days, (N,), by mechanism. `progress` is given the
    fraction done and may raise to stop."""
    tariff = day.market.tariff
    # what a unit of full consumption costs at every step, once households have responded to prices
    prices = np.column_stack([tariff.hours * r.rate * tariff.responses(r.rate) for r in day.release.values()])
    paid = np.empty((day.scenario.households, prices.shape[1]))
    for block, chunks in replay_blocks(day.street_day.spec, day.street):
        paid[block.houses] = sum(used.T @ prices[now] for now, _, used in chunks)
        if progress is not None:
            progress(block.stop / len(paid))
    return dict(zip(day.release, paid.T, strict=True))


def house_bills_frame(
    houses: Sequence[str], groups: Sequence[str], paid: Mapping[str, Floats], scenario: Scenario
) -> Frame:
    """Return a row for each house: its name and group, and what it pays at every mechanism's rates."""
    bills_paid = {column(f"{name}_bill", scenario, "money"): paid[name] for name in paid}
    return data_frame({"house": houses, "group": groups, **bills_paid})


@dataclass(frozen=True, kw_only=True)
class ExactMoney:
    """Means over the scenario's days. Of bills, (G + 1,): per house of each group, the whole street last."""

    loss: float  # of the generator's profit, against the optimal rates
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
    result = {
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
