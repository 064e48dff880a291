"""Noise for likely states only: the authors' first future work, made precise.

Algorithm 1 guards every house whose state is open, however unlikely one of its two states is. Here a house is
guarded only while, under some model, both have more than `negligible` probability before any rate is seen
(`rtp.street.prior_marginals`). Whom it guards depends on the models alone, not on what anyone does, so it
tells nothing; the covered houses then keep Blowfish's promise word for word: λ = α·max u_h over them, scale
λ/ε. A neglected house is given no promise. It needs one only where it is in its unlikely state, and that has
at most the neglected probability at any one step. With 0 it is Algorithm 1 itself.
"""

from rtp.core.language import noted
from rtp.mechanisms import blowfish
from rtp.mechanisms.base import Mechanism, NoiseScale, Public, laplace_scale


def scale(public: Public) -> NoiseScale:
    covered = public.covered
    if covered is None:
        return blowfish.scale(public)
    return laplace_scale(public, public.tariff.alpha * covered.largest, covered.count, covered.house)


MECHANISM = Mechanism(
    name="threshold",
    label=noted("Threshold"),
    promise="The private rate's promise to houses with two states that are likelier than a threshold, and no "
    "other.",
    relies_on="what the private rate relies on, and the models being right about what is too unlikely to "
    "guard",
    colour="#4f8a9e",
    dash="longdash",
    scale=scale,
    protects="likely",
)
