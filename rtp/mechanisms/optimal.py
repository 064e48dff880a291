"""The optimal rate itself: no noise, no promise. What an unprotected street publishes."""

from rtp.core.language import noted
from rtp.mechanisms.base import Mechanism, NoiseScale, Public, laplace_scale


def scale(public: Public) -> NoiseScale:
    return laplace_scale(public, 0.0, protected=0)


MECHANISM = Mechanism(
    name="optimal",
    label=noted("Optimal"),
    promise="No promise: the optimal rate is published and every house is exposed.",
    relies_on="nothing, and it protects nothing",
    colour="#7d8590",
    dash="solid",
    scale=scale,
    protects="nobody",
    role="unprotected",
)
