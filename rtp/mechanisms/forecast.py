"""Publish what the model expects and look at no data: ε = 0. The worth of data is the distance to it."""

from rtp.mechanisms.base import Mechanism, Noise, Public, Publisher, constant_noise
from rtp.occupancy import Floats
from rtp.outlook import Outlook
from rtp.pricing import Number


def noise(public: Public) -> Noise:
    return constant_noise(public, 0.0, protected=len(public.street.group))


def publisher(public: Public, scale: Floats) -> Publisher:
    mean, variance = public.outlook.expected_demand, public.outlook.variance

    def publish(step: int, noisy: Number, response: Number) -> tuple[Number, Number]:
        demand = response * float(mean[step]) + public.inelastic_demand
        return public.alpha * demand + public.beta, (public.alpha * response) ** 2 * float(variance[step])

    return publish


def error_variance(public: Public, truth: Outlook, scale: Floats, response: Floats) -> Floats:
    """Of demand itself, as people really live."""
    return (public.alpha * response) ** 2 * truth.variance


MECHANISM = Mechanism(
    name="forecast",
    label="Forecast",
    promise="Perfect privacy: nothing any house does today reaches the price.",
    relies_on="nothing for privacy; its accuracy leans wholly on the assumed habits",
    noise=noise,
    publisher=publisher,
    error_variance=error_variance,
    reads_demand=False,
)
