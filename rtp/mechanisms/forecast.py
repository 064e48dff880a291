"""Publish what the model expects and look at no data: ε = 0. The worth of data is the distance to it."""

from collections.abc import Sequence

from rtp.core.types import Floats
from rtp.mechanisms.base import Mechanism, NoiseScale, Public, Publisher, laplace_scale
from rtp.street.moments import DemandMoments
from rtp.tariff import Number


def scale(public: Public) -> NoiseScale:
    return laplace_scale(public, 0.0, protected=len(public.street.group))


def publisher(public: Public, scale: Sequence[Number]) -> Publisher[Number]:
    tariff = public.tariff
    mean, variance = public.outlook.expected_demand.tolist(), public.outlook.variance.tolist()

    def publish(step: int, noisy: Number, response: Number, /) -> tuple[Number, Number]:
        demand = response * mean[step] + tariff.inelastic_demand
        return tariff.rate(demand), (tariff.alpha * response) ** 2 * variance[step]

    return publish


def whole_day(public: Public, scale: Floats, noisy: Floats) -> tuple[Floats, Floats]:
    tariff, outlook = public.tariff, public.outlook
    return tariff.optimal(outlook.expected_demand), tariff.alpha**2 * outlook.variance


def error_variance(public: Public, truth: DemandMoments, scale: Floats, response: Floats) -> Floats:
    """Of demand itself, as people really live."""
    return (public.tariff.alpha * response) ** 2 * truth.variance


MECHANISM = Mechanism(
    name="forecast",
    label="Forecast",
    promise="Perfect privacy: nothing any house does today reaches the price.",
    relies_on="nothing for privacy; its accuracy leans wholly on the assumed habits",
    colour="#a37b00",
    dash="longdashdot",
    scale=scale,
    protects="everyone",
    reads_demand=False,
    role="no data",
    postprocess=publisher,
    whole_day=whole_day,
    error_variance=error_variance,
)
