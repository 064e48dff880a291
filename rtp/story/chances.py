"""ε in chances: how many of 100 possible prices would make an observer believe that a house is occupied.

Of all ways to explain ε, chances in words and as dots were understood best (Nanayakkara et al., "What Are the
Chances?", USENIX Security 2023). The observer here is the one that the promise is made against: she knows
what everyone else used, and holds both states of the house for equally likely before she sees the price. What
is left is one house and the noise, y = X + Lap(b) with X ~ U(0, u), u = u₁ while occupied and u₀ while empty;
she believes "occupied" where the density of y is the larger one under u₁.

The ratio of the two densities is monotone in y (see `rtp.probability.privacy_loss`): it crosses 1 once, at τ
between 0 and the larger bound, so both chances are tails of

    Pr[y ≤ τ] = (1/u)·∫₀ᵘ L((τ − x)/b) dx = (b/u)·(K(τ/b) − K((τ − u)/b)),   K(z) = max(z, 0) + e^{−|z|}/2,

with L the distribution function of Laplace noise and K its integral. Where the bounds are equal every price
is a tie, which a coin decides.

Any noise that keeps its ε allows at most e^ε times as many such prices while occupied as while empty, and at
most e^ε times as many others while empty: q ≤ e^ε·p and 1 − p ≤ e^ε·(1 − q). Furthest apart are
p = 1/(1 + e^ε) and q = e^ε/(1 + e^ε): the worst case the promise allows.
"""

from math import exp, expm1, inf, log
from typing import NamedTuple

import numpy as np

from rtp.probability.histogram import Histograms

FAR, POINTS = 20.0, 20_001  # of a grid: scales of noise beyond the last edges, and how fine it is
NO_NOISE = 1e-3  # of the largest use: a scale that would slip through the grid
HALVINGS = 60
NARROW = 1e-8  # beside the noise: a consumption that moves no digit that matters


class Chances(NamedTuple):
    """That a price makes her believe the house is occupied."""

    empty: float  # while it is empty
    occupied: float  # while it is occupied


EVEN = Chances(0.5, 0.5)


def worst(epsilon: float) -> Chances:
    """The furthest apart that the promise allows."""
    away = exp(-epsilon)
    return Chances(away / (1 + away), 1 / (1 + away))


def chances(b: float, occupied_bound: float, empty_bound: float) -> Chances:
    """Of one house, at noise of scale b on consumption; exact."""
    if b == inf:
        return EVEN
    low, high = sorted(width if width > NARROW * b else 0.0 for width in (occupied_bound, empty_bound))
    if low == high:
        return EVEN
    tau = _crossing(b, low, high)
    below_low, below_high = _below(tau, b, low), _below(tau, b, high)
    if occupied_bound > empty_bound:
        return Chances(1 - below_low, 1 - below_high)
    return Chances(below_high, below_low)


def chances_by_law(b: float, law: Histograms) -> Chances:
    """The same of one house with a law of its own, of which nothing is known to be monotone: a sum over a
    grid. Noise of less than a thousandth of its largest use is taken for none."""
    if b == inf:
        return EVEN
    if b <= NO_NOISE * float(law.edges[0, -1]):
        empty, occupied = law.mass[:, 0]
        likelier = np.sign(occupied - empty) / 2 + 0.5
        return Chances(float(empty @ likelier), float(occupied @ likelier))
    y = np.linspace(law.edges[0, 0] - FAR * b, law.edges[0, -1] + FAR * b, POINTS)[:, None]
    empty, occupied = law.log_density(y, np.full_like(y, b))[:, :, 0]
    likelier = np.sign(occupied - empty) / 2 + 0.5
    spacing = float(y[1, 0] - y[0, 0])
    one, other = (float(np.exp(density) @ likelier) * spacing for density in (empty, occupied))
    return Chances(min(one, 1.0), min(other, 1.0))


def _crossing(b: float, low: float, high: float) -> float:
    """Where the wider density overtakes the narrower one."""
    if b == 0:
        return low
    left, right = 0.0, high
    for _ in range(HALVINGS):
        middle = (left + right) / 2
        if _log_density(middle, b, high) > _log_density(middle, b, low):
            right = middle
        else:
            left = middle
    return (left + right) / 2


def _log_density(y: float, b: float, width: float) -> float:
    """Of U(0, width) + Lap(b) at y ≥ 0, up to a factor common to all widths."""
    if width == 0:
        return -y / b - log(b)
    if y > width:
        return (width - y) / b + log(-expm1(-width / b)) - log(width)
    return log(-expm1(-y / b) - expm1((y - width) / b)) - log(width)


def _below(tau: float, b: float, width: float) -> float:
    """Pr[U(0, width) + Lap(b) ≤ τ], τ ≥ 0."""
    if b == 0:
        return 1.0 if width <= tau else tau / width
    if width == 0:
        return 1 - exp(-tau / b) / 2
    z, lower = tau / b, (tau - width) / b
    return b / width * (_integral(z) - _integral(lower))


def _integral(z: float) -> float:
    return max(z, 0.0) + exp(-abs(z)) / 2
