"""The log-density of a rate under every joint state of up to a dozen houses, however unlikely.

A joint state's consumption is a sum of uniforms, 0 ≤ Z ≤ Σu. Outside that range only noise explains the rate
and the density is an exponential, whose logarithm is written down and never underflows: with noise no state
is ever impossible; without, a state that cannot reach the rate is. Inside, few houses have the exact density
of `every_state`. Of more houses its differences cancel and 2^n sums in decimals take too long; but their
density is smooth, so a Fourier series on the window [0, Σ max u] has it: with nodes t_k = 2πk/R and ĝ_k the
coefficients of the noise's density seen from the rate,

    f = Σ ĝ_k·Π φⱼ(t_k),    φⱼ(t) = (e^{iut} − 1)/iut,

and the product over all houses is that of two halves of the street: 2^(n/2) × 2^(n/2) states in one matrix
product. Its error is absolute, `RESOLVED` of the largest density: below, a state counts as just so unlikely.
"""

from functools import reduce

import numpy as np

from rtp.core.types import Floats
from rtp.probability.characteristic import Complexes, uniform
from rtp.probability.loss import log_mean_fall
from rtp.probability.states import every_state

FEW = 5  # houses up to which inclusion and exclusion is exact and fast
SMALL = 9  # houses up to which twice the nodes cost next to nothing
NODES = 1024
RESOLVED = 1e-12
DAMPING = 36.0  # the last nodes are damped by e^−36, which ends a series that would ring
ORDER = 16  # so steeply that the first half of them is left alone


class JointDensity:
    """What does not change from rate to rate, for one street."""

    def __init__(self, occupied_bound: Floats, empty_bound: Floats) -> None:
        self.occupied_bound, self.empty_bound = occupied_bound, empty_bound
        self.widths = np.column_stack([empty_bound, occupied_bound])
        self.total = _every_sum(self.widths)
        self.window = float(np.maximum(occupied_bound, empty_bound).sum())
        self.series = len(occupied_bound) > FEW and self.window > 0
        if self.series:
            count = NODES if len(occupied_bound) > SMALL else 2 * NODES
            self.nodes: Floats = 2 * np.pi / self.window * np.arange(count, dtype=float)
            self.damping = np.exp(-DAMPING * (np.arange(count) / count) ** ORDER)
            half = len(occupied_bound) // 2
            self.first = _product(self.widths[:half], self.nodes)
            second = _product(self.widths[half:], self.nodes)
            self.second = second.real.T.copy(), second.imag.T.copy()

    def log_at(self, x: float, b: float) -> Floats:
        """(2^n,) in counting order, the log-density at x of consumption plus Lap(b)."""
        edge = np.minimum(x, self.total - x)
        inside = edge > 0
        result = np.full(len(self.total), -np.inf)
        if b > 0:
            in_noise = _every_sum(log_mean_fall(self.widths / b))
            result = np.minimum(edge, 0.0) / b + in_noise - np.log(2 * b)
        elif x <= 0:
            result[self.total == 0] = 0.0  # a point mass; whoever uses anything uses more than nothing
        if inside.any():
            density = self._series(x, b) if self.series else self._exact(x, b)
            largest = density[inside].max()
            if largest > 0:
                result[inside] = np.log(np.maximum(density[inside], RESOLVED * largest))
        return result

    def _exact(self, x: float, b: float) -> Floats:
        return every_state(x, self.occupied_bound, self.empty_bound, b)

    def _series(self, x: float, b: float) -> Floats:
        weight = _noise(self.nodes, x, b, self.window) * (self.damping / self.window)
        weighted = self.first * weight
        return np.asarray(weighted.real @ self.second[0] - weighted.imag @ self.second[1]).ravel()


def _noise(t: Floats, x: float, b: float, window: float) -> Complexes:
    """Fourier coefficients on [0, window] of Laplace's density at x − z, at the nodes t = 2πk/window; all but
    0 count twice.

    With y = x within the window, ∫ e^{−itz}·e^{−|z − y|/b}/2b dz over it is, since e^{−it·window} = 1,
    [2e^{−ity} − (A + B) − ibt(A − B)]/2(1 + b²t²) with A = e^{−y/b}, B = e^{−(window − y)/b}.
    """
    kink = min(max(x, 0.0), window)  # seen from outside the density is one exponential, wherever x is
    cosine, sine = np.cos(t * kink), np.sin(t * kink)
    coefficients = np.empty(len(t), dtype=complex)
    if b > 0:
        left, right = np.expm1(-kink / b), np.expm1(-(window - kink) / b)  # A − 1 and B − 1: t may be 0
        factor = np.exp(-abs(x - kink) / b) / (1 + (b * t) ** 2)
        coefficients.real = (2 * (cosine - 1) - (left + right)) * factor
        coefficients.imag = (-2 * sine - (b * t) * (left - right)) * factor
    else:
        coefficients.real, coefficients.imag = 2 * cosine, -2 * sine
    coefficients[t == 0] /= 2
    return coefficients


def _product(widths: Floats, t: Floats) -> Complexes:
    """(2^m, nodes): the characteristic function of every joint state of m houses."""
    each = uniform(widths.ravel(), t).reshape(*widths.shape, len(t))
    product = np.ones((1, len(t)), dtype=complex)
    for states in each:
        product = (product[:, None] * states).reshape(-1, len(t))
    return product


def _every_sum(choices: Floats) -> Floats:
    """All sums of one entry from every row, in counting order."""
    return np.asarray(reduce(np.add.outer, choices)).ravel()
