"""Consumption with any distribution, given as two histograms a house, and what Laplace noise leaves to learn.

Both densities, empty and occupied, are constant on the same bins; a bin of no width is a point mass. A
histogram is a mixture of uniforms on its bins, so its density after adding noise is the sum of theirs, each
weighed with its bin's mass. Beyond a bin its density falls by e^{−distance/b}, so the bins to one side of a
value are one number at the edge of its own bin, carried from bin to bin. It is added up in logarithms: far
from a bin its density is too small for a float, and an underflow is no proof. Without noise a value's
likelihood ratio is that of the masses of its bin; point masses at that very value come first, because they
are infinitely denser. A value beyond the last edge counts as the last bin's, as it does where histograms are
learned.

*The supremum of the log-ratio.* After adding Lap(b) a density within a bin [a, c] is

    g(x) = C + L·e^{−(x − a)/b} + R·e^{−(c − x)/b},

C the bin's own height, L what lies to the left, R what lies to the right, both less what the bin itself
lacks. With y = e^{−(x − a)/b} and q = e^{−(c − a)/b} the ratio of two such densities is one of quadratics in
y, (L₁y² + C₁y + R₁q)/(L₀y² + C₀y + R₀q), so it turns only where

    (L₁C₀ − L₀C₁)·y² + 2q(L₁R₀ − L₀R₁)·y + q(C₁R₀ − C₀R₁) = 0.

Outside the bins it is constant. So the supremum of |ln g₁/g₀| is the largest value at the edges and at
these at most two turning points in every bin: computed, not searched for. For monotone ratios it is reached
at ±∞, as `rtp.probability.privacy_loss` has it; for others it need not be.

It falls as b grows: Lap(b′) with b′ > b is Lap(b) plus an independent amount, 0 with probability b²/b′² and
else Lap(b′) (multiply the characteristic functions), and what is added afterwards teaches nothing. So the
smallest scale that keeps a promise ε is a root, bracketed below u/ε.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rtp.core.types import Bools, Floats, Ints
from rtp.probability.laplace_uniform import (
    Complexes,
    log_ratio,
    uniform_characteristic,
    uniform_log_density,
)

SCALE_HALVINGS = 60  # of the scale that surely is enough
B_PRECISION = 1e-13  # of ln b
FAR_LOG = 700.0  # from ε, in logarithms
_TINY = 1e-300
PAIRS = 2**14  # of houses and scales whose loss is computed at once
POINT_WIDTH = 1e-8  # below it (1 − e^{−z})/z is 1


@dataclass(frozen=True, kw_only=True)
class Histograms:
    """The distributions of n houses' consumption, empty and occupied."""

    edges: Floats  # (n, K + 1), never falling
    mass: Floats  # (2, n, K): empty and occupied, each adding up to 1
    # means and variances, (2, n) each, where they are known better than the bins tell
    moments: tuple[Floats, Floats] | None = None

    def only(self, houses: slice | Ints | Bools) -> "Histograms":
        """Those of some houses."""
        moments = None if self.moments is None else (self.moments[0][:, houses], self.moments[1][:, houses])
        return Histograms(edges=self.edges[houses], mass=self.mass[:, houses], moments=moments)

    @cached_property
    def mean(self) -> Floats:
        """(2, n)"""
        if self.moments is not None:
            return self.moments[0]
        return np.asarray((self.mass * (self.edges[:, :-1] + self.edges[:, 1:])).sum(axis=2) / 2)

    @cached_property
    def variance(self) -> Floats:
        """(2, n)"""
        if self.moments is not None:
            return self.moments[1]
        low, high = self.edges[:, :-1], self.edges[:, 1:]
        squares: Floats = (self.mass * (low**2 + low * high + high**2)).sum(axis=2) / 3
        return np.maximum(squares - self.mean**2, 0.0)

    @cached_property
    def distinct(self) -> tuple["Histograms", Ints]:
        """Those that differ, and which of them each house has: most streets have few."""
        rows = np.concatenate([self.edges, *self.mass], axis=1)
        _, first, of_house = np.unique(rows, axis=0, return_index=True, return_inverse=True)
        return self.only(first), of_house.ravel()

    def characteristic(self, t: Floats) -> Complexes:
        """(2, n, len(t)): characteristic functions at nodes t, the bins' own, moved to where they begin."""
        total = np.zeros((*self.mass.shape[:2], len(t)), dtype=complex)
        for k, width in enumerate(np.diff(self.edges, axis=1).T):
            wave = uniform_characteristic(width, t) * np.exp(1j * np.outer(self.edges[:, k], t))
            total += self.mass[:, :, k, None] * wave
        return total

    def log_density(self, y: Floats, b: Floats) -> Floats:
        """(2, T, n): ln of the densities at y, (T, n), of consumption plus Lap(b), b > 0, (T, 1)."""
        result = np.empty((2, *y.shape))
        for scale in np.unique(b).tolist():
            rows = b[:, 0] == scale
            result[:, rows] = self._log_density(y[rows], scale)
        return result

    def _log_density(self, y: Floats, b: float) -> Floats:
        """The same at one scale: a value's own bin, and all that lies to its left and to its right."""
        house, place = np.arange(y.shape[1]), np.zeros(y.shape, dtype=np.intp)
        for edge in self.edges.T:
            place += y >= edge  # 0 below all bins, K + 1 above them
        ends = np.pad(self.edges, ((0, 0), (1, 1)), mode="edge")
        low, high = ends[house, place], ends[house, place + 1]
        log_mass, left, right = self._log_parts(b)
        own = log_mass[:, house, place] + uniform_log_density(y - low, np.array(b), high - low)
        before = left[:, house, place] - np.maximum(y - low, 0.0) / b
        after = right[:, house, place] - np.maximum(high - y, 0.0) / b
        return np.asarray(np.logaddexp(own, np.logaddexp(before, after) - np.log(2 * b)))

    def _log_parts(self, b: float) -> tuple[Floats, Floats, Floats]:
        """(2, n, K + 2) each, a place below all bins and one above them: ln of a bin's mass; of the masses to
        its left as they count at its lower edge; and of those to its right at its upper one."""
        width = np.diff(self.edges, axis=1) / b
        flat = width < POINT_WIDTH
        fading = np.where(flat, 1.0, -np.expm1(-width) / np.where(flat, 1.0, width))
        with np.errstate(divide="ignore"):
            log_mass = np.log(np.pad(self.mass, ((0, 0), (0, 0), (1, 1))))
            at_edge = np.log(self.mass * fading)
        left, right = np.full_like(log_mass, -np.inf), np.full_like(log_mass, -np.inf)
        for k in range(width.shape[1]):
            left[..., k + 2] = np.logaddexp(left[..., k + 1] - width[:, k], at_edge[..., k])
        for k in reversed(range(width.shape[1])):
            right[..., k] = np.logaddexp(right[..., k + 1] - width[:, k], at_edge[..., k])
        return log_mass, left, right

    def log_likelihood_ratio(self, y: Floats, b: Floats) -> Floats:
        """(T, n): ln f₁(y) − ln f₀(y), occupied against empty, with noise of scales b ≥ 0, (T, 1)."""
        result = np.zeros(y.shape)
        noisy = b[:, 0] > 0
        if noisy.any():
            empty, occupied = self.log_density(y[noisy], b[noisy])
            result[noisy] = log_ratio(occupied, empty)
        if not noisy.all():
            result[~noisy] = self._exact_ratio(y[~noisy])
        return result

    def _exact_ratio(self, y: Floats) -> Floats:
        """(T, n): the same of consumption itself."""
        result = np.empty(y.shape)
        for house, (edges, values) in enumerate(zip(self.edges, y.T, strict=True)):
            low, high, mass = edges[:-1], edges[1:], self.mass[:, house]
            within = np.clip(values, edges[0], edges[-1])
            of_value = mass[:, np.searchsorted(high, within, side="left")]
            points = (low == high) & mass.any(axis=0)
            for value in np.unique(low[points]).tolist():
                of_value[:, within == value] = mass[:, points & (low == value)].sum(axis=1)[:, None]
            with np.errstate(divide="ignore"):
                empty, occupied = np.log(of_value)
            result[:, house] = log_ratio(occupied, empty)
        return result

    def loss(self, b: float) -> Floats:
        """(n,): the supremum over all values of the log-ratio, in the unit of ε, for noise of scale b."""
        lowest, highest = self.llr_range(b)
        return np.maximum(-lowest, highest)

    def llr_range(self, b: float) -> tuple[Floats, Floats]:
        """(n,) each: the infimum and the supremum over all values of the log-ratio, for noise of scale b."""
        if np.isinf(b):
            return np.zeros(len(self.edges)), np.zeros(len(self.edges))
        if b == 0:
            return _bin_extremes(self.mass)
        own, of_house = self.distinct
        lowest, highest = extremes(own.edges, own.mass, np.full(len(own.edges), b))
        return lowest[of_house], highest[of_house]

    def losses(self, b: Floats) -> Floats:
        """(E, n): the same for noise of many scales."""
        own, of_house = self.distinct
        result = np.zeros((len(b), len(own.edges)))
        result[b == 0] = own.loss(0.0)
        at, house = np.nonzero(np.broadcast_to(((b > 0) & np.isfinite(b))[:, None], result.shape))
        for first in range(0, len(at), PAIRS):
            some = slice(first, first + PAIRS)
            low, high = extremes(own.edges[house[some]], own.mass[:, house[some]], b[at[some]])
            result[at[some], house[some]] = np.maximum(-low, high)
        return result[:, of_house]

    def scale(self, epsilons: Floats) -> Floats:
        """(E, n): the smallest scales that leave at most ε to learn; rounded up, so the promise stands."""
        own, of_house = self.distinct
        return smallest_scale(own.edges, own.mass, epsilons)[:, of_house]


