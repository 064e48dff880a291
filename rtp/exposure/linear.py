"""How much could be told of every house at every step, by the best linear estimate: a first look at all.

A reading less what is expected is Σ h·(S − π) over the houses, plus what they use given who is at home, plus
noise. Who is at home is per group a linear chain, so readings have the covariance Σ = K + rest + 2b², and the
state of one house, a chain with variance v = π(1 − π) and persistence D = 1 − leave − arrive, has the
covariance c = h·v·D…D with them. Given a whole record's readings its deviation is estimated as cᵀΣ⁻¹y, which
explains κ = cᵀΣ⁻¹c of v. The share ρ = κ/v puts the two answers d = √(ρ/(v(1 − ρ))) standard deviations
apart. A house that is away lets the readings fall by δ = hπ on average: d² = δᵀΣ⁻¹δ.

An insider reads the house alone, which is not normal. A reading counts as its state plus white noise of the
variance r = 1/(8·B), with B the Bhattacharyya distance of what is seen in its two states, taken as normal.
Kalman's filter and the smoother of Rauch, Tung and Striebel then say which share of v is explained, and of a
house that may be away what the filter does not expect of an occupied house adds up to d².

Only the order of the houses counts: the best are then lived and measured.
"""

from functools import cached_property

import numpy as np

from rtp.attack.gaussian import house_log_odds
from rtp.core.types import Floats, Ints
from rtp.exposure.secrets import Record
from rtp.probability.kalman import gains, state_space
from rtp.probability.markov import update

SMALLEST = 1e-12
FLATTEST = 1e-3  # of the widest noise
NEARLY_ALL = 1 - 1e-9


class Crowd:
    """An outsider's linear estimates of the followed houses, from all readings of a record."""

    def __init__(self, record: Record) -> None:
        self.record = record
        (self.m0, m1), _ = record.street.moments(record.houses)
        self.h, self.occupied = m1 - self.m0, record.occupied
        self.variance = self.occupied * (1 - self.occupied)

    @cached_property
    def _axes(self) -> tuple[Floats, Floats]:
        """(variances, (T,), and axes, (T, T)) in which readings without noise, divided by its shape, do not
        depend on one another: noise of width b adds 2b² to each variance."""
        moments = self.record.market.street_day.true_moments
        F, _ = state_space(moments.occupancy_variance, moments.lag1_covariance)
        K, row = np.zeros((len(F), len(F))), np.zeros_like(moments.occupancy_variance)
        for t, fading in enumerate(F):
            row[:, :t] *= fading[:, None]
            row[:, t] = moments.occupancy_variance[:, t]
            K[t, : t + 1] = K[: t + 1, t] = row[:, : t + 1].sum(axis=0)
        K += np.diag(moments.consumption_variance.sum(axis=0))
        shape = np.maximum(self.record.shape, FLATTEST)
        variances, axes = np.linalg.eigh(K / shape / shape[:, None])
        return np.maximum(variances, SMALLEST * max(variances[-1], SMALLEST)), axes / shape[:, None]

    @cached_property
    def _covariances(self) -> Floats:
        """Those of every state with the readings along these axes, but for h, (n, T, T)."""
        chains, v = self.record.chains, self.variance
        D = (1 - chains.leave - chains.arrive)[chains.row]
        (steps, n), axes = v.shape, self._axes[1].astype(np.float32)
        result = np.empty((n, steps, steps), dtype=np.float32)
        row = np.zeros((n, steps), dtype=np.float32)
        for t in range(steps):
            row[:, t] = v[t]
            result[:, t, : t + 1] = result[:, : t + 1, t] = row[:, : t + 1]
            if t + 1 < steps:
                row[:, : t + 1] *= D[t, :, None]
        return np.asarray(result @ axes)

    def _explained(self, weights: Floats, columns: Ints) -> Floats:
        """Return κ, (W, T, n), with these weights of the axes, (W, T)."""
        squares = (self._covariances[columns] ** 2) @ weights.T.astype(np.float32)
        return np.asarray(squares.transpose(2, 1, 0) * self.h[columns] ** 2, dtype=float)

    def separations(self, widths: Floats, columns: Ints) -> Floats:
        """Return d² of followed houses, (W, T, n) of moments, (W, 1, n) of days and weeks."""
        if self.record.secret != "moment":
            return self._away(widths, self.h[columns] * self.occupied[:, columns])
        variances, _ = self._axes
        weights = 1 / (variances + 2 * widths[:, None] ** 2)
        v = np.maximum(self.variance[:, columns], SMALLEST**2)
        told = np.clip(self._explained(weights, columns) / v, 0.0, NEARLY_ALL)
        return told / (v * (1 - told))

    def _away(self, widths: Floats, lost: Floats) -> Floats:
        """Return δᵀΣ⁻¹δ of what readings lose, (T, n): what a Kalman filter of the crowd does not expect."""
        moments, shape = self.record.market.street_day.true_moments, self.record.shape
        F, Q = state_space(moments.occupancy_variance, moments.lag1_covariance)
        R = moments.consumption_variance.sum(axis=0)[:, None] + 2 * np.multiply.outer(shape, widths) ** 2
        R = np.maximum(R, SMALLEST * max(float(R.max()), SMALLEST))
        crowds = Q.shape[1]
        K, share, _ = gains(
            F[..., None],
            (np.eye(crowds) * Q[:, None])[..., None],
            np.ones((len(F), 1)),
            R,
            np.zeros((crowds, crowds, 1)),
        )
        total = np.zeros((len(widths), lost.shape[1]))
        expected = np.zeros((crowds, *total.shape))
        for t, delta in enumerate(lost):
            expected = F[t][:, None, None] * expected
            surprise = delta - expected.sum(axis=0)
            total += surprise**2 * ((1 - share[t]) / R[t])[:, None]  # over S, as share = 1 − R/S
            expected += K[t][..., None] * surprise
        return total[:, None]

    def beliefs(self, widths: Floats, columns: Ints, readings: Floats) -> Floats:
        """Return Pr[occupied | all readings of the day] as if estimates were normal, (T, W, R, n); readings
        are (T, W, R)."""
        variances, axes = self._axes
        weights = 1 / (variances + 2 * widths[:, None] ** 2)
        expected = self.record.market.street_day.true_moments.expected_demand
        kappa, occupied = self._explained(weights, columns), self.occupied[:, columns]
        result = np.empty((*readings.shape, len(columns)))
        for w, own in enumerate(weights):
            along = own[:, None] * (axes.T @ (readings[:, w] - expected[:, None]))
            deviation = (self._covariances[columns] @ along.astype(np.float32)).transpose(1, 2, 0)
            p = np.broadcast_to(occupied[:, None], deviation.shape)
            ratio = house_log_odds(p, 1 - p, deviation * self.h[columns], kappa[w][:, None])
            result[:, w] = update(p, 1 - p, ratio)[0]
        return result


