"""More houses than 2^N allows: the joint Gaussian of all of them, in memory and time linear in N.

She carries what the rates say about houses *together*. Without rates house i is occupied with the chance pᵢ
of its model, variance vᵢ = pᵢ(1 − pᵢ), and houses are independent. Consumption is u₀/2 + h·S + a rest, h =
(u₁ − u₀)/2, so demand is linear in the states with the rest's variance R = Σ (u₁² or u₀²)/12. The estimate
of all states that is best among the linear ones has a deviation δ from p and the error covariance

    P = diag(v) − V·Vᵀ,

one column of V per rate. A step of the chain multiplies deviations by D = 1 − ℓ − a, and D²v plus the
variance that moving adds is v of the next step exactly (law of total variance): so δ ← Dδ, V ← DV and the
form stays. A rate x with g = P·h, d = x − Σ(u₀/2 + h·p) − hᵀδ, and the score ψ and curvature w of `channel`
at variance hᵀg + R:

    δ ← δ + g·ψ,    V ← [V, g·√w],

which is Kalman's update where noise is Gaussian and reads Laplace noise for what it is. No N × N matrix is
ever made. What the estimate says of one house, before and after the rate, is read off by `channel.log_odds`;
the difference is the rate's evidence, applied to her chance by Bayes. Linear estimates have the true second
moments whatever the laws are, so nothing is counted twice; what they lose is told by `judge`.
"""

from typing import NamedTuple

import numpy as np

from rtp.arrays import Floats
from rtp.attacker.beliefs import Chains, move
from rtp.attacker.channel import log_odds, score
from rtp.attacker.observed import Observed
from rtp.clock import STEPS_PER_DAY
from rtp.street.draw import Street

RANK = STEPS_PER_DAY  # columns carried into the next day: the largest directions of what is known


class Estimate(NamedTuple):
    """The linear estimate before a step's rate. Arrays are (N,) but V."""

    occupied: Floats  # by the model alone
    empty: Floats
    deviation: Floats  # δ
    known: Floats  # κ: the diagonal of V·Vᵀ
    V: Floats  # (N, k)


class Reading(NamedTuple):
    """A rate as a Gaussian measurement of hᵀS less its mean by the model: value and variance."""

    value: float
    variance: float


class GaussianEvidence:
    """One day's rates, or several days', on all houses of the street under one model; steps come in order."""

    def __init__(self, seen: Observed, street: Street, chains: Chains) -> None:
        self.seen, self.chains = seen, chains
        self.swing = (street.occupied_bound - street.empty_bound) / 2
        self.half_empty = street.empty_bound / 2
        self.rest = street.occupied_bound**2 / 12, street.empty_bound**2 / 12
        self.columns = np.zeros((len(self.swing), RANK + chains.steps_per_day), order="F")
        nothing = np.zeros_like(self.swing)
        self.estimate = Estimate(chains.initial, 1 - chains.initial, nothing, nothing, self.columns[:, :0])
        self.mornings: list[Estimate] = []  # as each day begins
        self.readings: list[Reading | None] = []
        self.said: list[Floats] = []  # log-odds after each rate

    def at(self, step: int, occupied: Floats, empty: Floats) -> Floats:
        """The evidence of the step's rate; her chances before it say how much the houses may use."""
        if step % self.chains.steps_per_day == 0:
            self._begin_day()
        before = log_odds(*self.estimate[:4])
        reading = None
        if self.seen.heard[step]:
            rest = float(occupied @ self.rest[0] + empty @ self.rest[1])
            reading = self._read(float(self.seen.total[step]), float(self.seen.b[step]), rest)
        after = log_odds(*self.estimate[:4]) if reading else before
        self.readings.append(reading)
        self.said.append(after)
        self._move(step)
        return after - before

    def _begin_day(self) -> None:
        """What is known of houses together in at most RANK directions, the largest."""
        V = self.estimate.V
        if V.shape[1] > RANK:
            _, directions = np.linalg.eigh(V.T @ V)
            V = V @ directions[:, -RANK:]
        self.columns[:, : V.shape[1]] = V
        self.estimate = self.estimate._replace(V=self.columns[:, : V.shape[1]])
        self.mornings.append(self.estimate._replace(V=V.copy()))

    def _read(self, x: float, b: float, rest: float) -> Reading | None:
        """Update by one rate; None if there is nothing to learn from it."""
        now, h = self.estimate, self.swing
        own = h * now.occupied * now.empty
        along = h @ now.V
        gain = own - now.V @ along
        variance = max(float(h @ own - along @ along), 0.0)
        if variance + rest == 0:  # everyone is certain and uses nothing
            return None
        guess = float(h @ now.deviation)
        d = x - float((self.half_empty + h * now.occupied).sum()) - guess
        psi, w = score(d, variance + rest, b)
        k = now.V.shape[1]
        self.columns[:, k] = gain * np.sqrt(w)
        self.estimate = now._replace(
            deviation=now.deviation + gain * psi,
            known=now.known + self.columns[:, k] ** 2,
            V=self.columns[:, : k + 1],
        )
        return Reading(guess + psi / w, max(1 / w - variance, rest * 1e-6))

    def _move(self, step: int) -> None:
        leave, arrive = self.chains.chances(step)
        kept = 1 - leave - arrive
        now = self.estimate
        now.V[:] *= kept[:, None]
        occupied, empty = move(now.occupied, now.empty, leave, arrive)
        self.estimate = Estimate(occupied, empty, kept * now.deviation, kept**2 * now.known, now.V)
