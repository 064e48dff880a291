"""What error to expect of a budget, without sampling a single day.

Two averages, and they answer different questions:

* `expected`, which curves draw and ε for an error inverts: the squared relative error of every step, averaged
  over the noise and over the days that people may live on this street. It does not depend on today's draws.
* `today`: the same over the noise alone, given the demand that came about. It is what sampling noise on this
  very day estimates.

Both are roots of mean squares. Over days, what a step's error is divided by is averaged exactly, whatever
the distribution of demand (`rtp.street.reciprocal`). Where demand follows prices, rates are cut or may be 0,
a step's demand is looked at on the nodes of a Gauss rule for its own distribution (`rtp.street.demand_rule`):
within 1 % of RMSRE, however skewed use is. Of more than a week it is taken as normal, with the mean and the
variance of the true model, at the three nodes of Gauss and Hermite.

Mechanisms that publish the noisy rate: 2b²/r² at every step, exact given the demand. Where demand responds to
prices, r itself depends on the noise before, through the last published rate alone: a Markov chain on the
line, whose distribution is carried from step to step (`elastic_rmsre`); over days, demand is then taken as
independent of the last rate.

A postprocessed rate is linear in what it is made of, so its error given the demand is that of the day without
noise plus what the noise adds: the variance of its error where demand does not vary at all. Over days its
error is a bias, a part in proportion to how far demand is from its mean, and a rest, which is taken as normal
where a cap may cut it. A cap bends the error, so demand is then looked at on more of them. Two things are
left out there: clipping at zero (such rates are near the optimal one, not near zero), and that noise shifts
the response to their prices (it is taken along the day without noise; second order in an error of about one
per cent).
"""

from collections.abc import Iterable, Sequence

import numpy as np

from rtp import metrics
from rtp.core.types import Floats
from rtp.mechanisms import Mechanism, noise_scales
from rtp.simulation import Market, rate_error
from rtp.tariff import Tariff

# Nodes of the published rate's distribution: RMSRE to 1e-5 on the elastic preset, at the extremes 5e-4 and,
# for noise narrower than a cell h of ln y, to elasticity·h/4 on days whose rate passes next to the reference.
RATE_NODES = 48
SCALES_BEYOND = 25.0  # scales beyond the largest rate that the distribution is carried to: e^−25 is left out
LOST = 60.0  # scales beyond which e^−x makes no difference; numbers next to the smallest are slow
APART = 1 + 1e-6  # nodes must differ, even where no rate ever comes near them
# Where a long run's demand is looked at, in standard deviations, and the weight of each node.
DEVIATIONS, WEIGHTS = np.array([-(3**0.5), 0.0, 3**0.5]), np.array([1 / 6, 2 / 3, 1 / 6])


def scales(
    market: Market, mechanisms: Iterable[Mechanism], epsilons: Sequence[float] | Floats
) -> dict[str, Floats]:
    """(T, E) by mechanism: the Laplace scale at every step for every budget."""
    solved = noise_scales(mechanisms, market.at(np.asarray(epsilons, dtype=float)))
    return {name: noise.scale for name, noise in solved.items()}


def expected(market: Market, mechanism: Mechanism, scale: Floats) -> Floats:
    """(E,) for scales (T, E): over noise and days."""
    tariff, moments = market.tariff, market.street_day.true_moments
    leans = mechanism.error_moments is not None  # such rates are near the optimal one, not near zero
    cut = tariff.cap < np.inf if leans else tariff.is_cut
    if not (tariff.elasticity or cut) and market.reciprocals is not None:
        return _inelastic(market, mechanism, scale, *market.reciprocals)
    deviations, weights = _nodes(market, fine=leans or tariff.cap < np.inf)
    if not leans:
        spread = np.sqrt(moments.variance)[:, None]
        demand = np.maximum(moments.expected_demand[:, None] + spread * deviations, _least(market))
        return _noisy_rmsre(tariff, demand, weights, scale)
    error = rate_error(market, mechanism, scale)
    mean = tariff.optimal(error.response * moments.expected_demand[:, None])
    variance = (tariff.alpha * error.response) ** 2 * moments.variance[:, None]  # of the optimal rate
    slope = tariff.alpha * error.covariance.sum(axis=0) / np.where(variance > 0, variance, np.inf)
    rest = np.maximum(error.variance - slope**2 * variance, 0.0)
    total = np.zeros(scale.shape[1])
    least = tariff.optimal(error.response * _least(market))
    for deviation, weight in zip(deviations.T[:, :, None], weights.T[:, :, None], strict=True):
        optimal = np.maximum(mean + deviation * np.sqrt(variance), least)
        off = error.bias + slope * (optimal - mean)
        squared = metrics.capped_squared_error(off, rest, tariff.cap - optimal)
        total += (weight * metrics.relative(squared, optimal)).mean(axis=0)
    return np.sqrt(total)


def _inelastic(market: Market, mechanism: Mechanism, scale: Floats, one: Floats, two: Floats) -> Floats:
    """(E,) for scales (T, E), from E[1/r] and E[1/r²], (T,) each. An error that leans on a model is a line
    c + k·r of the rate, and a rest: its square over r² is (c² + rest)/r² + 2ck/r + k²."""
    if mechanism.error_moments is None:
        return np.asarray(np.sqrt(2 * np.mean(scale**2 * two[:, None], axis=0)))
    tariff, moments = market.tariff, market.street_day.true_moments
    error = rate_error(market, mechanism, scale)
    mean, variance = (
        tariff.optimal(moments.expected_demand)[:, None],
        tariff.alpha**2 * moments.variance[:, None],
    )
    k = tariff.alpha * error.covariance.sum(axis=0) / np.where(variance > 0, variance, np.inf)
    rest, c = np.maximum(error.variance - k**2 * variance, 0.0), error.bias - k * mean
    squared = (c**2 + rest) * two[:, None] + 2 * c * k * one[:, None] + k**2
    return np.asarray(np.sqrt(np.maximum(squared, 0.0).mean(axis=0)))


