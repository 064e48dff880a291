"""Calibrated noise, then the best linear guess of the optimal rate from everything published so far.

The guess is a Kalman filter's (see `kalman`). The published rate is α·E[demand] + β: a function of noisy
rates and the public model alone, so it costs no privacy. It leans on the model for accuracy only.
"""

from collections.abc import Iterator, Sequence
from typing import Generic

import numpy as np

from rtp.core.types import Floats
from rtp.mechanisms import calibrated
from rtp.mechanisms.base import Mechanism, Public, Publisher
from rtp.mechanisms.kalman import Covariance, chain, of_one_group
from rtp.street.moments import DemandMoments
from rtp.tariff import Number


class KalmanPublisher(Generic[Number]):
    """The filter as a step function; steps must be taken in order."""

    def __init__(self, public: Public, scale: Sequence[Number]) -> None:
        self.alpha = public.tariff.alpha
        # what the rate shows beside households, as demand
        self.offset = public.tariff.inelastic_demand + public.tariff.beta / self.alpha
        self.mean = public.outlook.expected_demand.tolist()
        self.noise_variance: list[Number] = noise_variance(public, scale)
        self.covariance: Covariance[Number] = Covariance(public.outlook, self.noise_variance)
        self.state: list[Number] = [0.0 * scale[0]] * len(public.outlook.occupancy_variance)

    def __call__(self, step: int, noisy: Number, response: Number, /) -> tuple[Number, Number]:
        F, K, share = self.covariance.gain(step, response)
        predicted = [f * x for f, x in zip(F, self.state, strict=True)]
        expected = response * sum(predicted[1:], predicted[0]) + (response * self.mean[step] + self.offset)
        innovation = noisy / self.alpha - expected
        self.state = [x + k * innovation for x, k in zip(predicted, K, strict=True)]
        rate = self.alpha * (expected + share * innovation)
        return rate, self.alpha**2 * share * self.noise_variance[step]


def publisher(public: Public, scale: Sequence[Number]) -> Publisher[Number]:
    return KalmanPublisher(public, scale)


def whole_day(public: Public, scale: Floats, noisy: Floats) -> tuple[Floats, Floats]:
    """One after the other; a street of one group, which is the first thing anyone sees, in plain numbers."""
    if len(public.outlook.occupancy_variance) > 1:
        publish = KalmanPublisher(public, scale.tolist())
        rate, variance = zip(*(publish(t, r, 1.0) for t, r in enumerate(noisy.tolist())), strict=True)
        return np.array(rate), np.array(variance)
    alpha, tariff = public.tariff.alpha, public.tariff
    R = noise_variance(public, scale.tolist())
    mean = public.outlook.expected_demand + (tariff.inelastic_demand + tariff.beta / alpha)
    demand, share = of_one_group(public.outlook, R, mean.tolist(), (noisy / alpha).tolist())
    return alpha * np.array(demand), alpha**2 * np.array(share) * np.array(R)


def noise_variance(public: Public, scale: Sequence[Number]) -> list[Number]:
    """Of every step's Laplace noise, in the unit of demand."""
    in_demand = [b / public.tariff.alpha for b in scale]
    return [2 * (b * b) for b in in_demand]


def invert(public: Public, scale: Floats, published: Floats, response: Floats) -> Floats:
    """The noisy rates behind published ones, (T,) or, for many days, (T, days): given the past, one is affine
    in the other.

    Where the filter does not listen at all, the noisy rate is lost; it is then given as the expected one.
    """
    if published.ndim == 1:  # plain numbers are faster
        return np.array(list(_undone(public, scale.tolist(), published.tolist(), response.tolist())))
    return np.array(list(_undone(public, list(scale), list(published), list(response))))


