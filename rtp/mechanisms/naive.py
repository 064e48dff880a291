"""The naive Laplace mechanism of the paper's Section IV: scale α·u_max/ε, whatever the model says."""

from rtp.core.language import noted
from rtp.mechanisms.base import Mechanism, NoiseScale, Public, laplace_scale


def scale(public: Public) -> NoiseScale:
    sensitivity = public.tariff.alpha * public.nominal_bound
    return laplace_scale(public, sensitivity, protected=len(public.street.group))


MECHANISM = Mechanism(
    name="naive",
    label=noted("Naive"),
    promise="Every house's state is hidden up to a factor e^ε each step, whatever an observer believes.",
    relies_on="no house using more than the nominal bound",
    colour="#d55e00",
    dash="dash",
    scale=scale,
    protects="everyone",
    role="yardstick",
)
