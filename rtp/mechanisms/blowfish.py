"""Algorithm 1 of the paper: noise for the largest house whose state is still uncertain.

λ = α·max u_h over the houses κ that may be in either state, the largest over the models; scale λ/ε. The set κ
is exact in O(N), see `rtp.street.schedule`; `rtp.algorithm1` is the same on all 2^N states.
"""

import numpy as np

from rtp.core.language import noted
from rtp.core.types import Floats
from rtp.mechanisms.base import Mechanism, NoiseScale, Public, laplace_scale, largest, largest_protected


def scale(public: Public) -> NoiseScale:
    classes = public.support_classes
    bound, house = largest_protected(classes, *largest(public.street.bound, classes))
    return laplace_scale(public, public.tariff.alpha * bound, classes.protected_houses, house)


def sensitivity_by_model(public: Public) -> Floats:
    """λ^{t,θ}, (M, T): line 8 of the algorithm for each model, to see which one sets the noise."""
    bound, _ = largest(public.street.bound, public.support_classes)
    return np.asarray(
        public.tariff.alpha * np.where(public.support_classes.both_states_possible, bound, 0.0).max(axis=2)
    )


MECHANISM = Mechanism(
    name="blowfish",
    label=noted("Blowfish"),
    promise="Every house whose state is uncertain under some model is hidden up to a factor e^ε each step.",
    relies_on="each house's bound, and the models being right about what is impossible",
    colour="#1f7fc4",
    dash="solid",
    scale=scale,
    protects="uncertain",
    role="featured",
)
