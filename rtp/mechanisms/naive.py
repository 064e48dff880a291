"""The naive Laplace mechanism of the paper's Section IV: scale α·u_max/ε, whatever the model says."""

from rtp.mechanisms.base import Mechanism, Noise, Public, constant_noise


def noise(public: Public) -> Noise:
    scale = public.tariff.alpha * public.nominal_bound / public.epsilon
    return constant_noise(public, scale, protected=len(public.street.group))


MECHANISM = Mechanism(
    name="naive",
    label="Naive",
    promise="Every house's state is hidden up to a factor e^ε each step, whatever an attacker believes.",
    relies_on="no house using more than the nominal bound",
    colour="#d55e00",
    dash="dash",
    noise=noise,
    inverse=True,
    protects="everyone",
    role="yardstick",
)
