"""The smallest Laplace scale that keeps the same promise as Algorithm 1, for consumption uniform as modelled.

A house uses U(0, u₁) when occupied and U(0, u₀) when empty. Noise of scale b leaves |ln m(u₁/b) − ln m(u₀/b)|
to learn about it, m(y) = (e^y − 1)/y; `rtp.density.loss` has the proof. It falls as b grows; b_h is where it
equals ε.

Price response g ≤ 1 shrinks both bounds, which only lowers the loss, so the scale holds with it too.
"""

import numpy as np

from rtp.arrays import Floats
from rtp.density.histogram import Histograms
from rtp.density.loss import log_mean_exp, log_mean_exp_slope, privacy_loss
from rtp.mechanisms.base import Mechanism, Noise, Public, noise_for_protected, nth_house


def calibrate(occupied_bound: Floats, empty_bound: Floats, epsilon: float) -> Floats:
    """b_h of every house: the root of privacy_loss = ε, by Newton in s = 1/b; 0 where the bounds are equal.

    As a function of s the loss is increasing and convex and at least |u₁ − u₀|·s/2, so starting at
    s = 2ε/|u₁ − u₀| every step moves down towards the root and none overshoots.
    """
    high = np.maximum(occupied_bound, empty_bound).astype(float)
    low = np.minimum(occupied_bound, empty_bound).astype(float)
    differs = high > low
    high, low = np.where(differs, high, 1.0), np.where(differs, low, 0.0)
    s = 2 * epsilon / (high - low)
    both = np.array([high, low])
    for _ in range(60):
        loss, slope = log_mean_exp(both * s), both * log_mean_exp_slope(both * s)
        step = (loss[0] - loss[1] - epsilon) / (slope[0] - slope[1])
        s -= step
        if np.all(np.abs(step) <= 1e-9 * s):  # Newton squares the error: what is left is below rounding
            break
    return np.where(differs, 1 / s, 0.0)


def widest(occupied_bound: Floats, empty_bound: Floats, epsilon: float) -> tuple[float, int]:
    """max_h b_h and the house that needs it, solving for few houses only.

    Losses fall with b, so a house needs more than b exactly where its loss at b exceeds ε: solve for a likely
    house, look who is still above ε, solve for the worst of those, until nobody is.
    """
    gap = np.abs(occupied_bound - empty_bound)
    house = int(np.argmax(gap))
    b = float(calibrate(occupied_bound[house : house + 1], empty_bound[house : house + 1], epsilon)[0])
    if b == 0:
        return 0.0, house
    rivals = np.flatnonzero(gap > epsilon * b)  # the loss is at most gap/b, so nobody else can exceed ε
    while True:
        loss = privacy_loss(b, occupied_bound[rivals], empty_bound[rivals])
        rivals, loss = rivals[loss > epsilon * (1 + 1e-13)], loss[loss > epsilon * (1 + 1e-13)]
        if not len(rivals):
            return b, house
        house = int(rivals[np.argmax(loss)])
        b = float(calibrate(occupied_bound[house : house + 1], empty_bound[house : house + 1], epsilon)[0])
        rivals = rivals[rivals != house]


def widest_law(laws: Histograms, epsilon: float) -> tuple[float, int]:
    """The same for consumption with any law: see `rtp.density.histogram`."""
    needed = laws.scale(epsilon)
    return float(needed.max()), int(needed.argmax())


def noise(public: Public) -> Noise:
    street, kinds = public.street, public.kinds
    scale, house = np.zeros(len(kinds.members)), np.full(len(kinds.members), -1)
    for k, members in enumerate(kinds.members):
        if kinds.count[k]:
            if street.laws is not None:
                b, nth = widest_law(street.laws.only(members), public.epsilon)
            else:
                b, nth = widest(street.occupied_bound[members], street.empty_bound[members], public.epsilon)
            scale[k], house[k] = public.tariff.alpha * b, nth_house(members, nth)
    return noise_for_protected(public, scale, house)


MECHANISM = Mechanism(
    name="calibrated",
    label="Calibrated",
    promise="The same promise as Blowfish, with the smallest Laplace noise that keeps it.",
    relies_on="consumption being uniform as modelled, where Blowfish relies only on the bound",
    colour="#00936b",
    dash="dashdot",
    noise=noise,
    protects="uncertain",
    assumes="uniform",
)
