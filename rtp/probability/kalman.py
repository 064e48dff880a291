"""A Kalman filter of a sum of n independent components, for many days at once (Kalman 1960).

Each component is a linear chain of its own, and one number per step shows their sum, times H, with noise:

    x⁺ = F·x + w,  Var w = Q, F and Q diagonal          z = H·Σx + v,  Var v = R

    predict   x ← F·x           P ← F·P·F + Q
    gain      S = H·ΣP·H + R    K = P·1·H/S
    update    x ← x + K·y       P ← P − K·S·Kᵀ            with the innovation y = z − H·Σx

x, F and K are (n, …), P and Q (n, n, …). The further axes are days, or budgets; H, R and S broadcast to them.
"""

from typing import NamedTuple

import numpy as np

from rtp.core.types import Floats

SMALLEST = 1e-300  # a variance that makes no difference but beside 0


class StateSpace(NamedTuple):
    """How n components move from the step before to each step, both (T, n); Q is the diagonal.

    Before the first step nothing deviates: F is 0 there, and Q the variance that the chain starts with.
    """

    F: Floats
    Q: Floats


def state_space(variance: Floats, lag1_covariance: Floats) -> StateSpace:
    """The linear chains that have these variances, (n, T), and covariances with the step after, (n, T).

    F = Cov[x⁺, x]/Var x, and what is left of the variance is new: Q = Var x⁺ − F²·Var x.
    """
    before, shared = variance[:, :-1], lag1_covariance[:, :-1]
    F, Q = np.zeros_like(variance), variance.copy()
    np.divide(shared, before, out=F[:, 1:], where=before > 0)
    Q[:, 1:] = np.maximum(variance[:, 1:] - F[:, 1:] ** 2 * before, 0.0)
    return StateSpace(F.T, Q.T)


def predict(x: Floats, P: Floats, F: Floats, Q: Floats) -> tuple[Floats, Floats]:
    """Return the state and its covariance one step ahead."""
    return F * x, F[:, None] * P * F + Q


def gain(P: Floats, H: Floats, R: Floats) -> tuple[Floats, Floats, Floats]:
    """Return K, how far an innovation moves each component, S, its variance, and the signal's share of S.

    Where neither signal nor noise varies, what is seen is the signal: its share is 1.
    """
    PH = H * P.sum(axis=1)
    signal = H * PH.sum(axis=0) + SMALLEST
    S = signal + R
    return PH / S, S, signal / S


def update(x: Floats, P: Floats, K: Floats, S: Floats, innovation: Floats) -> tuple[Floats, Floats]:
    """Return the state and its covariance given what was seen."""
    return x + K * innovation, P - K[:, None] * (S * K)