def insider_separations(record: Record, widths: Floats, columns: Ints) -> Floats:
    """Return d² of followed houses, (W, T, n) of moments, (W, 1, n) of days and weeks."""
    (m0, m1), (v0, v1) = record.street.moments(record.houses[columns])
    noise = 2 * np.multiply.outer(widths, record.shape)[..., None] ** 2 + SMALLEST
    s0, s1 = v0 + noise, v1 + noise
    distance = (m1 - m0) ** 2 / (4 * (s1 + s0)) + np.log((s1 + s0) / 2 / np.sqrt(s1 * s0)) / 2
    r = 1 / (8 * np.maximum(distance, SMALLEST))
    chains, pi = record.chains.select(columns), record.occupied[:, columns]
    persistence = (1 - chains.leave - chains.arrive)[chains.row]
    if record.secret == "moment":
        return _moments(pi * (1 - pi), persistence, r)
    return _away(pi, pi * (1 - pi) / 2, persistence, r)


def _moments(v: Floats, persistence: Floats, noise: Floats) -> Floats:
    steps = len(v)
    before, after = np.empty((2, *noise.shape))
    P = np.broadcast_to(v[0], noise[:, 0].shape)
    for t in range(steps):
        before[:, t] = P
        after[:, t] = P * noise[:, t] / (P + noise[:, t])
        if t + 1 < steps:
            P = np.maximum(persistence[t] ** 2 * (after[:, t] - v[t]) + v[t + 1], 0.0)
    gain = (persistence * after[:, :-1] / np.maximum(before[:, 1:], SMALLEST**2)) ** 2
    for t in range(steps - 2, -1, -1):
        after[:, t] += gain[:, t] * (after[:, t + 1] - before[:, t + 1])
    told = np.clip(1 - after / np.maximum(v, SMALLEST**2), 0.0, NEARLY_ALL)
    return np.asarray(told / (np.maximum(v, SMALLEST**2) * (1 - told)))


def _away(pi: Floats, v: Floats, persistence: Floats, noise: Floats) -> Floats:
    """`v` is half of the house's variance: only one of the two ways has it."""
    total = np.zeros(noise[:, 0].shape)
    expected, P = np.zeros_like(total), np.broadcast_to(v[0], total.shape)
    for t in range(len(pi)):
        S, surprise = P + noise[:, t], pi[t] - expected
        total += surprise**2 / S
        expected, P = expected + P / S * surprise, P * noise[:, t] / S
        if t + 1 < len(pi):
            expected = persistence[t] * expected
            P = np.maximum(persistence[t] ** 2 * (P - v[t]) + v[t + 1], 0.0)
    return total[:, None]
