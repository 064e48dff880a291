"""What hides a house: everybody else, as an observer follows them, and the noise.

Each model of the others has J states with a distribution to begin with, moves from step to step, and says how
likely a reading is given the house's own state and theirs. A reading is the demand of all plus Laplace noise
of scale b = width × shape of the step; many widths, and many readings at each, are worked on at once.

* `Nobody`: an insider, who takes everybody else's use away; exact.
* `Joint`: every joint state of up to a dozen houses; exact.
* `Counts`: how many houses of each group are occupied. Given the counts, a sum of independent uses is a
  product of characteristic functions; houses of a group count as alike, so it is exact where they are.
* `Normal`: who is at home deviates from what is expected by a linear chain with the model's variance and
  covariance of neighbouring steps, followed on the grid of Rouwenhorst (1995): m two-state chains that change
  with probability (1 − ρ)/2 have exactly the autocorrelation ρ, and their count is all but normal. What
  houses use given who is at home is normal, too.

Densities are tables over nodes of the reading, a row divided by its largest value, which no comparison of
states notices. A house's own mass at a node, and the noise's, are those of `rtp.probability.joint_use`.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rtp.attack.observation import use_llr
from rtp.core.types import Floats
from rtp.probability.histogram import Histograms
from rtp.probability.joint_use import joint_use
from rtp.probability.markov import Chains
from rtp.street.draw import Use
from rtp.street.moments import DemandMoments

Singles = NDArray[np.float32]

FAINTEST = 1e-14  # of the likeliest state's density: what a Fourier transform rounds
TOLERANCE = 1e-9  # of the largest demand: what sums of floats lose
MOST_POINTS = 2**16  # sums of point masses that are told apart
JOINT_NODES = 2**22  # nodes × joint states
FINE, COARSE = 2_048, 512  # nodes
CHAINS = 24  # m, of a normal crowd
REACH = 5.5  # standard deviations of a reading beyond which it tells no more
FEW_BITS = 2**23  # of a table that is made at once


class Others(Protocol):
    """Everybody else, and the noise, to one observer."""

    exact: bool
    initial: Floats  # (J,)

    def move(self, states: Singles, step: int) -> Singles:
        """Return the states, (…, J), one step ahead."""

    def likelihood(self, step: int, reading: Floats) -> Singles:
        """Return Pr[reading | own state, theirs], (W, B, 2, J), the largest of each reading being 1; all 1
        where nothing explains it. Readings are (W, B)."""


class Nobody:
    """The insider's: the house's own use and the noise are all there is."""

    exact = True

    def __init__(self, use: Use, widths: Floats, shape: Floats) -> None:
        self.use, self.widths, self.shape, self.initial = use, widths, shape, np.ones(1)

    def move(self, states: Singles, step: int) -> Singles:
        return states

    def likelihood(self, step: int, reading: Floats) -> Singles:
        b = np.broadcast_to((self.widths * self.shape[step])[:, None], reading.shape)
        ratio = use_llr(reading.reshape(-1, 1), b.reshape(-1, 1), self.use).reshape(reading.shape)
        each = np.stack([np.exp(-np.maximum(ratio, 0.0)), np.exp(np.minimum(ratio, 0.0))], axis=-1)
        return np.asarray(each[..., None], dtype=np.float32)


class _Tables:
    """Densities by mass on nodes: shared by `Joint` and `Counts`."""

    def __init__(self, widths: Floats, shape: Floats) -> None:
        self.widths, self.shape = widths, shape
        self.cut = (-np.inf, np.inf)
        self._made: dict[float, tuple[Singles, Singles, Singles]] = {}

    spacing: float
    mass: Floats  # (nodes, 2J)

    def likelihood(self, step: int, reading: Floats) -> Singles:
        table, least, most = self._tables(float(self.shape[step]))
        place = np.clip(reading / self.spacing, 0.0, len(self.mass) - 1.0)
        below = np.minimum(place.astype(np.intp), len(self.mass) - 2)
        share = (place - below).astype(np.float32)[..., None]
        flat = table.reshape(-1, table.shape[-1])
        below += np.arange(len(self.widths))[:, None] * len(self.mass)
        likely = flat.take(below, axis=0)
        likely += share * (flat.take(below + 1, axis=0) - likely)
        low, high = self.cut
        for at, ends in ((reading <= low, least), (reading >= high, most)):
            if at.any():
                likely[at] = ends[np.nonzero(at)[0]]
        self._decode(step, reading, likely)
        return scaled(likely).reshape(*reading.shape, 2, -1)

    def _decode(self, step: int, reading: Floats, likely: Singles) -> None:
        """Nothing to add where nobody's use is a point."""

    def _tables(self, shape: float) -> tuple[Singles, Singles, Singles]:
        """Return the densities, (W, nodes, 2J), and the probabilities beyond either cut, (W, 2J)."""
        if shape not in self._made:
            self._made[shape] = self._make(self.widths * shape)
        return self._made[shape]

    def _make(self, b: Floats) -> tuple[Singles, Singles, Singles]:
        nodes, states = self.mass.shape
        table = np.empty((len(b), nodes, states), dtype=np.float32)
        ends = np.empty((2, len(b), states), dtype=np.float32)
        waves = np.fft.rfft([noise_kernel(scale, self.spacing, nodes) for scale in b.tolist()], axis=1)
        some = max(FEW_BITS // nodes, 1)
        for first in range(0, states, some):
            now = slice(first, first + some)
            wave = np.fft.rfft(self.mass[:, now].T, 2 * nodes, axis=1)
            for w, kernel in enumerate(waves):
                density = np.fft.irfft(wave * kernel, 2 * nodes, axis=1)[:, :nodes]
                table[w, :, now] = np.maximum(density, 0.0).T
        at = self.spacing * np.arange(nodes)
        for w, scale in enumerate(b.tolist()):
            top = table[w].max(axis=1, keepdims=True)
            table[w] /= np.where(top > 0, top, 1.0)
            if scale > 0:
                np.maximum(table[w], FAINTEST, out=table[w])
            for side, (cut, sign) in enumerate(zip(self.cut, (-1, 1), strict=True)):
                beyond = noise_beyond(sign * (cut - at), scale) if np.isfinite(cut) else np.zeros(nodes)
                ends[side, w] = beyond @ self.mass
        return table, ends[0], ends[1]


def scaled(likely: Singles) -> Singles:
    """Return the rows divided by their largest value; 1 where there is none."""
    top = likely.max(axis=-1, keepdims=True)
    none = top <= 0
    likely /= np.where(none, np.float32(1), top)
    if none.any():
        likely[none[..., 0]] = 1
    return likely


def noise_kernel(b: float, spacing: float, nodes: int) -> Floats:
    """Return the density of Lap(b) around a cell of mass, at the nodes 0, 1, … and back to −1, (2·nodes,)."""
    kernel = np.zeros(2 * nodes)
    if b <= 0:
        kernel[0] = 1 / spacing
        return kernel
    root, gap = np.exp(-spacing / b / 2), -np.expm1(-spacing / b)
    away = root * gap / 2 * np.exp(-np.minimum(spacing * np.arange(nodes - 1) / b, 700.0))
    kernel[0], kernel[1:nodes], kernel[nodes + 1 :] = -np.expm1(-spacing / b / 2), away, away[::-1]
    return kernel / spacing


def noise_beyond(distance: Floats, b: float) -> Floats:
    """Return Pr[Lap(b) ≥ distance]; without noise whether 0 is."""
    if b <= 0:
        return np.asarray(distance <= 0, dtype=float)
    half = np.exp(-np.minimum(np.abs(distance) / b, 700.0)) / 2
    return np.where(distance > 0, half, 1 - half)


class Joint(_Tables):
    """All joint states of a few houses, the one that is asked about first."""

    exact = True

    def __init__(self, use: Use, chains: Chains, widths: Floats, shape: Floats) -> None:
        super().__init__(widths, shape)
        laws = use.histograms()
        n = len(laws.edges)
        found = joint_use(laws, min(FINE if n <= 8 else COARSE * 2, JOINT_NODES >> n))
        self.spacing, self.mass = found.spacing, found.mass
        self.points = point_sums(laws)
        self.sure = bool((laws.mass.max(axis=2) == 1).all()) and len(self.points[0]) == 2**n
        self.sure &= bool(_is_point(laws)[laws.mass == 1].all()) if self.sure else False
        self.largest = float(laws.edges.max(axis=1).sum())
        self.chains = chains.select(np.arange(1, n))
        self.initial = kron(np.stack([1 - self.chains.initial, self.chains.initial], 1)[:, None])[0]
        self._moves: dict[int, tuple[Singles, Singles]] = {}

    def move(self, states: Singles, step: int) -> Singles:
        one, other = self._halves(int(self.chains.row[step]))
        return apply_moves(states, (one, other))

    def _halves(self, row: int) -> tuple[Singles, Singles]:
        if row not in self._moves:
            leave, arrive = self.chains.leave[row], self.chains.arrive[row]
            each = np.array([[1 - arrive, arrive], [leave, 1 - leave]]).transpose(2, 0, 1)
            half = len(each) // 2 if len(each) > 6 else 0
            self._moves[row] = tuple(kron(part).astype(np.float32) for part in (each[:half], each[half:]))
        return self._moves[row]

    def _decode(self, step: int, reading: Floats, likely: Singles) -> None:
        """A demand that houses reach at points of theirs alone is proof that they are there; where every use
        is a point, noise is around those sums."""
        value, mass, state = self.points
        if not len(value):
            return
        for w, b in enumerate((self.widths * self.shape[step]).tolist()):
            low, high = self.cut
            within = (reading[w] > low) & (reading[w] < high)
            if b > 0 and self.sure:
                away = -np.abs(reading[w, within, None] - value) / b
                own = np.zeros((within.sum(), likely.shape[-1]), dtype=np.float32)
                own[:, state] = np.exp(np.maximum(away - away.max(axis=1, keepdims=True), -80.0))
                likely[w, within] = own
            elif b == 0:
                first = np.searchsorted(value, reading[w] - TOLERANCE * self.largest)
                last = np.searchsorted(value, reading[w] + TOLERANCE * self.largest)
                for row in np.flatnonzero((last > first) & within).tolist():
                    here = slice(first[row], last[row])
                    likely[w, row] = np.bincount(state[here], mass[here], likely.shape[-1])


def _is_point(laws: Histograms) -> NDArray[np.bool_]:
    return np.broadcast_to(np.diff(laws.edges, axis=1) == 0, laws.mass.shape)


def point_sums(laws: Histograms) -> tuple[Floats, Floats, NDArray[np.intp]]:
    """Return the demands that houses reach at point masses alone, rising, with their probabilities and joint
    states; none where they are too many to be told apart."""
    point = _is_point(laws) & (laws.mass > 0)
    value, mass, state = np.zeros(1), np.ones(1), np.zeros(1, dtype=np.intp)
    for house in range(len(laws.edges)):
        own, bins = np.nonzero(point[:, house])
        if len(value) * len(own) > MOST_POINTS:
            return np.zeros(0), np.zeros(0), np.zeros(0, dtype=np.intp)
        value = np.add.outer(value, laws.edges[house, bins]).ravel()
        mass = np.multiply.outer(mass, laws.mass[own, house, bins]).ravel()
        state = np.add.outer(2 * state, own).ravel()
    order = np.argsort(value, kind="stable")
    return value[order], mass[order], state[order]


def kron(matrices: Floats) -> Floats:
    """Return the Kronecker product of all of these, (k, m, n)."""
    result = np.ones((1, 1))
    for matrix in matrices:
        result = np.kron(result, matrix)
    return result


def apply_moves(states: Singles, matrices: Sequence[Singles]) -> Singles:
    """Return states, (…, J), moved by the Kronecker product of these matrices, rows from, columns to."""
    shape, ahead, rest = states.shape, states, 1
    for matrix in reversed(matrices):
        n = len(matrix)
        if n > 1:
            if rest == 1:
                ahead = ahead.reshape(-1, n) @ matrix
            else:
                ahead = np.matmul(matrix.T, ahead.reshape(-1, n, rest))
        rest *= n
    return ahead.reshape(shape)


class Counts(_Tables):
    """How many of the others are occupied, group by group."""

    def __init__(self, own: Use, groups: Sequence[tuple[Use, Chains]], widths: Floats, shape: Floats) -> None:
        """`groups` are the other houses, group by group, none empty."""
        super().__init__(widths, shape)
        self.exact = all(alike(use, chains) for use, chains in groups)
        self.groups = groups
        laws = [use.histograms() for use, _ in groups]
        alone = own.histograms()
        largest = float(alone.edges.max()) + sum(float(law.edges.max(axis=1).sum()) for law in laws)
        size = 2 * int(np.prod([len(law.edges) + 1 for law in laws]))
        houses = 1 + sum(len(law.edges) for law in laws)
        nodes = 2 * FINE if size <= COARSE else FINE
        self.spacing = largest / (nodes - houses - 2)
        waves = [np.fft.rfft(node_masses(alone, self.spacing, nodes).mean(axis=1), axis=-1)]
        for law in laws:
            empty, occupied = np.fft.rfft(node_masses(law, self.spacing, nodes).mean(axis=1), axis=-1)
            k = np.arange(len(law.edges) + 1)[:, None]
            waves.append(occupied**k * empty ** k[::-1])
        mass = np.empty((nodes, size))
        rest = waves[1]
        for wave in waves[2:]:
            rest = (rest[:, None] * wave).reshape(-1, wave.shape[1])
        for s, wave in enumerate(waves[0]):
            columns = slice(s * len(rest), (s + 1) * len(rest))
            mass[:, columns] = np.fft.irfft(rest * wave, nodes, axis=1).T
        self.mass = np.where(mass > 1e-13 * mass.max(axis=0), mass, 0.0)
        self.matrices = [
            count_matrices(len(law.edges), chains.leave.mean(axis=1), chains.arrive.mean(axis=1)).astype(
                np.float32
            )
            for law, (_, chains) in zip(laws, groups, strict=True)
        ]
        start = [
            count_start(len(law.edges), chains.initial.mean())
            for law, (_, chains) in zip(laws, groups, strict=True)
        ]
        first = np.ones(1)
        for each in start:
            first = np.multiply.outer(first, each).ravel()
        self.initial = first

    def move(self, states: Singles, step: int) -> Singles:
        row = [int(chains.row[step]) for _, chains in self.groups]
        return apply_moves(states, [m[r] for m, r in zip(self.matrices, row, strict=True)])


def alike(use: Use, chains: Chains) -> bool:
    """Whether houses use and live alike."""
    law = use.histograms()
    columns = (law.edges.T, *law.mass.transpose(0, 2, 1), chains.leave, chains.arrive, chains.initial[None])
    return all(bool((each == each[:, :1]).all()) for each in columns)


def node_masses(houses: Histograms, spacing: float, nodes: int) -> Floats:
    """Return what of each house's use is put on every node, (2, n, nodes), so that its mean stays."""
    at = spacing * np.arange(-1, nodes + 1)
    integral = np.zeros((2, len(houses.edges), nodes + 2))
    for k, width in enumerate(np.diff(houses.edges, axis=1)[:, :, None].transpose(1, 0, 2)):
        beyond = np.maximum(at - houses.edges[:, k, None], 0.0)
        ramp = beyond**2 / np.where(width > 0, 2 * width, 1.0)
        integral += houses.mass[:, :, k, None] * np.where(beyond < width, ramp, beyond - width / 2)
    return np.asarray(np.diff(integral, n=2, axis=2) / spacing)


def count_start(n: int, occupied: float) -> Floats:
    """Return the distribution of how many of n houses are occupied, (n + 1,)."""
    result = np.ones(1)
    for _ in range(n):
        result = np.convolve(result, [1 - occupied, occupied])
    return result


def count_matrices(n: int, leave: Floats, arrive: Floats) -> Floats:
    """Return how the count of n alike houses moves, (…, n + 1, n + 1), rows from, columns to."""
    lead = leave.shape
    out, back = (each[..., None, None] for each in (leave, arrive))
    matrix = np.ones((*lead, 1, 1))
    for k in range(n):
        larger = np.zeros((*lead, k + 2, k + 2))
        larger[..., :-1, :-1] += (1 - back) * matrix  # one more, who is empty
        larger[..., :-1, 1:] += back * matrix
        larger[..., -1:, :-1] += out * matrix[..., -1:, :]  # to the full row: one more, who is occupied
        larger[..., -1:, 1:] += (1 - out) * matrix[..., -1:, :]
        matrix = larger
    return matrix


class Normal:
    """Everybody else's demand as a linear chain on a grid, and their use as normal."""

    exact = False

    def __init__(self, own: Use, others: DemandMoments, widths: Floats, shape: Floats) -> None:
        self.own, self.widths, self.shape, self.cut = own, widths, shape, (-np.inf, np.inf)
        variance, lag = others.occupancy_variance.sum(axis=0), others.lag1_covariance.sum(axis=0)
        spread = np.sqrt(np.maximum(variance, 0.0))
        both = spread[:-1] * spread[1:]
        rho = np.clip(np.divide(lag[:-1], both, out=np.zeros_like(both), where=both > 0), 0.0, 1.0)
        self.matrices = count_matrices(CHAINS, (1 - rho) / 2, (1 - rho) / 2).astype(np.float32)
        self.initial = count_start(CHAINS, 0.5)
        gap = 2 * spread / np.sqrt(CHAINS)
        self.mean = others.expected_demand
        self.offset = np.outer(gap, np.arange(CHAINS + 1) - CHAINS / 2)  # (T, J)
        white = np.maximum(others.consumption_variance.sum(axis=0), 0.0)
        self.smooth = np.maximum(white + gap**2 / 12, gap**2 / 4)  # (T,)

    def move(self, states: Singles, step: int) -> Singles:
        return apply_moves(states, [self.matrices[step]])

    @cached_property
    def _own_moments(self) -> tuple[float, float]:
        mean, variance = self.own.moments()
        return float(mean.mean()), float((variance + (mean - mean.mean()) ** 2).max())

    def likelihood(self, step: int, reading: Floats) -> Singles:
        middle, own = self._own_moments
        b = self.widths * self.shape[step]
        total = np.sqrt(self.smooth[step] + own + 2 * b**2 + 1e-300)
        dz = 16 * total / COARSE
        smooth = np.maximum(self.smooth[step], dz**2)
        t = np.multiply.outer(2 * np.pi / (COARSE * dz), np.arange(COARSE // 2 + 1))  # (W, nodes)
        damp = np.exp(-smooth[:, None] * t**2 / 2) / (1 + (b[:, None] * t) ** 2)
        waves = np.stack([self.own.characteristic(row) for row in t])[:, :, 0]  # (W, 2, nodes)
        waves = waves * (damp * np.exp(-1j * t * (middle - COARSE / 2 * dz[:, None])))[:, None]
        density = np.fft.irfft(
            np.conj(waves), COARSE, axis=2
        )  # a characteristic function turns the other way
        table = np.maximum(density, FAINTEST * density.max(axis=(1, 2), keepdims=True)).astype(np.float32)
        z = reading - self.mean[step] - middle
        place = (z[..., None] - self.offset[step]) / dz[:, None, None] + COARSE / 2
        inside = REACH / 16 * COARSE
        place = np.clip(place, COARSE / 2 - inside, COARSE / 2 + inside)
        below = place.astype(np.intp)
        share = (place - below).astype(np.float32)
        flat = np.ascontiguousarray(table.transpose(0, 2, 1)).reshape(-1, 2)
        below += (np.arange(len(b)) * COARSE)[:, None, None]
        at = flat.take(below, axis=0)
        likely = at + share[..., None] * (flat.take(below + 1, axis=0) - at)  # (W, B, J, 2)
        likely = likely.swapaxes(2, 3).reshape(*reading.shape, -1)
        for side, cut in enumerate(self.cut):
            hit = reading >= cut if side else reading <= cut
            if np.isfinite(cut) and hit.any():
                likely[hit] = self._beyond(step, cut, side, table, dz)[np.nonzero(hit)[0]]
        return scaled(likely).reshape(*reading.shape, 2, -1)

    def _beyond(self, step: int, cut: float, side: int, table: Singles, dz: Floats) -> Singles:
        """Return the probabilities beyond a cut, (W, 2J)."""
        middle, _ = self._own_moments
        below = np.cumsum(table / table.sum(axis=2, keepdims=True), axis=2, dtype=float)
        reach = cut - self.mean[step] - middle - self.offset[step]
        result = np.empty((len(dz), 2, reach.size), dtype=np.float32)
        for w, d in enumerate(dz.tolist()):
            for s in (0, 1):
                share = np.interp(reach / d + COARSE / 2, np.arange(COARSE) + 0.5, below[w, s], 0.0, 1.0)
                result[w, s] = 1 - share if side else share
        return result.reshape(len(dz), -1)