def share_below(x: Floats, low: Floats, width: Floats) -> Floats:
    """Which share of a bin lies at or below x, from 0 to 1; a point, whose width is 0, lies there whole."""
    reach = x - low
    return np.where(width > 0, np.clip(reach, 0.0, width) / np.where(width > 0, width, 1.0), reach >= 0)


def smallest_scale(edges: Floats, mass: Floats, epsilons: Floats) -> Floats:
    """(E, n): the smallest scales that leave at most ε to learn: roots in ln b, bracketed by halving."""
    from scipy.optimize import elementwise

    lowest, highest = _bin_extremes(mass)
    result = np.zeros((len(epsilons), len(edges)))
    more = np.maximum(-lowest, highest) > epsilons[:, None]  # elsewhere a reading itself tells no more
    at, houses = np.nonzero(more)
    if not len(at):
        return result

    def too_much(log_b: Floats, house: Ints, epsilon: Floats) -> Floats:
        low, high = extremes(edges[house], mass[:, house], np.exp(log_b))
        loss = np.maximum(-low, high)
        return np.asarray(np.clip(np.log(np.maximum(loss, _TINY) / epsilon), -FAR_LOG, FAR_LOG))

    own = houses, epsilons[at]
    above = np.log(np.maximum(edges[houses, -1] - edges[houses, 0], 1e-300) / own[1])
    below = above - np.log(2)
    for _ in range(SCALE_HALVINGS):
        if not (less := too_much(below, *own) <= 0).any():
            break
        above, below = np.where(less, below, above), np.where(less, below - np.log(2), below)
    found = elementwise.find_root(too_much, (below, above), args=own, tolerances={"xatol": B_PRECISION})
    kept = [np.where(f <= 0, x, np.inf) for x, f in zip(found.bracket, found.f_bracket, strict=True)]
    result[more] = np.exp(np.minimum(above, np.minimum(*kept)))
    return result


