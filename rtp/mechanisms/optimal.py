"""The optimal rate itself: no noise, no promise. What an unprotected street publishes."""

from rtp.mechanisms.base import Mechanism, Noise, Public, constant_noise


def noise(public: Public) -> Noise:
    return constant_noise(public, 0.0, protected=0)


MECHANISM = Mechanism(
    name="optimal",
    label="Optimal",
    promise="No promise: the exact rate is published and every house is exposed.",
    relies_on="nothing, and it protects nothing",
    colour="#7d8590",
    dash="solid",
    noise=noise,
    inverse=True,
    protects="nobody",
    role="unprotected",
)
