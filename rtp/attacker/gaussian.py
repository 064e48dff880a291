"""More houses than 2^N allows: the joint Gaussian of all of them, in memory and time linear in N.

She carries what the rates say about houses *together*. Without rates house i is occupied with the chance pᵢ
of its model, variance vᵢ = pᵢ(1 − pᵢ), and houses are independent. Consumption is m₀ + h·S + a rest, h =
m₁ − m₀ the difference of its means in the two states, so demand is linear in the states, and the rest's
variance R is the sum of each state's own: of uniform use the means are u/2, the variances u²/12. The estimate
of all states that is best among the linear ones has a deviation δ from p and the error covariance

    P = diag(v) − V·Vᵀ,

one column of V per rate. A step of the chain multiplies deviations by D = 1 − ℓ − a, and D²v plus the
variance that moving adds is v of the next step exactly (law of total variance): so δ ← Dδ, V ← DV and the
form stays. A rate x with g = P·h, d = x − Σ(m₀ + h·p) − hᵀδ, and the score ψ and curvature w of `channel`
at variance hᵀg + R:

    δ ← δ + g·ψ,    V ← [V, g·√w],

which is Kalman's update where noise is Gaussian and reads Laplace noise for what it is; R takes the states as
estimated, between 0 and 1. No N × N matrix is ever made. What the estimate says of one house, before and
after the rate, is read off by `channel.log_odds`; the difference is the rate's evidence, applied to her
chance by Bayes. Linear estimates have the true second moments whatever the laws are, so nothing is counted
twice; what they lose is told by `judge`.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np

from rtp.arrays import Bools, Floats
from rtp.attacker.beliefs import Chains, move
from rtp.attacker.channel import log_odds, score
from rtp.attacker.observed import Observed
from rtp.clock import STEPS_PER_DAY
from rtp.street.draw import Street
from rtp.street.life import Progress

RANK = STEPS_PER_DAY  # columns carried into the next day: the largest directions of what is known
LEAST = 1e-6  # of the largest R there could be: an estimate may hold everyone to use nothing, and err
SMALLEST = 1e-6  # of V's scale, before it is multiplied in


class Estimate(NamedTuple):
    """The linear estimate as a day begins. Arrays are (N,) but V."""

    occupied: Floats  # by the model alone
    empty: Floats
    deviation: Floats  # δ
    known: Floats  # κ: the diagonal of V·Vᵀ
    V: Floats  # (N, k)


class Reading(NamedTuple):
    """A rate as a Gaussian measurement of hᵀS less its mean by the model: value and variance."""

    value: float
    variance: float


class Said(NamedTuple):
    """What the estimate says of the houses she watches, as log-odds; (T, n)."""

    before: Floats  # each rate
    after: Floats


class Factor:
    """V = diag(scale)·U: a step of the chain multiplies N numbers, and not N for every rate so far."""

    def __init__(self, houses: int, rates: int) -> None:
        self.columns = np.zeros((houses, RANK + rates), order="F")
        self.put(self.columns[:, :0])

    def put(self, V: Floats) -> None:
        self.U, self.scale = self.columns[:, : V.shape[1]], np.ones(len(V))
        self.U[:] = V

    @property
    def V(self) -> Floats:
        return self.U * self.scale[:, None]

    def along(self, h: Floats) -> Floats:
        """hᵀV"""
        return np.asarray((h * self.scale) @ self.U)

    def times(self, x: Floats) -> Floats:
        """V·x"""
        return np.asarray(self.scale * (self.U @ x))

    def append(self, column: Floats) -> None:
        k = self.U.shape[1]
        np.divide(column, self.scale, out=self.columns[:, k])
        self.U = self.columns[:, : k + 1]

    def carry(self, kept: Floats) -> None:
        """V ← D·V"""
        self.scale *= kept
        if np.abs(self.scale).min() < SMALLEST:
            self.put(self.V)


class GaussianFilter:
    """One day's rates, or several days', on all houses of the street under one model."""

    def __init__(self, seen: Observed, street: Street, chains: Chains, keep: Bools) -> None:
        self.seen, self.chains, self.keep = seen, chains, keep
        (m0, m1), (v0, v1) = street.moments()
        self.swing = m1 - m0
        self.by_state = v1 - v0  # how much more the rest varies where a house is occupied
        self.base = float(m0.sum()), float(v0.sum())
        self.least = LEAST * float(np.maximum(v0, v1).sum())
        self.factor = Factor(len(m1), chains.steps_per_day)
        self.mornings: list[Estimate] = []  # as each day begins
        self.readings: list[Reading | None] = []

    def run(self, progress: Progress | None = None) -> Said:
        """All rates, in order."""
        steps, mine = len(self.seen.total), slice(None) if self.keep.all() else np.flatnonzero(self.keep)
        occupied, empty, *told = (np.empty((steps, int(self.keep.sum()))) for _ in range(6))
        p, q = self.chains.initial, 1 - self.chains.initial
        delta, kappa = np.zeros_like(p), np.zeros(occupied.shape[1])
        for step, heard in enumerate(self.seen.heard.tolist()):
            if step % self.chains.steps_per_day == 0:
                self._begin_day(p, q, delta)
            occupied[step], empty[step], told[0][step], told[1][step] = p[mine], q[mine], delta[mine], kappa
            self.readings.append(None)
            column = self._read(step, p, q, delta) if heard else None
            if column is not None:
                kappa = kappa + column[mine] ** 2
            told[2][step], told[3][step] = delta[mine], kappa
            leave, arrive = self.chains.chances(step)
            kept = 1 - leave - arrive
            delta, kappa = kept * delta, kept[mine] ** 2 * kappa
            self.factor.carry(kept)
            p, q = move(p, q, leave, arrive)
            if progress is not None:
                progress((step + 1) / steps)
        return Said(log_odds(occupied, empty, *told[:2]), log_odds(occupied, empty, *told[2:]))

    def _begin_day(self, p: Floats, q: Floats, delta: Floats) -> None:
        """What is known of houses together in at most RANK directions, the largest."""
        V = self.factor.V
        if V.shape[1] > RANK:
            _, directions = np.linalg.eigh(V.T @ V)
            V = V @ directions[:, -RANK:]
        self.factor.put(V)
        self.mornings.append(Estimate(p, q, delta.copy(), (V**2).sum(axis=1), V))

    def _read(self, step: int, p: Floats, q: Floats, delta: Floats) -> Floats | None:
        """Update δ by one rate and give V's new column; None if there is nothing to learn from it."""
        own = self.swing * (p * q)
        along = self.factor.along(self.swing)
        variance = max(float(self.swing @ own - along @ along), 0.0)
        estimate = p + delta
        rest = self.base[1] + float(self.by_state @ np.minimum(np.maximum(estimate, 0.0), 1.0))
        if variance == 0 and rest <= 0:  # everyone is certain and uses nothing
            return None
        rest = max(rest, self.least)
        d = float(self.seen.total[step]) - self.base[0] - float(self.swing @ estimate)
        psi, w = score(d, variance + rest, float(self.seen.b[step]))
        value = float(self.swing @ delta) + psi / w
        self.readings[-1] = Reading(value, max(1 / w - variance, rest * 1e-6))
        gain = own - self.factor.times(along)
        delta += gain * psi
        column: Floats = gain * sqrt(w)
        self.factor.append(column)
        return column
