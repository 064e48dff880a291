"""What she makes of a watched house: the log-likelihood ratio of a hypothesis against ordinary days.

Either way to live is a hidden Markov chain of two states; its likelihood is the forward pass over each step's
two likelihoods. The insider knows what everyone else used: a reading y is the house's own use plus Laplace
noise, closed form. To the outsider everyone else is noise too. Where they are few she is exact
(`joint_observer`). Where they are many, their sum is taken as normal with the model's variance, and y given
that the house uses U(0, u) has the density of normal plus Laplace noise,

    ln f(x) = σ²/2b² − ln 2b + ln( e^(−x/b)·Φ(x/σ − σ/b) + e^(x/b)·Φ(−x/σ − σ/b) ),

averaged over (y − u, y). Its logarithm is smooth in y and in ln σ: it is tabulated for some σ, in units of
the standard deviation of all that hides the house, and taken as a line between them. A
distribution of use that is a histogram is a mixture of such uniforms.

The outsider also follows the crowd: she keeps, for each way to live, a Kalman filter's estimate of how far
the others are from what the model expects, from what is left of each reading when the house's likely use is
taken off; so a crowd that changes slowly hides less. That the house's state and the crowd's are estimated
side by side, not jointly, is an approximation, good while one house is small beside the crowd; how good,
`approximation` measures where she can be exact.
"""

from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from rtp.attack.adversary import AdversaryKind
from rtp.attack.observation import use_llr
from rtp.core.types import Floats
from rtp.leakage.hypothesis import WatchedDays, WatchedHouse
from rtp.leakage.joint_observer import JointObserver
from rtp.probability.kalman import state_space
from rtp.probability.laplace_uniform import log_ratio, uniform_log_density
from rtp.probability.markov import predict
from rtp.street.draw import Use
from rtp.street.schedule import DemandMoments

GRID = np.linspace(-12.0, 12.0, 481)  # standard deviations
FEW, MANY = (np.polynomial.legendre.leggauss(nodes) for nodes in (3, 8))  # of an average over what is used
FINE = 4001  # points of a density that is averaged
NO_CROWD = 1e-9  # of a house's bound: others that deviate by less do not hide it
WIDTH_DIGITS = 2  # scales of noise that agree on so many share a table
SPACING = 0.04  # of the crowd's deviations that have a table, in their logarithm: between two it is a line
MAX_TABLES = 1024  # of 12 kB
Pieces = tuple[tuple[float, float, float], ...]  # (from, width, mass) of the uniforms that use is made of


def house_llr(used: Floats, noise: Floats, b: Floats, use: Use) -> Floats:
    """Return ln Pr[y | occupied] − ln Pr[y | empty] from use and unit noise; infinite scales tell nothing."""
    scale = np.where(np.isfinite(b), b, 0.0).reshape(-1, *[1] * (used.ndim - 1))
    each = np.broadcast_to(scale, used.shape).reshape(-1, 1)
    llr = use_llr((used + scale * noise).reshape(-1, 1), each, use).reshape(used.shape)
    llr[np.isinf(b)] = 0.0
    return llr


