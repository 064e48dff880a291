"""Publish what the model expects and look at no data: ε = 0. The worth of data is the distance to it."""

from rtp.mechanisms.base import Mechanism, Noise, Public, Publisher, constant_noise
from rtp.occupancy import Floats


def noise(public: Public) -> Noise:
    return constant_noise(public, 0.0, protected=len(public.street.group))


def publisher(public: Public, scale: Floats) -> Publisher:
    mean, variance = public.outlook.expected_demand, public.outlook.variance

    def publish(step: int, noisy: float, response: float) -> tuple[float, float]:
        demand = response * float(mean[step]) + public.inelastic_demand
        return public.alpha * demand + public.beta, (public.alpha * response) ** 2 * float(variance[step])

    return publish


MECHANISM = Mechanism(
    name="forecast",
    label="Forecast",
    promise="Perfect privacy: nothing any house does today reaches the price.",
    relies_on="nothing for privacy; its accuracy leans wholly on the assumed habits",
    noise=noise,
    publisher=publisher,
    reads_demand=False,
)