def extremes(edges: Floats, mass: Floats, b: Floats) -> tuple[Floats, Floats]:
    """(n,) each: the infimum and the supremum of ln g₁/g₀ over all values, for noise of scale b > 0, (n,)."""
    width = np.diff(edges, axis=1) / b[:, None]
    q = np.exp(-width)
    own, left, right = _parts(mass, width, q)
    lowest, highest = np.zeros((2, len(edges)))
    edge = np.ones_like(q)
    turns = [(y, np.divide(q, y, out=edge.copy(), where=y > 0)) for y in _turning(own, left, right, q)]
    for y, z in ((edge, q), (q, edge), *turns):  # z is q/y
        low, high = _bin_extremes(own + left * y + right * z)
        lowest, highest = np.minimum(lowest, low), np.maximum(highest, high)
    return lowest, highest


def _parts(mass: Floats, width: Floats, q: Floats) -> tuple[Floats, Floats, Floats]:
    """C, L and R of every histogram and bin, (2, n, K), in units of 1/b."""
    flat = width < POINT_WIDTH
    wide = np.where(flat, 1.0, width)
    height = np.where(flat, 0.0, mass / wide)
    outside = mass / 2 * np.where(flat, 1.0, (1 - q) / wide)  # what a bin gives at its own nearer edge
    left, right = np.zeros_like(mass), np.zeros_like(mass)
    bins = mass.shape[2]
    for k in range(1, bins):
        left[:, :, k] = left[:, :, k - 1] * q[:, k - 1] + outside[:, :, k - 1]
        right[:, :, bins - 1 - k] = right[:, :, bins - k] * q[:, bins - k] + outside[:, :, bins - k]
    at_point = np.where(flat, mass / 4, 0.0)  # of the mass/2 that it has on itself, half from either side
    return height, left - height / 2 + at_point, right - height / 2 + at_point


def _turning(own: Floats, left: Floats, right: Floats, q: Floats) -> tuple[Floats, Floats]:
    """Where the ratio turns within a bin, (n, K) each; an edge where it does not."""
    a = left[1] * own[0] - left[0] * own[1]
    half = q * (left[1] * right[0] - left[0] * right[1])
    c = q * (own[1] * right[0] - own[0] * right[1])
    root = np.sqrt(np.maximum(half**2 - a * c, 0.0))
    stable = -(half + np.where(half < 0, -root, root))
    first = np.divide(stable, a, out=np.ones_like(q), where=np.abs(a) > 0)
    second = np.divide(c, stable, out=np.ones_like(q), where=np.abs(stable) > 0)
    return np.clip(first, q, 1.0), np.clip(second, q, 1.0)


def _bin_extremes(density: Floats) -> tuple[Floats, Floats]:
    """(n,) each: the least and the largest ln g₁/g₀ over the bins, of densities (2, n, K). What only one
    state can reach, as far as floats go, is proof; what neither can, is nowhere seen."""
    none = density <= 0
    safe = np.where(none, 1.0, density)
    ratio = np.where(none.any(axis=0), 0.0, np.log(safe[1]) - np.log(safe[0]))
    ratio = np.where(none[0] & ~none[1], np.inf, np.where(none[1] & ~none[0], -np.inf, ratio))
    return np.minimum(ratio.min(axis=1), 0.0), np.maximum(ratio.max(axis=1), 0.0)
