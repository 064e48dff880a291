"""Between which errors 95 % of days lie: the noise alone is drawn again, on the same street and demand.

A day of noisy rates needs no walk through its steps: its squared error is a sum of 2b²·(unit noise)²/r². All
budgets and mechanisms share the same unit noise: their differences are their own.

Where a day must be walked step by step (a publisher, elastic or clipped prices), days are sampled at `KNOTS`
budgets a decade. The ends of the range, as shares of the sampled root mean square, are smooth between them,
because the noise is the same: they are interpolated over ln ε (`knots`), and multiplied by the root mean
square that is known without sampling. Where the noisy rate is published as it is and its noise is as wide all
day, the width is all that matters, whoever asks for it: the knots are then widths, shared by mechanisms.
"""

from functools import lru_cache

import numpy as np

from rtp import metrics
from rtp.core.random import Stream, generator
from rtp.core.stats import middle
from rtp.core.types import Floats
from rtp.mechanisms import Mechanism
from rtp.simulation import Market, walk
from rtp.simulation.publish import ONE
from rtp.tradeoff.chain import steady
from rtp.tradeoff.expected import scales
from rtp.tradeoff.knots import knots_around

KNOTS = 2  # budgets a decade
POINTS = 4  # knots that a share is interpolated from


@lru_cache(maxsize=4)
def unit_noise(seed: int, steps: int, days: int) -> Floats:
    """(T, days) unit Laplace draws, shared by all budgets and mechanisms."""
    return generator(seed, Stream.CURVE_NOISE).laplace(size=(steps, days))


def walked(known: Market, mechanism: Mechanism) -> bool:
    """Whether a day's error needs a walk through its steps."""
    tariff = known.tariff
    return mechanism.postprocess is not None or tariff.elasticity > 0 or tariff.clip_at_zero


def day_range(
    known: Market, mechanism: Mechanism, epsilons: Floats, scale: Floats, unit: Floats, today: Floats
) -> tuple[Floats, Floats]:
    """(low, high), (E,) each, for scales (T, E) and the root mean square over the noise, (E,)."""
    if not mechanism.reads_demand:
        return today, today
    if not walked(known, mechanism):
        return ends(sampled(known, mechanism, scale, unit))
    if mechanism.postprocess is None and steady(scale).all():
        knots = knots_around(KNOTS * np.log10(scale[0]), POINTS)
        widths = np.tile(10 ** (knots.at / KNOTS), (len(scale), 1))
    else:
        knots = knots_around(KNOTS * np.log10(epsilons), POINTS)
        widths = scales(known, [mechanism], 10 ** (knots.at / KNOTS))[mechanism.name]
    shares = knots.between(_shares(sampled(known, mechanism, widths, unit)))
    low, high = np.sort(np.maximum(shares, 0.0), axis=0)
    return low * today, high * today


def _shares(errors: Floats) -> Floats:
    """(2, E): the ends of the range as shares of the root mean square, from (E, days)."""
    typical = np.sqrt(np.mean(errors**2, axis=1))
    usable = np.isfinite(typical) & (typical > 0)  # else all days are alike: right, or infinitely off
    both = np.array(ends(errors))
    return np.divide(both, typical, out=np.ones_like(both), where=usable)


def ends(errors: Floats) -> tuple[Floats, Floats]:
    """(E,) each, from (E, days)."""
    with np.errstate(invalid="ignore"):  # relative to a rate of zero all days are infinitely off
        both = np.array(middle(errors, axis=1))
    low, high = np.where(np.isnan(both), np.inf, both)
    return low, high


def sampled(known: Market, mechanism: Mechanism, scale: Floats, unit: Floats) -> Floats:
    """(E, days): the RMSRE of every sampled day, for scales (T, E) and unit noise (T, days)."""
    tariff, base = known.tariff, known.life.demand
    if not walked(known, mechanism):
        optimal = tariff.optimal(base)[:, None]
        share = metrics.relative(scale**2, optimal)
        return np.asarray(np.sqrt(np.einsum("te,td->ed", share, unit**2)) / len(base))
    if scale.shape[1] == 1 and not tariff.elasticity:
        return _sampled_once(known, mechanism, scale, unit)
    added = (b[:, None] * noise for b, noise in zip(scale, unit, strict=True))
    total = np.zeros((scale.shape[1], unit.shape[1]))
    for demand, rate, _ in walk(mechanism, known.public, base, added, list(scale[..., None]), ONE):
        optimal = np.asarray(tariff.rate(demand))
        total += metrics.relative((rate - optimal) ** 2, optimal)
    return np.sqrt(total) / len(base)


def _sampled_once(known: Market, mechanism: Mechanism, scale: Floats, unit: Floats) -> Floats:
    """(1, days), for scales (T, 1), where demand does not respond: a publisher's gains are then the same on
    every day, and plain numbers make them fastest."""
    base = known.life.demand
    steps = walk(mechanism, known.public, base, scale * unit, scale[:, 0].tolist(), 1.0)
    rates = np.array([rate for _, rate, _ in steps]).reshape(len(base), -1)  # a forecast's are all the same
    optimal = known.tariff.optimal(base)[:, None]
    return np.broadcast_to(metrics.each_rmsre((rates - optimal) ** 2, optimal), (1, unit.shape[1]))