def outsider_log_likelihoods(y: Floats, sigma: float, b: float, use: Use) -> tuple[Floats, Floats]:
    """Return (ln Pr[y | occupied], ln Pr[y | empty]) where everyone else deviates by sigma.

    Where they surely use what she expects there is no crowd, and she sees what the insider sees.
    """
    if sigma <= NO_CROWD * max(use.occupied_bound[0], use.empty_bound[0]):
        if use.distributions is None:
            width = np.array(b)
            return (
                uniform_log_density(y, width, use.occupied_bound),
                uniform_log_density(y, width, use.empty_bound),
            )
        empty, occupied = use.distributions.log_density(y.reshape(-1, 1), np.full((y.size, 1), b))
        return occupied.reshape(y.shape), empty.reshape(y.shape)
    scale, pieces = _rounded(b), _pieces(use)
    between, node = np.modf(np.log(sigma) / SPACING)
    one, other = (_table(float(np.exp(SPACING * (node + side))), scale, *pieces) for side in (0, 1))
    table = one + between * (other - one)
    spread = (GRID[1] - GRID[0]) * np.sqrt(sigma**2 + 2 * scale**2)
    place = np.clip((y - _middle(*pieces)) / spread + len(GRID) // 2, 0.0, len(GRID) - 1)
    below = np.minimum(place.astype(np.intp), len(GRID) - 2)
    at, share = table.take(below, axis=1), place - below
    occupied, empty = at + share * (table.take(below + 1, axis=1) - at)
    return occupied, empty


def _pieces(use: Use) -> tuple[Pieces, Pieces]:
    """Return one house's use, occupied and empty, as a mixture of uniforms."""
    if use.distributions is None:
        return ((0.0, float(use.occupied_bound[0]), 1.0),), ((0.0, float(use.empty_bound[0]), 1.0),)
    edges, (empty, occupied) = use.distributions.edges[0].tolist(), use.distributions.mass[:, 0].tolist()
    bins = list(pairwise(edges))
    one, other = (
        tuple((low, high - low, mass) for (low, high), mass in zip(bins, masses, strict=True) if mass > 0)
        for masses in (occupied, empty)
    )
    return one, other


def _rounded(width: float) -> float:
    return float(f"{width:.{WIDTH_DIGITS}e}")


def _middle(occupied: Pieces, empty: Pieces) -> float:
    """Return what the house uses on average where it may as well be occupied as empty."""
    return sum(mass * (low + width / 2) for pieces in (occupied, empty) for low, width, mass in pieces) / 2


@lru_cache(maxsize=MAX_TABLES)
def _table(sigma: float, b: float, occupied: Pieces, empty: Pieces) -> Floats:
    """Return both log-densities, (2, places), on a grid in standard deviations of crowd and noise."""
    grid = GRID * np.sqrt(sigma**2 + 2 * b**2) + _middle(occupied, empty)
    return np.array([mixture_log_density(grid, pieces, sigma, b) for pieces in (occupied, empty)])


def mixture_log_density(y: Floats, pieces: Pieces, sigma: float, b: float) -> Floats:
    """Return ln of the density of a mixture of uniforms plus N(0, σ²) + Lap(b) at every y; σ > 0.

    Each uniform is an average over nodes. Beside a crowd what is averaged is nearly a parabola, and few are
    enough. The density is tabulated once for all nodes of all uniforms.
    """
    rules = [(low, width, mass, *(FEW if width < sigma else MANY)) for low, width, mass in pieces]
    used = np.concatenate([low + width * (nodes + 1) / 2 for low, width, _, nodes, _ in rules])
    weight = np.concatenate([mass * weights / 2 for _, _, mass, _, weights in rules])
    fine = np.linspace(y.min() - used.max(), y.max() - used.min(), FINE)
    at = np.interp(y[:, None] - used, fine, log_normal_laplace(fine, sigma, b))
    top = at.max(axis=1)
    return np.asarray(top + np.log(np.exp(at - top[:, None]) @ weight))


def log_normal_laplace(x: Floats, sigma: float, b: float) -> Floats:
    """Return ln of the density of N(0, σ²) + Lap(b), without overflow; σ > 0."""
    from scipy.special import log_ndtr

    if b < 1e-4 * sigma:  # too little noise to bend the normal distribution
        return np.asarray(-(x**2) / (2 * sigma**2) - np.log(sigma * np.sqrt(2 * np.pi)))
    ratio = sigma / b
    sides = np.logaddexp(-x / b + log_ndtr(x / sigma - ratio), x / b + log_ndtr(-x / sigma - ratio))
    return np.asarray(sides + ratio**2 / 2 - np.log(2 * b))


class CrowdStep(NamedTuple):
    """One step of the filter of everyone else."""

    F: Floats  # (G,) what is kept of the estimate before
    K: Floats  # (G,) how far the innovation moves it
    deviation: float  # of the others around the estimate, before the reading


def crowd_filter(others: DemandMoments, b: Floats) -> list[CrowdStep]:
    """Return a Kalman filter with one state per group and Laplace noise of scales b, (T,)."""
    F, Q = state_space(others.occupancy_variance, others.lag1_covariance)
    P = np.zeros((F.shape[1], F.shape[1]))
    consumption = others.consumption_variance.sum(axis=0)
    steps = []
    for step, scale in enumerate(b.tolist()):
        P = np.outer(F[step], F[step]) * P + np.diag(Q[step])
        PH = P.sum(axis=1)
        demand = PH.sum() + consumption[step]
        S = demand + 2 * scale**2
        K = PH / S if S else np.zeros_like(PH)
        P = P - np.outer(PH, K)
        steps.append(CrowdStep(F[step], K, float(np.sqrt(demand))))
    return steps


def observer_of(
    house: WatchedHouse, b: Floats, adversary: AdversaryKind, count: int
) -> "Observer | JointObserver":
    """Return the strongest observer of this kind."""
    if adversary == "outsider" and house.neighbours is not None:
        return JointObserver(house, house.neighbours, b, count)
    return Observer(house, b, adversary, count)


class Observer:
    """Carries both hypotheses from day to day: the insider, or the outsider beside a normal crowd. Arrays are
    (hypothesis, truth, repetition)."""

    def __init__(self, house: WatchedHouse, b: Floats, adversary: AdversaryKind, count: int) -> None:
        self.exact = adversary == "insider"
        self.house, self.b, self.step = house, b, 0  # the step to be watched next
        self.leave, self.arrive = (each[..., None, None] for each in house.transitions())
        self.occupied = np.broadcast_to(house.initial()[:, None, None], (2, 2, count)).copy()
        self.empty = 1 - self.occupied
        self.log_likelihood = np.zeros((2, 2, count))
        self.crowd = crowd_filter(house.others, b) if adversary == "outsider" else []
        self.estimate = np.zeros((len(house.others.occupancy_variance), 2, 2, count))
        self.mean_use, _ = house.use.moments()

    def watch(self, seen: WatchedDays) -> Floats:
        """Take the next day; return the score of every repetition so far, (2, R).

        It is ln Pr[readings | hypothesis] − ln Pr[readings | ordinary days].
        """
        b = self.b[self.step : self.step + len(seen.used)]
        insider = None if self.crowd else house_llr(seen.used, seen.noise, b, self.house.use)
        for i, scale in enumerate(b.tolist()):
            if insider is not None:
                self._update(np.minimum(insider[i], 0.0), -np.maximum(insider[i], 0.0))
            elif scale < np.inf:
                self._update_outsider(seen.used[i] + seen.crowd[i] + scale * seen.noise[i])
            moves = self.leave[self.step], self.arrive[self.step]
            self.occupied, self.empty = predict(self.occupied, self.empty, *moves)
            self.step += 1
        ordinary, secret = self.log_likelihood
        return log_ratio(secret, ordinary)

    def _update(self, if_occupied: Floats, if_empty: Floats) -> None:
        """Bayes, from two log-likelihoods. A hypothesis that is proved wrong stays as it was; a reading that
        neither state explains says nothing."""
        top = np.maximum(if_occupied, if_empty)
        if np.isinf(top).any():
            if_occupied, if_empty, top = np.where(np.isinf(top), 0.0, (if_occupied, if_empty, top))
        one, other = self.occupied * np.exp(if_occupied - top), self.empty * np.exp(if_empty - top)
        total = one + other
        with np.errstate(divide="ignore"):
            self.log_likelihood += np.log(total) + top
        np.divide(one, total, out=self.occupied, where=total > 0)
        np.divide(other, total, out=self.empty, where=total > 0)

    def _update_outsider(self, reading: Floats) -> None:
        F, K, deviation = self.crowd[self.step]
        self.estimate *= F[:, None, None, None]
        rest = reading - self.estimate.sum(axis=0)
        self._update(*outsider_log_likelihoods(rest, deviation, float(self.b[self.step]), self.house.use))
        m0, m1 = self.mean_use
        innovation = rest - (self.occupied * m1 + self.empty * m0)
        self.estimate += K[:, None, None, None] * innovation
