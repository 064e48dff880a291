"""The Kalman filter on arrays: chains with stated moments, and the textbook's matrices."""

import numpy as np
from numpy.random import default_rng

from rtp.core.types import Floats
from rtp.probability.kalman import gain, predict, state_space, update

STEPS, COMPONENTS = 12, 3


def chain() -> tuple[Floats, Floats]:
    """(variance, lag-one covariance), (n, T); the last component is white, and nothing varies at one step."""
    rng = default_rng(1)
    variance = rng.uniform(0.5, 2.0, (COMPONENTS, STEPS))
    variance[1, 4] = 0.0
    lag1 = np.zeros_like(variance)
    lag1[:-1, :-1] = 0.8 * np.sqrt(variance[:-1, :-1] * variance[:-1, 1:])
    return variance, lag1


def test_a_state_space_has_the_moments_it_was_made_from() -> None:
    variance, lag1 = chain()
    F, Q = state_space(variance, lag1)
    assert (Q >= 0).all()
    assert not F[0].any()
    now = np.zeros(COMPONENTS)
    for t in range(STEPS):
        if t:
            np.testing.assert_allclose(F[t] * now, lag1[:, t - 1], atol=1e-15)
        now = F[t] ** 2 * now + Q[t]
        np.testing.assert_allclose(now, variance[:, t], rtol=1e-12, atol=1e-15)


def test_many_days_are_filtered_as_the_textbook_filters_each() -> None:
    """P = FPFᵀ + Q, S = HPHᵀ + R, K = PHᵀ/S, P = (1 − KH)P, with matrices and one day at a time."""
    days, rng = 4, default_rng(2)
    F, Q = state_space(*chain())
    seen = rng.normal(size=(STEPS, days))
    H, R = rng.uniform(0.5, 1.0, (STEPS, days)), rng.uniform(0.0, 2.0, (STEPS, days))
    x, P = np.zeros((COMPONENTS, 1)), np.zeros((COMPONENTS, COMPONENTS, 1))
    ours = []
    for t in range(STEPS):
        step = F[t][:, None], np.diag(Q[t])[..., None]
        x, P = predict(x, P, *step)
        K, S, share = gain(P, H[t], R[t])
        np.testing.assert_allclose(share, H[t] * K.sum(axis=0), rtol=1e-12)
        x, P = update(x, P, K, S, seen[t] - H[t] * x.sum(axis=0))
        ours.append(x)
    for day in range(days):
        state, covariance = np.zeros(COMPONENTS), np.zeros((COMPONENTS, COMPONENTS))
        for t in range(STEPS):
            move, row = np.diag(F[t]), np.full((1, COMPONENTS), H[t, day])
            state = move @ state
            covariance = move @ covariance @ move.T + np.diag(Q[t])
            K = covariance @ row.T / (row @ covariance @ row.T + R[t, day])
            state = state + K[:, 0] * (seen[t, day] - (row @ state)[0])
            covariance = (np.eye(COMPONENTS) - K @ row) @ covariance
            np.testing.assert_allclose(ours[t][:, day], state, rtol=1e-9, atol=1e-12)
