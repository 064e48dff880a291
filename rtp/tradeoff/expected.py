"""What error to expect of a budget, without sampling a single day.

Two averages, and they answer different questions:

* `expected`, the number shown everywhere beside a release: the squared error of every step, averaged over the
  noise and, for a mechanism that leans on a model (filter, forecast), over the days that people may live;
  relative to the optimal rates of this day. It does not depend on today's luck.
* `today`: the same over the noise alone, given the demand that came about. It is what sampling noise on this
  very day estimates. For mechanisms that publish the noisy rate as it is, the two are one.

Both are the root of the mean square of RMSRE. Mechanisms that publish the noisy rate: 2b²/r² at every step,
exact. Where demand responds to prices, r itself depends on the noise before, through the last published rate
alone: a Markov chain on the line, whose law is carried from step to step (`chain`).

A publisher is linear in what it sees, so its error given the demand is that of the day without noise plus an
independent share of every noise so far; the shares are read off by sending one impulse per step. Two things
are left out for publishers: clipping at zero (their rates are near the optimal one, not near zero), and that
noise shifts the response to their prices (it is taken along the day without noise; second order in an error
of about one per cent).
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from rtp import metrics
from rtp.core.types import Floats
from rtp.mechanisms import Mechanism, noise_scales
from rtp.simulation import Market, price
from rtp.simulation.publish import ONE, mistaken_error
from rtp.tradeoff.chain import elastic_rmsre

IMPULSES = 512  # sent at once, to bound the memory of long scenarios


def scales(
    known: Market, mechanisms: Iterable[Mechanism], epsilons: Sequence[float] | Floats
) -> dict[str, Floats]:
    """(T, E) by mechanism: the Laplace scale at every step for every budget."""
    solved = noise_scales(mechanisms, known.at(np.asarray(epsilons, dtype=float)))
    return {name: noise.scale for name, noise in solved.items()}


def expected(known: Market, mechanism: Mechanism, scale: Floats) -> Floats:
    """(E,) for scales (T, E): over noise and, where a model is leaned on, over days."""
    if mechanism.postprocess is None:
        return today(known, mechanism, scale)
    return _over_days(known, mechanism, scale, *_without_noise(known, mechanism, scale))


def today(known: Market, mechanism: Mechanism, scale: Floats) -> Floats:
    """(E,) for scales (T, E): over the noise, given today's demand."""
    if mechanism.postprocess is not None:
        optimal, rate, _ = _without_noise(known, mechanism, scale)
        return _over_noise(known, mechanism, scale, optimal, rate)
    tariff = known.tariff
    if tariff.elasticity and tariff.reference:  # a reference of nothing: there is no demand to respond
        return elastic_rmsre(tariff, known.life.demand, scale)
    optimal = tariff.optimal(known.life.demand)[:, None]
    return metrics.each_rmsre(metrics.laplace_squared_error(scale, optimal, tariff.clip_at_zero), optimal)


def both(known: Market, mechanism: Mechanism, scale: Floats) -> tuple[Floats, Floats]:
    """(today, expected), with what they share worked out once."""
    if mechanism.postprocess is None:
        given_today = today(known, mechanism, scale)
        return given_today, given_today
    optimal, rate, own = _without_noise(known, mechanism, scale)
    return (
        _over_noise(known, mechanism, scale, optimal, rate),
        _over_days(known, mechanism, scale, optimal, rate, own),
    )


def _over_days(
    known: Market, mechanism: Mechanism, scale: Floats, optimal: Floats, rate: Floats, own: Floats
) -> Floats:
    """A publisher's, from its own variance, or as people really live where it believes something else."""
    if known.life.assumed_moments is not known.life.true_moments:
        response = known.tariff.responses(rate)
        own = np.column_stack(
            [
                mistaken_error(mechanism, known, *columns)
                for columns in zip(scale.T, response.T, own.T, strict=True)
            ]
        )
    return metrics.each_rmsre(own, optimal)


def _over_noise(known: Market, mechanism: Mechanism, scale: Floats, optimal: Floats, rate: Floats) -> Floats:
    """A publisher's, given the day: what it misses without noise, and what the noise adds."""
    squared = (rate - optimal) ** 2
    if mechanism.reads_demand:
        response = known.tariff.responses(rate)
        squared = squared + _noise_variance(known, mechanism, scale, optimal, response)
    return metrics.each_rmsre(squared, optimal)


def _without_noise(known: Market, mechanism: Mechanism, scale: Floats) -> tuple[Floats, Floats, Floats]:
    """(optimal rate, published rate, the publisher's own variance), all (T, E), of a publisher that expects
    noise of this scale and gets none."""
    public = replace(known.public, tariff=replace(known.tariff, clip_at_zero=False))
    demand, rate, own = price(mechanism, public, known.life.demand, np.zeros_like(scale), scale)
    return known.tariff.rate(demand), rate, own


def _noise_variance(
    known: Market, mechanism: Mechanism, scale: Floats, optimal: Floats, response: Floats
) -> Floats:
    """(T, E): the variance of a linear publisher's rate that comes from noise, 2·Σ over steps of impulse²."""
    if mechanism.carried_noise is not None:
        return mechanism.carried_noise(known.public, scale, response)
    assert mechanism.postprocess is not None
    steps, one = len(scale), scale.shape[1] == 1 and not known.tariff.elasticity
    total = np.zeros_like(scale)
    widths = scale[:, 0].tolist() if one else list(scale[..., None])  # plain numbers are faster
    for first in range(0, steps, IMPULSES):
        sent = np.arange(first - 1, min(first + IMPULSES, steps))  # the lane before the first sends none
        publish = mechanism.postprocess(known.public, widths)
        for step in range(steps):
            impulse = np.where(sent == step, scale[step][:, None], 0.0)
            impulse[:, 0] = 0.0
            reply = response[step][:, None] if known.tariff.elasticity else (1.0 if one else ONE)
            rate, _ = publish(step, optimal[step][:, None] + impulse, reply)
            total[step] += 2 * np.sum((rate - rate[:, :1]) ** 2, axis=1)
    return total
