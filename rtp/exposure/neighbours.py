"""What hides a house from an outsider: its neighbours, as she follows them one by one or counts them.

Each model has joint states, the house's own among them, with a distribution to begin with; it moves them
from step to step, and says how likely a reading is given each. A reading is the demand of all plus Laplace
noise of scale b = width × shape of the step; many widths, and many readings at each, are worked on at once.

* `Joint`: every joint state of up to a dozen houses; exact.
* `Counts`: how many houses of each group are occupied. Given the counts, a sum of independent uses is a
  product of characteristic functions; houses of a group count as alike, so it is exact where they are.

Densities are tables over nodes of the reading, a row divided by its largest value, which no comparison of
states notices. Masses at nodes, and the noise's density around them, are as in `rtp.probability.joint_use`. A
rate at its cap, or at zero where it is cut there, is as likely as what the noise leaves beyond.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from rtp.core.types import Floats, Ints
from rtp.exposure.points import Points
from rtp.probability.joint_use import joint_use, node_masses
from rtp.probability.markov import Chains
from rtp.street.draw import Use

Singles = NDArray[np.float32]
Cut = tuple[float, float]  # of readings: at least and at most
UNCUT: Cut = (-np.inf, np.inf)

FAINTEST = 1e-14  # of the likeliest state's density: what a Fourier transform rounds
SMALLEST = 64  # nodes of the smallest house
TINY = 1e-300
BLUR = 4.0  # nodes, of a house: so far apart may sums be blurred beside noise
JOINT_NODES = 2**22  # nodes × joint states
FINE, COARSE = 2_048, 512  # nodes
FEW = 8  # houses whose joint states are few
AT_ONCE = 2**18  # likelihoods, of all states
FEW_BITS = 2**23  # of a table that is made at once
ALONE = 2**18  # multiplications that are not worth a second thread


class _Tables:
    """Densities by mass on nodes: shared by `Joint` and `Counts`."""

    def __init__(self, widths: Floats, shape: Floats, cut: Cut) -> None:
        self.widths, self.shape, self.cut = widths, shape, cut
        self._made: dict[float, tuple[Singles, Singles, Singles]] = {}

    spacing: float
    mass: Floats  # (nodes, J)
    points: Points
    blurred: float  # scales of noise below which nodes blur sums of point masses more than it does

    def likelihoods(self, readings: Floats, at: Ints, steps: slice = slice(None)) -> Iterator[Singles]:
        """Return Pr[reading | all states], (W, B, 2J), one by one of these steps, up to a factor of each
        reading; all 1 where nothing explains it. Readings are (T, W, B), at some of the widths."""
        nodes, states = self.mass.shape
        none = self.widths[at] == 0
        most = max(AT_ONCE // (readings[0].size * states), 1)
        readings, shape = readings[steps], self.shape[steps]
        for now in _alike_steps(shape, most):
            seen, part = readings[now], float(shape[now.start])
            table, *ends = self._tables(part)
            flat = table.reshape(-1, states)
            place = np.clip(seen / self.spacing, 0.0, nodes - 1.0)
            below = np.minimum(place.astype(np.intp), nodes - 2)
            share = (place - below).astype(np.float32)[..., None]
            below += at[:, None] * nodes
            likely = flat.take(below, axis=0)
            above = flat.take(below + 1, axis=0)
            above -= likely
            above *= share
            likely += above
            for hit, end in zip((seen <= self.cut[0], seen >= self.cut[1]), ends, strict=True):
                if hit.any():
                    likely[hit] = end[at[np.nonzero(hit)[1]]]
            for reading, of_step in zip(seen, likely, strict=True):
                self._decode(self.widths[at] * part, reading, of_step)
            if none.any() or part == 0:
                silent = none if part else slice(None)
                likely[:, silent] = scaled(likely[:, silent])
            yield from likely

    def _decode(self, b: Floats, reading: Floats, likely: Singles) -> None:
        """Let a demand that houses reach at points of theirs alone be proof that they are there; where every
        use is a point, noise is around those sums."""
        if not len(self.points.value):
            return
        for w, scale in enumerate(b.tolist()):
            within = np.flatnonzero((reading[w] > self.cut[0]) & (reading[w] < self.cut[1]))
            if scale == 0:
                for row in within.tolist():
                    if (explained := self.points.explaining(float(reading[w, row]))) is not None:
                        likely[w, row] = explained
            elif self.points.sure and scale < self.blurred and len(within):
                likely[w, within] = self.points.around(reading[w, within], scale)

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
        at: Floats = np.arange(nodes, dtype=float) * float(self.spacing)
        for w, scale in enumerate(b.tolist()):
            top = table[w].max(axis=1, keepdims=True)
            table[w] /= np.where(top > 0, top, 1.0)
            if scale > 0:
                np.maximum(table[w], FAINTEST, out=table[w])
            for side, (cut, sign) in enumerate(zip(self.cut, (-1, 1), strict=True)):
                beyond = noise_beyond(sign * (cut - at), scale) if np.isfinite(cut) else np.zeros(nodes)
                ends[side, w] = beyond @ self.mass
                ends[side, w] /= ends[side, w].max() or 1.0
        return table, ends[0], ends[1]


def _nodes(usual: int, uses: Sequence[Use], states: int) -> int:
    """Return how many nodes show the smallest house beside the largest, where there is room for so many: use
    by a distribution of its own may lie within bounds as narrow as that house."""
    if all(use.distributions is None for use in uses):
        return usual
    most = np.concatenate([use.histograms().edges.max(axis=1) for use in uses])
    wanted = SMALLEST * most.sum() / max(float(most.min()), TINY)
    return max(usual, int(min(2 ** np.ceil(np.log2(wanted)), 4 * FINE, JOINT_NODES // states)))


def _alike_steps(shape: Floats, most: int) -> Iterator[slice]:
    """Yield steps that follow each other and have the same noise, at most so many at once."""
    first = 0
    for t in range(1, len(shape) + 1):
        if t == len(shape) or shape[t] != shape[first] or t - first == most:
            yield slice(first, t)
            first = t


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
    """All joint states of a few houses, in counting order, house 0 first."""

    def __init__(self, use: Use, chains: Chains, widths: Floats, shape: Floats, cut: Cut = UNCUT) -> None:
        super().__init__(widths, shape, cut)
        laws = use.histograms()
        n = len(laws.edges)
        usual = min(FINE if n <= FEW else COARSE * 2, JOINT_NODES >> n)
        found = joint_use(laws, _nodes(usual, [use], 2**n))
        self.spacing, self.mass = found.spacing, found.mass
        self.points = Points([laws.only(slice(house, house + 1)) for house in range(n)])
        self.exact, self.blurred = self.points.known, BLUR * self.spacing * n**0.5
        self.chains = chains
        self._moves: dict[tuple[int, int], tuple[Singles, Singles]] = {}

    @property
    def initial(self) -> Floats:
        """The distribution of the joint states at the first step."""
        occupied = self.chains.initial
        return np.asarray(kron(np.stack([1 - occupied, occupied], 1)[:, None])[0])

    @property
    def occupied(self) -> Floats:
        """Which houses are occupied in each, (2^n, n)."""
        n = len(self.chains.initial)
        return np.array((np.arange(2**n)[:, None] >> np.arange(n)[::-1]) & 1, dtype=float)

    def move(self, states: Singles, step: int, back: bool = False, still: int = -1) -> Singles:
        """Return the states a step later, or their mean a step before; one house may stand still."""
        row = int(self.chains.row[step])
        if (row, still) not in self._moves:
            leave, arrive = self.chains.leave[row], self.chains.arrive[row]
            each = np.array([[1 - arrive, arrive], [leave, 1 - leave]]).transpose(2, 0, 1)
            if still >= 0:
                each[still] = np.eye(2)
            half = len(each) // 2 if len(each) > FEW - 2 else 0
            first, second = (kron(part).astype(np.float32) for part in (each[:half], each[half:]))
            self._moves[row, still] = first, second
        return apply_moves(states, self._moves[row, still], back)


def kron(matrices: Floats) -> Floats:
    """Return the Kronecker product of all of these, (k, m, n)."""
    result = np.ones((1, 1))
    for matrix in matrices:
        result = np.kron(result, matrix)
    return result


def apply_moves(states: Singles, matrices: Sequence[Singles], back: bool = False) -> Singles:
    """Return states, (…, J), moved by the Kronecker product of these matrices, rows from, columns to; or the
    mean of what they hold a step later, given the state now."""
    shape, ahead, rest = states.shape, states, 1
    for matrix in reversed(matrices):
        n, applied = len(matrix), matrix.T if back else matrix
        if n > 1:
            if rest == 1:
                count, most = ahead.size // n, max(ALONE // n**2, 1)
                rows = next(rows for rows in range(min(most, count), 0, -1) if count % rows == 0)
                ahead = ahead.reshape(-1, rows, n) @ applied
            else:
                ahead = np.matmul(applied.T, ahead.reshape(-1, n, rest))
        rest *= n
    return ahead.reshape(shape)


class Counts(_Tables):
    """How many of each group are occupied. A house that is asked about comes first, by itself."""

    def __init__(
        self, groups: Sequence[tuple[Use, Chains]], widths: Floats, shape: Floats, cut: Cut = UNCUT
    ) -> None:
        super().__init__(widths, shape, cut)
        alikes = all(alike(use, chains) for use, chains in groups)
        self.rows = [chains.row for _, chains in groups]
        laws = [use.histograms() for use, _ in groups]
        sizes = [len(law.edges) for law in laws]
        states = int(np.prod(np.add(sizes, 1)))
        usual = FINE // 2 if not alikes else 2 * FINE if states <= COARSE else FINE
        nodes = _nodes(usual, [use for use, _ in groups], states)
        self.spacing = sum(float(law.edges.max(axis=1).sum()) for law in laws) / (nodes - sum(sizes) - 2)
        self.points = Points(laws if alikes else [])
        self.exact, self.blurred = alikes and self.points.known, BLUR * self.spacing * sum(sizes) ** 0.5
        waves = np.ones((1, nodes // 2 + 1), dtype=complex)
        for law, n in zip(laws, sizes, strict=True):
            empty, occupied = np.fft.rfft(node_masses(law, self.spacing, nodes).mean(axis=1), axis=-1)
            k = np.arange(n + 1)[:, None]
            waves = (waves[:, None] * (occupied**k * empty ** k[::-1])).reshape(-1, waves.shape[1])
        mass = np.fft.irfft(waves, nodes, axis=1).T
        self.mass = np.where(mass > 1e-13 * mass.max(axis=0), mass, 0.0)
        self.initial, self.matrices = np.ones(1), []
        for n, (_, chains) in zip(sizes, groups, strict=True):
            self.initial = np.multiply.outer(self.initial, count_start(n, chains.initial.mean())).ravel()
            moves = count_matrices(n, chains.leave.mean(axis=1), chains.arrive.mean(axis=1))
            self.matrices.append(moves.astype(np.float32))
        counts = np.indices([n + 1 for n in sizes]).reshape(len(sizes), -1).T
        self.occupied = np.repeat(counts / sizes, sizes, axis=1)  # of each house, in each state

    def move(self, states: Singles, step: int, back: bool = False, still: int = -1) -> Singles:
        """Return the states a step later, or their mean a step before; the house itself may stand still."""
        each = [moves[row[step]] for moves, row in zip(self.matrices, self.rows, strict=True)]
        if still >= 0:
            each[still] = np.eye(2, dtype=np.float32)
        return apply_moves(states, each, back)


def alike(use: Use, chains: Chains) -> bool:
    """Whether houses use and live alike."""
    law = use.histograms()
    columns = (law.edges.T, *law.mass.transpose(0, 2, 1), chains.leave, chains.arrive, chains.initial[None])
    return all(bool((each == each[:, :1]).all()) for each in columns)


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
