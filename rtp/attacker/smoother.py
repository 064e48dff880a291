"""What she knows about a moment at the end of its day, on a street too long for the joint law.

By then she has read all rates of the day. `gaussian` turned each into a measurement zₜ of ηₜ = hᵀSₜ less its
mean by the model, with a variance rₜ; what is best linearly given all of them is one regression (Kalman's
filter run backwards, the smoother of Rauch, Tung and Striebel, gives the same numbers with an N × N inverse
a step; this takes one T × T):

    δ̂ = F·δ₀ + c·M·(z − ηs guess),    κ̂ = F²·κ₀ + c·M·cᵀ,
    M = (K + diag r)⁻¹,    K = Cov(η, η),    c = Cov(Sᵢₜ, η).

Covariances follow from the chains alone: Cov(Sᵢₛ, Sᵢₜ) = vᵢₛ·D…D from s to t ≥ s. What she knew of houses
together as the day began, V₀, is carried along by F = D…D and subtracted. Houses are worked on a few at a
time.
"""

from itertools import pairwise

import numpy as np

from rtp.arrays import Bools, Floats
from rtp.attacker.beliefs import Chains, move
from rtp.attacker.channel import log_odds
from rtp.attacker.gaussian import Estimate, GaussianEvidence
from rtp.clock import STEPS_PER_DAY

BLOCK = 128  # houses at once


def smooth(evidence: GaussianEvidence, belief: Floats, keep: Bools) -> Floats:
    """Her beliefs so far, (T, n), as they are at the end of each day; the evidence has seen all rates."""
    steps = len(evidence.said)
    result = np.empty_like(belief)
    days = [*range(0, steps, STEPS_PER_DAY), steps]
    for morning, (first, last) in zip(evidence.mornings, pairwise(days), strict=True):
        day = slice(first, last)
        gained = _Day(evidence, morning, first, last).log_odds(keep) - np.array(evidence.said[day])[:, keep]
        result[day] = _shift(belief[day], gained)
    return result


class _Day:
    """One day's regression."""

    def __init__(self, evidence: GaussianEvidence, morning: Estimate, first: int, last: int) -> None:
        self.morning, self.swing = morning, evidence.swing
        self.occupied, self.empty, self.kept = _model(evidence.chains, morning, first, last)
        self.carried = np.cumprod(np.vstack([np.ones_like(self.swing), self.kept]), axis=0)  # F, (T, N)
        readings = evidence.readings[first:last]
        self.read = np.array([reading is not None for reading in readings])
        found = [reading for reading in readings if reading is not None]
        carried = self.carried[self.read]
        self.together = (carried * self.swing) @ morning.V  # (t, k): η along the columns of V₀
        K = np.zeros((len(found), len(found)))
        for houses in self._blocks():
            K += np.einsum("n,nst->st", self.swing[houses], self._covariance(houses)[:, self.read])
        self.M = np.linalg.inv(K + np.diag([reading.variance for reading in found]))
        guess = (carried * self.swing) @ morning.deviation
        self.weights = self.M @ (np.array([reading.value for reading in found]) - guess)

    def log_odds(self, keep: Bools) -> Floats:
        """(T, n): what the whole day says of the houses to keep."""
        result = np.zeros(self.carried.shape)
        for houses in self._blocks():
            if keep[houses].any():
                c = self._covariance(houses)
                carried, start = self.carried[:, houses], self.morning
                deviation = carried * start.deviation[houses] + (c @ self.weights).T
                known = carried**2 * start.known[houses] + ((c @ self.M) * c).sum(axis=2).T
                result[:, houses] = log_odds(
                    self.occupied[:, houses], self.empty[:, houses], deviation, known
                )
        return result[:, keep]

    def _blocks(self) -> list[slice]:
        return [slice(start, start + BLOCK) for start in range(0, len(self.swing), BLOCK)]

    def _covariance(self, houses: slice) -> Floats:
        """c: of each house's state at every step with η at every step that was read, (n, T, t)."""
        variance = (self.occupied * self.empty)[:, houses].T
        steps = variance.shape[1]
        own = np.zeros((*variance.shape, steps))
        for t in range(steps):
            if t:
                own[:, t, :t] = own[:, t - 1, :t] * self.kept[t - 1, houses, None]
                own[:, :t, t] = own[:, t, :t]
            own[:, t, t] = variance[:, t]
        shared = self.carried[:, houses].T[:, :, None] * (self.morning.V[houses] @ self.together.T)[:, None]
        return np.asarray(own[:, :, self.read] * self.swing[houses, None, None] - shared)


def _model(chains: Chains, morning: Estimate, first: int, last: int) -> tuple[Floats, Floats, Floats]:
    """Chances of both states by the model alone over a day, (T, N), and the D of its moves, (T − 1, N)."""
    occupied, empty = [morning.occupied], [morning.empty]
    kept = []
    for step in range(first, last - 1):
        leave, arrive = chains.chances(step)
        ahead = move(occupied[-1], empty[-1], leave, arrive)
        occupied.append(ahead[0])
        empty.append(ahead[1])
        kept.append(1 - leave - arrive)
    return np.array(occupied), np.array(empty), np.array(kept).reshape(-1, len(morning.occupied))


def _shift(chance: Floats, log_odds_gained: Floats) -> Floats:
    """The chance moved by so much in log-odds; what is certain stays so."""
    up = chance * np.exp(np.minimum(log_odds_gained, 0.0))
    down = (1 - chance) * np.exp(-np.maximum(log_odds_gained, 0.0))
    return np.where(up + down > 0, up / np.where(up + down > 0, up + down, 1.0), chance)
