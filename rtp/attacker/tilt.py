"""A crowd's total consumption, leaning: every house's law times e^{sX}, so that an unlikely total is typical.

A house uses U(0, u₁) with chance p (occupied) and U(0, u₀) with chance q (empty). Tilting keeps houses
independent and each a mixture of two (tilted) uniforms. Noise of scale b explains any distance at a cost of
1/b per unit, so no tilt beyond ±1/b is ever needed.
"""

from dataclasses import dataclass

import numpy as np

from rtp.arrays import Floats
from rtp.density.loss import log_mean_exp_signed

LARGEST = 300.0  # exponent; only a state that was impossible can gain more


@dataclass(frozen=True, kw_only=True)
class Crowd:
    """Houses that are each in one of two states. All arrays are (N,)."""

    occupied: Floats  # chance
    empty: Floats
    occupied_bound: Floats
    empty_bound: Floats

    @property
    def widest(self) -> float:
        return float(max(self.occupied_bound.max(), self.empty_bound.max()))

    @property
    def support(self) -> float:
        """The largest total there can be."""
        return float(np.maximum(self.occupied_bound, self.empty_bound).sum())

    @property
    def most(self) -> float:
        """The same over states that are still possible."""
        if_occupied = np.where(self.occupied > 0, self.occupied_bound, 0.0)
        return float(np.maximum(if_occupied, np.where(self.empty > 0, self.empty_bound, 0.0)).sum())


@dataclass(frozen=True, kw_only=True)
class Tilted:
    """The same crowd under the tilt s."""

    s: float
    occupied: Floats
    empty: Floats
    occupied_ratio: Floats  # tilted over untilted chance
    empty_ratio: Floats
    mean: float  # of the total
    variance: float


def upright(crowd: Crowd) -> Tilted:
    """No tilt at all."""
    p, u, v = crowd.occupied, crowd.occupied_bound, crowd.empty_bound
    mean, swing = v / 2, (u - v) / 2
    within = v**2 / 12 + p * (u**2 - v**2) / 12
    ones = np.ones_like(p)
    return Tilted(
        s=0.0,
        occupied=p,
        empty=crowd.empty,
        occupied_ratio=ones,
        empty_ratio=ones,
        mean=float((mean + p * swing).sum()),
        variance=float((within + p * crowd.empty * swing**2).sum()),
    )


def tilted(crowd: Crowd, s: float) -> Tilted:
    if s == 0:
        return upright(crowd)
    p, q = crowd.occupied, crowd.empty
    gain_1, gain_0 = (log_mean_exp_signed(s * bound) for bound in (crowd.occupied_bound, crowd.empty_bound))
    leading = np.where(p == 0, gain_0, np.where(q == 0, gain_1, np.maximum(gain_1, gain_0)))
    ratio_1, ratio_0 = (np.exp(np.minimum(gain - leading, LARGEST)) for gain in (gain_1, gain_0))
    norm = p * ratio_1 + q * ratio_0
    ratio_1, ratio_0 = ratio_1 / norm, ratio_0 / norm
    p, q = p * ratio_1, q * ratio_0
    mean_1, variance_1 = leaning(s, crowd.occupied_bound)
    mean_0, variance_0 = leaning(s, crowd.empty_bound)
    return Tilted(
        s=s,
        occupied=p,
        empty=q,
        occupied_ratio=ratio_1,
        empty_ratio=ratio_0,
        mean=float((p * mean_1 + q * mean_0).sum()),
        variance=float((p * variance_1 + q * variance_0 + p * q * (mean_1 - mean_0) ** 2).sum()),
    )


def leaning(s: float, width: Floats) -> tuple[Floats, Floats]:
    """Mean and variance of U(0, width) tilted by e^{sX}."""
    y = np.abs(s * width)
    flat = y < 1e-2
    safe = np.where(flat, 1.0, y)
    rest = -np.expm1(-safe)
    mean = np.where(flat, 0.5 + y / 12, 1 / rest - 1 / safe)
    variance = np.where(flat, 1 / 12 - y**2 / 240, 1 / safe**2 - np.exp(-safe) / rest**2)
    return width * (mean if s > 0 else 1 - mean), width**2 * variance


def towards(crowd: Crowd, x: float, b: float) -> Tilted:
    """The tilt, |s| ≤ 1/b, under which x is within a few standard deviations, or noise explains what is left.

    Newton's method inside a bracket; the result is rounded, so that neighbouring x share a tilt. Without
    noise x must lie inside (0, crowd.most).
    """
    law = upright(crowd)
    spread, ahead = np.sqrt(law.variance), np.sign(x - law.mean)
    limit = np.inf
    if b > 0:
        edge = tilted(crowd, float(ahead / b))
        if ahead * (x - edge.mean) >= 0:
            return edge
        limit = 1 / b
    near = 0.0  # what has been passed, in the direction of x
    for _ in range(200):
        excess = ahead * (law.mean - x)
        if excess**2 <= law.variance:
            break
        near, limit = (abs(law.s), limit) if excess < 0 else (near, abs(law.s))
        s = abs(law.s) - excess / law.variance
        if law.s and limit == np.inf:  # the mean levels off, so Newton may overshoot by far
            s = min(s, 2 * abs(law.s))
        law = tilted(crowd, float(ahead * (s if near < s < limit else (near + limit) / 2)))
    rounded = tilted(crowd, float(np.round(law.s * spread / 2) * 2 / spread))
    return rounded if (rounded.mean - x) ** 2 <= 9 * rounded.variance and abs(rounded.s) < limit else law
