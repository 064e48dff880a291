"""A Kalman filter of a sum of n independent components, for many days at once (Kalman 1960).

Each component is a linear chain of its own, and one number per step shows their sum, times H, with noise:

    x⁺ = F·x + w,  Var w = Q, F and Q diagonal          z = H·Σx + v,  Var v = R

    predict   x ← F·x           P ← F·P·F + Q
    gain      S = H·ΣP·H + R    K = P·1·H/S
    update    x ← x + K·y       P ← P − K·S·Kᵀ            with the innovation y = z − H·Σx

What is seen plays no part in P and K: `gains` follows them alone. x, F and K are (n, …), P and Q (n, n, …);
the further axes are days, or budgets, to which H, R and S broadcast.
"""

from typing import NamedTuple

import numpy as np

from rtp.core.types import Floats

_SMALLEST = 1e-300  # a variance that makes no difference but beside 0


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


class Gains(NamedTuple):
    """How the filter weighs what it sees at every step, whatever it sees."""

    K: Floats  # (T, n, …) how far an innovation moves each component
    share: Floats  # (T, …) of the signal in the innovation's variance
    P: Floats  # (n, n, …) after the last step


def gains(F: Floats, Q: Floats, H: Floats, R: Floats, P: Floats) -> Gains:
    """Follow the covariance from P on, with F (T, n, …), Q (T, n, n, …), H and R (T, …).

    Where neither signal nor noise varies, what is seen is the signal: its share is 1.
    """
    shape = np.broadcast_shapes(F.shape[2:], H.shape[1:], R.shape[1:])
    K, share = np.empty((*F.shape[:2], *shape)), np.empty((len(F), *shape))
    for t, (f, q, h, r) in enumerate(zip(F, Q, H, R, strict=True)):
        P = f[:, None] * P * f + q
        PH = h * P.sum(axis=1)
        signal = h * PH.sum(axis=0) + _SMALLEST
        S = signal + r
        K[t], share[t] = PH / S, signal / S
        P = P - K[t][:, None] * PH
    return Gains(K, share, P)