def _nodes(market: Market, fine: bool) -> tuple[Floats, Floats]:
    """Where demand is looked at, in standard deviations, and how much each node counts, (T, J) each."""
    found = market.fine_demand_rule if fine else market.demand_rule
    if found is None:
        steps = market.street_day.spec.steps
        return np.broadcast_to(DEVIATIONS, (steps, 3)), np.broadcast_to(WEIGHTS, (steps, 3))
    return found


def _least(market: Market) -> float:
    """What the houses use at least, together."""
    street = market.street_day.street
    return 0.0 if street.distributions is None else float(street.distributions.edges[:, 0].sum())


def today(market: Market, mechanism: Mechanism, scale: Floats) -> Floats:
    """(E,) for scales (T, E): over the noise, given today's demand."""
    tariff, demand = market.tariff, market.street_day.demand
    if mechanism.error_moments is not None:
        error = rate_error(market, mechanism, scale, demand)
        optimal = tariff.optimal(error.response * demand[:, None])
        squared = metrics.capped_squared_error(error.bias, error.variance, tariff.cap - optimal)
        return metrics.expected_rmsre(squared, optimal)
    return _noisy_rmsre(tariff, demand[:, None], np.ones(1), scale)


def weights_of(market: Market, mechanism: Mechanism, scale: Floats) -> Floats | None:
    """The share of every noisy rate, along the last axis, in each published one, (T, T), at this scale, (T,):
    read off days on which one of them is off by 1 from what the model expects, where that is published. None
    where they are published as they are, or where demand responds."""
    tariff, steps = market.tariff, len(scale)
    if mechanism.postprocess is None or tariff.elasticity:
        return None
    expected = tariff.optimal(market.public.moments.expected_demand)
    noisy, still = expected[:, None] + np.eye(steps), np.ones((steps, 1))
    rate, _, _ = mechanism.postprocess(market.public, slice(None), scale[:, None], noisy, still, None)
    return np.broadcast_to(rate - expected[:, None], (steps, steps))


def _noisy_rmsre(tariff: Tariff, demand: Floats, chance: Floats, scale: Floats) -> Floats:
    """(E,) for scales (T, E): of noisy rates, where demand is any of J values, (T, J), with such chances."""
    if tariff.elasticity and tariff.reference:  # a reference of nothing: there is no demand to respond
        return elastic_rmsre(tariff, demand, chance, scale)
    optimal = tariff.optimal(demand)[:, :, None]
    squared = metrics.laplace_squared_error(scale[:, None], optimal, *tariff.limits)
    total = np.einsum("tje,tj->e", metrics.relative(squared, optimal), np.broadcast_to(chance, demand.shape))
    return np.asarray(np.sqrt(total / len(scale)))


def elastic_rmsre(tariff: Tariff, base: Floats, chance: Floats, scale: Floats) -> Floats:
    """(E,) for scales (T, E): the error of noisy rates that move the next demand.

    Before the response demand is any of J values, (T, J), with chances like it, or the same at every step.

    Demand answers the last published rate y, so the optimal rate r and with it the next published one,
    r + Lap(b), depend on the past through y alone. The distribution of y is carried on nodes: hat functions
    on a geometric grid above the reference rate, where households respond; the reference itself takes all
    that is below, where the response is 1.

    A hat's probability under r + Lap(b) follows from E[(y − r̂)₊] = (y − r)₊ + b/2·e^{−|y − r|/b}, whose slope
    between two nodes is the mean probability to be below: it is the change of that slope at the node.
    """
    top = np.maximum(tariff.optimal(base).max() + SCALES_BEYOND * scale.max(axis=0), tariff.reference * APART)
    nodes = tariff.reference * (top / tariff.reference) ** np.linspace(0, 1, RATE_NODES)[:, None]  # (K, E)
    response, gap = tariff.response(tariff.published(nodes)), np.diff(nodes, axis=0)
    weight = np.zeros_like(nodes)
    weight[0] = 1.0
    total = np.zeros(scale.shape[1])
    for use, likely, b in zip(base, np.broadcast_to(chance, base.shape), scale, strict=True):
        below = np.zeros_like(nodes)
        for one, probability in zip(use.tolist(), likely.tolist(), strict=True):
            rate = tariff.optimal(response * one)
            squared = metrics.relative(metrics.laplace_squared_error(b, rate, *tariff.limits), rate)
            # What cannot be does not count, however far off it is.
            counted = np.multiply(weight, squared, out=np.zeros_like(weight), where=weight > 0)
            total += probability * counted.sum(axis=0)
            ahead = nodes - rate[:, None]  # (K from, K to, E)
            fading = np.exp(-np.minimum(np.abs(ahead) / np.where(b > 0, b, 1.0), LOST))
            below += probability * np.einsum("ke,kje->je", weight, np.maximum(ahead, 0.0) + b / 2 * fading)
        slope = np.diff(below, axis=0) / gap
        weight = np.maximum(np.diff(slope, axis=0, prepend=0.0, append=1.0), 0.0)
    return np.sqrt(total / len(base))