def _undone(
    public: Public, scale: Sequence[Number], published: Sequence[Number], response: Sequence[Number]
) -> Iterator[Number]:
    tariff, mean = public.tariff, public.outlook.expected_demand.tolist()
    variance: list[Number] = noise_variance(public, scale)
    covariance: Covariance[Number] = Covariance(public.outlook, variance)
    state: list[Number] = [0.0 * scale[0]] * len(public.outlook.occupancy_variance)
    for step, (rate, h) in enumerate(zip(published, response, strict=True)):
        F, K, share = covariance.gain(step, h)
        predicted = [f * x for f, x in zip(F, state, strict=True)]
        expected = h * (sum(predicted[1:], predicted[0]) + mean[step]) + tariff.inelastic_demand
        deaf = share == 0
        innovation = ((rate - tariff.beta) / tariff.alpha - expected) / (share + deaf) * (1 - deaf)
        state = [x + k * innovation for x, k in zip(predicted, K, strict=True)]
        yield tariff.rate(expected + innovation)


def error_variance(public: Public, truth: DemandMoments, scale: Floats, response: Floats) -> Floats:
    """The variance of the published rate's error where people live as `truth` says, not as believed.

    The filter keeps its own gains; what they weigh moves as `truth` says. State: the true deviation beside
    the believed one, and the filter sees the difference.
    """
    R = noise_variance(public, scale.tolist())
    covariance = Covariance(public.outlook, R)
    true_F, true_Q = chain(truth)
    consumption = truth.consumption_variance.sum(axis=0)
    groups = len(truth.occupancy_variance)
    H = np.repeat([1.0, -1.0], groups)
    P = np.diag(np.concatenate([truth.occupancy_variance[:, 0], np.zeros(groups)]))
    result = np.empty(len(R))
    for step, h in enumerate(response.tolist()):
        F, K, share = covariance.gain(step, h)
        if step:
            both_F = np.concatenate([true_F[:, step - 1], F])
            P = both_F[:, None] * P * both_F
            P[np.arange(groups), np.arange(groups)] += true_Q[:, step - 1]
        unseen = h**2 * (H @ P @ H + consumption[step])
        result[step] = (1 - share) ** 2 * unseen + share**2 * R[step]
        both_K = np.concatenate([np.zeros(groups), K])
        update = np.eye(2 * groups) + h * np.outer(both_K, H)
        P = update @ P @ update.T + np.outer(both_K, both_K) * (h**2 * consumption[step] + R[step])
    return public.tariff.alpha**2 * result


def carried_noise(public: Public, scale: Floats, response: Floats) -> Floats:
    """(T, E): the variance of the published rate that comes from noise, the demand being given."""
    if scale.shape[1] == 1:  # plain numbers are faster
        (widths,), (responses,) = scale.T.tolist(), response.T.tolist()
        return np.array(list(_carried(public, widths, responses)))[:, None]
    return np.array(list(_carried(public, list(scale), list(response))))


def _carried(public: Public, scale: Sequence[Number], response: Sequence[Number]) -> Iterator[Number]:
    """The state's share of it, V by group and group, moves as the filter does: x⁺ = F·x, of which the
    measurement takes K·h·Σx and adds K times the noise, of variance R."""
    R: list[Number] = noise_variance(public, scale)
    covariance: Covariance[Number] = Covariance(public.outlook, R)
    groups = range(len(public.outlook.occupancy_variance))
    V = [[0.0 * scale[0] for _ in groups] for _ in groups]
    for step, (h, r) in enumerate(zip(response, R, strict=True)):
        F, K, share = covariance.gain(step, h)
        V = [[F[i] * F[j] * V[i][j] for j in groups] for i in groups]
        shown = [h * sum(row[1:], row[0]) for row in V]
        seen = h * sum(shown[1:], shown[0])
        missed = 1 - share
        yield public.tariff.alpha**2 * (missed * missed * seen + share * share * r)
        V = [
            [V[i][j] - K[i] * shown[j] - shown[i] * K[j] + K[i] * K[j] * (seen + r) for j in groups]
            for i in groups
        ]


MECHANISM = Mechanism(
    name="filtered",
    label="Filtered",
    promise="The same promise as Calibrated: smoothing afterwards costs no privacy.",
    relies_on="consumption being as modelled, uniform unless a law is given; its accuracy leans on the "
    "assumed habits",
    colour="#b8578f",
    dash="longdash",
    scale=calibrated.scale,
    protects="uncertain",
    assumes="uniform",
    postprocess=publisher,
    whole_day=whole_day,
    error_variance=error_variance,
    carried_noise=carried_noise,
    invert=invert,
)
