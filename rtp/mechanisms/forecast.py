"""Publish what the model expects and look at no data: ε = 0. The worth of data is the distance to it."""

from rtp.core.language import noted
from rtp.core.types import Floats
from rtp.mechanisms.base import ErrorMoments, Mechanism, NoiseScale, Public, laplace_scale
from rtp.street.schedule import DemandMoments


def scale(public: Public) -> NoiseScale:
    return laplace_scale(public, 0.0, protected=len(public.street.group))


def postprocess(
    public: Public, steps: slice, scale: Floats, noisy: Floats, response: Floats, state: None
) -> tuple[Floats, Floats, None]:
    """α·E[demand] + β before anything is seen, and demand's variance, by the model."""
    each = (-1, *[1] * (noisy.ndim - 1))
    rate = public.tariff.optimal(response * public.moments.expected_demand[steps].reshape(each))
    variance = (public.tariff.alpha * response) ** 2 * public.moments.variance[steps].reshape(each)
    return rate, variance, None


def error_moments(public: Public, moments: DemandMoments, scale: Floats, response: Floats) -> ErrorMoments:
    """Those of demand itself: what is used more than expected is missing in the rate."""
    alpha, group = public.tariff.alpha, moments.group_variance
    missing = alpha * response**2 * group.reshape(*group.shape, *[1] * (response.ndim - 1))
    return ErrorMoments(alpha * missing.sum(axis=0), -missing)


MECHANISM = Mechanism(
    name="forecast",
    label=noted("Forecast"),
    promise="Perfect privacy: nothing any house does today reaches the rate.",
    relies_on="nothing for privacy; its accuracy depends on the assumed habits",
    colour="#a37b00",
    dash="longdashdot",
    scale=scale,
    protects="everyone",
    reads_demand=False,
    role="no data",
    postprocess=postprocess,
    error_moments=error_moments,
)
