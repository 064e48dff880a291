"""Calibrated noise, then the best linear guess of the optimal rate from everything published so far.

State: per group, how far the demand of those at home is from what the model expects (see `rtp.outlook`). It
is a linear chain: each step carries over the share `carried/presence` and adds fresh variance so that its
total stays what independent houses have. The noisy rate observes the sum of the groups, blurred by the
consumption's own variance and the noise's 2b². The published rate is α·E[demand] + β: a function of noisy
rates and the public model alone, so it costs no privacy. It leans on the model for accuracy only.
"""

from collections.abc import Callable
from functools import reduce
from operator import add, mul
from typing import Any

import numpy as np

from rtp.mechanisms import calibrated
from rtp.mechanisms.base import Mechanism, Public, Publisher
from rtp.occupancy import Floats
from rtp.outlook import Outlook
from rtp.pricing import Number


def publisher(public: Public, scale: Floats) -> Publisher:
    """The Kalman filter as a step function; steps must be taken in order."""
    alpha = public.alpha
    other = public.inelastic_demand + public.beta / alpha  # what the rate shows beside households, as demand
    mean = public.outlook.expected_demand.tolist()
    blind = _blind(public, scale)
    weigh = _weights(public.outlook, blind)
    deviation: list[Any] = [0.0] * len(public.outlook.presence)

    def publish(step: int, noisy: Number, response: Number) -> tuple[Number, Number]:
        nonlocal deviation
        carry, learn, trust = weigh(step, response)
        deviation = [kept * d for kept, d in zip(carry, deviation, strict=True)]
        expected = response * reduce(add, deviation) + (response * mean[step] + other)
        surprise = noisy / alpha - expected
        deviation = [d + by * surprise for d, by in zip(deviation, learn, strict=True)]
        return alpha * (expected + trust * surprise), alpha**2 * trust * blind[step]

    return publish


def undo(public: Public, scale: Floats, published: Floats, response: Floats) -> Floats:
    """The noisy rates behind published ones, both (T,): given the past, one is affine in the other.

    Where the filter does not listen at all, the noisy rate is lost; it is then given as the expected one.
    """
    alpha, beta, fixed = public.alpha, public.beta, public.inelastic_demand
    mean = public.outlook.expected_demand
    weigh = _weights(public.outlook, _blind(public, scale))
    deviation = np.zeros(len(public.outlook.presence))
    noisy = np.empty_like(published)
    for step, (rate, g) in enumerate(zip(published.tolist(), response.tolist(), strict=True)):
        carry, learn, trust = weigh(step, g)
        deviation = np.array(carry) * deviation
        expected = g * (mean[step] + deviation.sum()) + fixed
        surprise = ((rate - beta) / alpha - expected) / trust if trust else 0.0
        deviation = deviation + np.array(learn) * surprise
        noisy[step] = alpha * (expected + surprise) + beta
    return noisy


def error_variance(public: Public, truth: Outlook, scale: Floats, response: Floats) -> Floats:
    """The variance of the published rate's error where people live as `truth` says, not as believed.

    The filter keeps its own weights; what they weigh moves as `truth` says. State: the true deviation beside
    the believed one, and the filter sees the difference.
    """
    blind = _blind(public, scale)
    weigh = _weights(public.outlook, blind)
    carries, fresh = _chain(truth)
    blur = truth.consumption.sum(axis=0)
    groups = len(truth.presence)
    difference = np.repeat([1.0, -1.0], groups)
    spread = np.diag(np.concatenate([truth.presence[:, 0], np.zeros(groups)]))
    result = np.empty(len(blind))
    for step, g in enumerate(response.tolist()):
        carry, learn, trust = weigh(step, g)
        if step:
            moved = np.concatenate([carries[:, step - 1], carry])
            spread = moved[:, None] * spread * moved
            spread[np.arange(groups), np.arange(groups)] += fresh[:, step - 1]
        unseen = g**2 * (difference @ spread @ difference + blur[step])
        result[step] = (1 - trust) ** 2 * unseen + trust**2 * blind[step]
        learned = np.concatenate([np.zeros(groups), learn])
        update = np.eye(2 * groups) + g * np.outer(learned, difference)
        spread = update @ spread @ update.T + np.outer(learned, learned) * (g**2 * blur[step] + blind[step])
    return public.alpha**2 * result


def _blind(public: Public, scale: Floats) -> list[Any]:
    """The noise's variance in the unit of demand, step by step: a number, or an array of many days'."""
    variance = 2 * (scale / public.alpha) ** 2
    return variance.tolist() if variance.ndim == 1 else list(variance)


def _chain(outlook: Outlook) -> tuple[Floats, Floats]:
    """The share of each group's deviation that the next step keeps, and the variance it adds."""
    presence = outlook.presence
    carry = np.divide(outlook.carried, presence, out=np.zeros_like(presence), where=presence > 0)
    return carry, np.maximum(presence[:, 1:] - carry[:, :-1] ** 2 * presence[:, :-1], 0.0)


def _weights(outlook: Outlook, blind: list[Any]) -> Callable[[int, Any], tuple[list[float], list[Any], Any]]:
    """(step, price response) → what to keep of the deviation, to learn per surprise, and to publish of it.

    Plain arithmetic, group by group: the same lines serve one day's numbers and arrays of many days'.
    """
    carries, fresh = (chain.T for chain in _chain(outlook))
    kept = (carries[:, :, None] * carries[:, None, :]).tolist()
    carry, added = [[1.0] * len(outlook.presence), *carries.tolist()], fresh.tolist()
    blur = outlook.consumption.sum(axis=0).tolist()
    spread: list[list[Any]] = np.diag(outlook.presence[:, 0]).tolist()

    def weigh(step: int, response: Any) -> tuple[list[float], list[Any], Any]:
        nonlocal spread
        if step:
            spread = [list(map(mul, *rows)) for rows in zip(kept[step - 1], spread, strict=True)]
            for g, new in enumerate(added[step - 1]):
                spread[g][g] = spread[g][g] + new
        toward = list(map(sum, spread))
        demand_variance = response**2 * (sum(toward) + blur[step])
        observed_variance = demand_variance + blind[step]
        certain = observed_variance == 0  # no noise and nothing to guess: what is seen is the demand
        observed_variance = observed_variance + certain
        share = response / observed_variance
        learn = [share * t for t in toward]
        for t, row in zip(toward, spread, strict=True):
            seen = response * t
            row[:] = [cell - seen * by for cell, by in zip(row, learn, strict=True)]
        return carry[step], learn, demand_variance / observed_variance + certain

    return weigh


MECHANISM = Mechanism(
    name="filtered",
    label="Filtered",
    promise="The same promise as Calibrated: smoothing afterwards costs no privacy.",
    relies_on="consumption being uniform as modelled; its accuracy leans on the assumed habits",
    noise=calibrated.noise,
    publisher=publisher,
    error_variance=error_variance,
    undo=undo,
)
