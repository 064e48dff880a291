"""Calibrated noise, then the best linear guess of the optimal rate from everything published so far.

Demand deviates from what the model expects because other people are at home, and because they use more or
less than on average. With independent houses the first is, for each group, a linear chain whose variance and
lag-one covariance the model states; the second is white. So the deviation is a sum of G + 1 independent
components with diagonal F and Q (`rtp.probability.kalman`):

    x⁺ = F·x + w,  F = Cov[x⁺, x]/Var x,  Var w = Q = Var x⁺ − F²·Var x;  for consumption F = 0

A noisy rate, in the unit of demand, shows z = H·Σx + v with the price response H and the noise v, Var v =
2b²/α². The published rate is α·E[demand] + β: a function of noisy rates and the public model alone, so it
costs no privacy. It leans on the model for accuracy only.
"""

from typing import NamedTuple

import numpy as np

from rtp.core.language import noted
from rtp.core.types import Floats
from rtp.mechanisms import calibrated
from rtp.mechanisms.base import ErrorMoments, Mechanism, Public
from rtp.probability.kalman import gains, state_space
from rtp.street.schedule import DemandMoments

SMALLEST_SHARE = 1e-200  # of the noisy rate in the published one, below which it does not show


class FilterState(NamedTuple):
    """What the filter carries from step to step, and the model it assumes."""

    F: Floats  # (T, n, …) of every step
    Q: Floats  # (T, n, n, …)
    x: Floats  # (n, …) how far each component of demand is from its mean
    P: Floats  # (n, n, …) its error covariance


def start(moments: DemandMoments, axes: int) -> FilterState:
    """The state before the first step, with so many axes of days after its own: nothing deviates yet.

    One component per group, the last one for consumption.
    """
    consumption = moments.consumption_variance.sum(axis=0)
    F, Q = state_space(
        np.vstack([moments.occupancy_variance, consumption]),
        np.vstack([moments.lag1_covariance, np.zeros_like(consumption)]),
    )
    steps, n = F.shape
    days = (1,) * axes
    return FilterState(
        F.reshape(steps, n, *days),
        (Q[:, None] * np.eye(n)).reshape(steps, n, n, *days),
        np.zeros((n, *days)),
        np.zeros((n, n, *days)),
    )


def noise_variance(public: Public, scale: Floats) -> Floats:
    """Of Laplace noise of this scale, in the unit of demand."""
    return 2 * public.tariff.in_demand(scale) ** 2


def postprocess(
    public: Public, steps: slice, scale: Floats, noisy: Floats, response: Floats, state: FilterState | None
) -> tuple[Floats, Floats, FilterState]:
    """α·E[demand] + β given each noisy rate and all before, and its error's variance, by the model."""
    tariff, R = public.tariff, noise_variance(public, scale)
    F, Q, x, P = state or start(public.moments, noisy.ndim - 1)
    seen = tariff.demand(noisy)
    mean, demand = public.moments.expected_demand[steps], np.empty_like(noisy)
    K, share, P = gains(F[steps], Q[steps], response, R, P)
    for t, (f, z, H, m) in enumerate(zip(F[steps], seen, response, mean, strict=True)):
        x = f * x
        expected = H * (x.sum(axis=0) + m)
        x = x + K[t] * (z - expected)
        demand[t] = expected + share[t] * (z - expected)
    return tariff.optimal(demand), tariff.alpha**2 * (share * R), FilterState(F, Q, x, P)


def invert(public: Public, scale: Floats, published: Floats, response: Floats) -> Floats:
    """The noisy rates behind published ones: given the past, one is affine in the other.

    Where the filter does not listen at all, the noisy rate is lost; it is then given as the expected one.
    """
    tariff, result, mean = public.tariff, np.empty_like(published), public.moments.expected_demand
    F, Q, x, P = start(public.moments, published.ndim - 1)
    K, shares, _ = gains(F, Q, response, noise_variance(public, scale), P)
    for step, (rate, H, share) in enumerate(zip(published, response, shares, strict=True)):
        x = F[step] * x
        expected = H * (x.sum(axis=0) + mean[step]) + tariff.inelastic_demand
        moved = (rate - tariff.beta) / tariff.alpha - expected
        innovation = np.where(share > SMALLEST_SHARE, moved, 0.0) / np.maximum(share, SMALLEST_SHARE)
        x = x + K[step] * innovation
        result[step] = tariff.rate(expected + innovation)
    return result


def error_moments(public: Public, moments: DemandMoments, scale: Floats, response: Floats) -> ErrorMoments:
    """How the published rate's error varies where demand varies as `moments` say.

    The filter's gains are its own; what they weigh moves as `moments` say. So the true deviations ξ are
    carried beside the filter's x, with the covariance C of both. The filter sees D·(ξ, x) = H·(Σξ − Σx) and
    noise, and moves x by K times that. Moments without any variance leave what noise alone does.

    What it misses of demand is (1 − share)·D·(ξ, x) less its share of the noise. A group's demand is H times
    its own component of ξ, and its part of consumption, which D shows as it is.
    """
    R, axes = noise_variance(public, scale), response.ndim - 1
    F, Q, x, P = start(public.moments, axes)
    true = start(moments, axes)
    n = len(x)
    both_F, both_Q = np.concatenate([true.F, F], axis=1), np.zeros((len(Q), 2 * n, 2 * n, *x.shape[1:]))
    both_Q[:, :n, :n] = true.Q
    C, sign = np.zeros_like(both_Q[0]), np.repeat([1.0, -1.0], n).reshape(-1, *x.shape[1:])
    result = np.empty(np.broadcast_shapes(R.shape, response.shape))
    missing = np.empty((n - 1, *result.shape))  # by group
    used = moments.consumption_variance.reshape(n - 1, -1, *x.shape[1:])
    K, shares, _ = gains(F, Q, response, R, P)
    for step, (H, share) in enumerate(zip(response, shares, strict=True)):
        C = both_F[step][:, None] * C * both_F[step] + both_Q[step]
        CD = H * (C * sign).sum(axis=1)
        unseen = H * (sign * CD).sum(axis=0)
        result[step] = (1 - share) ** 2 * unseen + share**2 * R[step]
        missing[:, step] = (1 - share) * H * (CD[: n - 1] + H * used[:, step])
        g = np.concatenate([np.zeros_like(K[step]), K[step]])
        C = C + g[:, None] * CD + CD[:, None] * g + g[:, None] * (g * (unseen + R[step]))
    return ErrorMoments(public.tariff.alpha**2 * result, -public.tariff.alpha * missing)


MECHANISM = Mechanism(
    name="filtered",
    label=noted("Filtered"),
    promise="The same promise as Calibrated: smoothing afterwards costs no privacy.",
    relies_on="consumption being as modelled, uniform unless a distribution is given; its accuracy depends "
    "on the assumed habits",
    colour="#b8578f",
    dash="longdash",
    scale=calibrated.scale,
    protects="uncertain",
    assumes="uniform",
    postprocess=postprocess,
    invert=invert,
    error_moments=error_moments,
    role="most accurate",
)
