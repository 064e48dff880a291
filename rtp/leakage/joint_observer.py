"""The outsider among a few neighbours, exactly: the joint distribution of all states, in either way to live.

She sees what all use together plus noise, and follows all 2ⁿ joint states of the street, the watched house
first, once as if the secret were none and once as if it were true. The likelihood of either is the forward
recursion of `rtp.attack.joint_filter`,

    Pr[readings | way] = Π over steps of Σ over states of f(reading | S)·Pr[S | readings before, way],

and its ratio the best score there is. Only the watched house's chain differs between the two; one step of
everyone else's is a Kronecker product of their 2×2 matrices, applied to half of them at a time. Many
repetitions are followed side by side in single precision: here a state that is far from likely may as well
be all but impossible, since a likelihood claims no proof.

The density f is a table over a grid of readings, one for every scale of noise (`rtp.probability.joint_use`).
Each row is divided by its largest value, which no ratio of likelihoods notices.
"""

import numpy as np
from numpy.typing import NDArray

from rtp.core.types import Floats
from rtp.leakage.hypothesis import Neighbours, WatchedDays, WatchedHouse
from rtp.probability.histogram import Histograms
from rtp.probability.joint_use import joint_use
from rtp.probability.laplace_uniform import log_ratio
from rtp.street.draw import Use

Singles = NDArray[np.float32]

FAINTEST = 1e-20  # of the likeliest state's density: what explains a reading no better explains it so well
ALMOST_NONE = 1e-37
WHOLE = 6  # houses whose matrix is applied as one
MAX_TABLES = 4  # of the densities at one scale each


class JointObserver:
    """Carries both ways to live from day to day. States are (way, reading, own state, others' state)."""

    exact = True

    def __init__(self, house: WatchedHouse, near: Neighbours, b: Floats, count: int) -> None:
        self.house, self.near, self.b, self.step = house, near, b, 0  # the step to be watched next
        self.leave, self.arrive = house.transitions()  # (T, 2)
        self.use = joint_use(together(house.use, near.use))
        occupied = house.initial()
        others = _kron(np.stack([[1 - near.chains.initial, near.chains.initial]]).transpose(2, 0, 1))[0]
        start = np.stack([1 - occupied, occupied], axis=1)[:, None, :, None] * others
        self.states = np.broadcast_to(start, (2, 2 * count, 2, len(others))).astype(np.float32)
        self.log_likelihood = np.zeros((2, 2 * count))
        self.tables: dict[float, Singles] = {}
        self.moves: dict[int, tuple[Singles, Singles]] = {}

    def watch(self, seen: WatchedDays) -> Floats:
        """Take the next day; return the score of every repetition so far, (2, R).

        It is ln Pr[readings | hypothesis] − ln Pr[readings | ordinary days].
        """
        for used, crowd, noise in zip(seen.used, seen.crowd, seen.noise, strict=True):
            scale = float(self.b[self.step])
            if scale < np.inf:
                total = used + crowd + self.near.expected_use[self.step] + scale * noise
                self._update(total.ravel(), scale)
            if self.step + 1 < self.house.steps:
                self._predict()
            self.step += 1
        ordinary, secret = self.log_likelihood.reshape(2, 2, -1)
        return log_ratio(secret, ordinary)

    def _update(self, total: Floats, scale: float) -> None:
        """Bayes. A way that is proved wrong stays as it was."""
        table = self._table(scale)
        below, share = self.use.place(total)
        weight = share.astype(np.float32)
        likely = table[below] * (1 - weight) + table[below + 1] * weight
        self.states *= likely.reshape(len(total), 2, -1)
        evidence = np.maximum(self.states.sum(axis=(2, 3)), ALMOST_NONE)
        self.log_likelihood += np.log(evidence, dtype=np.float64)
        self.states /= evidence[:, :, None, None]

    def _table(self, scale: float) -> Singles:
        """Return the density of every joint state at every node, (J, 2ⁿ)."""
        if scale not in self.tables:
            if len(self.tables) == MAX_TABLES:
                self.tables.clear()
            density = self.use.density(scale)
            top = density.max(axis=1, keepdims=True)
            scaled = density / np.where(top > 0, top, 1.0)
            self.tables[scale] = np.maximum(scaled, FAINTEST).astype(np.float32)
        return self.tables[scale]

    def _predict(self) -> None:
        row = int(self.near.chains.row[self.step])
        if row not in self.moves:
            self.moves[row] = _halves(self.near, row)
        one, other = self.moves[row]
        ahead = (self.states.reshape(-1, len(other)) @ other).reshape(-1, len(one), len(other))
        if len(one) > 1:
            ahead = np.matmul(one.T, ahead)
        empty, occupied = np.moveaxis(ahead.reshape(self.states.shape), 2, 0)
        leave, arrive = (
            each[self.step].astype(np.float32)[:, None, None] for each in (self.leave, self.arrive)
        )
        self.states[:, :, 0] = empty * (1 - arrive) + occupied * leave
        self.states[:, :, 1] = empty * arrive + occupied * (1 - leave)


def together(first: Use, others: Use) -> Histograms:
    """Return the distributions of one house and of others, in this order."""
    own, rest = first.histograms(), others.histograms()
    return Histograms(
        edges=np.concatenate([own.edges, rest.edges]), mass=np.concatenate([own.mass, rest.mass], axis=1)
    )


def _halves(near: Neighbours, row: int) -> tuple[Singles, Singles]:
    """Return the joint transition matrices of the first others and of the rest, rows from, columns to."""
    leave, arrive = near.chains.leave[row], near.chains.arrive[row]
    houses = np.array([[1 - arrive, arrive], [leave, 1 - leave]]).transpose(2, 0, 1)
    split = len(houses) // 2 if len(houses) > WHOLE else 0
    return _kron(houses[:split]).astype(np.float32), _kron(houses[split:]).astype(np.float32)


def _kron(matrices: Floats) -> Floats:
    """Return the Kronecker product of all of these, (k, m, n)."""
    product = np.ones((1, 1))
    for matrix in matrices:
        product = np.kron(product, matrix)
    return product
