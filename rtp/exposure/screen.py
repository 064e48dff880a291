"""How much could be told of every house at every step, without drawing a single day.

A first look by linear estimates, over all houses: a reading is the house's state plus white noise of the
variance r = 1/(8·B), with B the Bhattacharyya distance of what is seen in its two states, taken as normal
with their means and variances, everybody else's (an outsider's) and the noise's. A house's state is a chain
with variance v = π(1 − π) and the persistence D = 1 − leave − arrive, so Kalman's filter and the smoother of
Rauch, Tung and Striebel say which share ρ of v a day's readings explain. The two answers then lie
d = √(ρ/(v(1 − ρ))) standard deviations apart. Of a house that may be away, what the filter does not expect of
an occupied house adds up to d². Only the order of the houses counts: the best are then lived and measured.
"""

import numpy as np

from rtp.core.types import Floats
from rtp.exposure.secrets import Record

SMALLEST = 1e-12


def separations(record: Record, widths: Floats, outsider: bool) -> Floats:
    """Return d² of every followed house at every width: (W, T, n) of moments, (W, 1, n) of days and weeks."""
    noise = _state_noise(record, widths, outsider)
    chains, pi = record.chains, record.occupied
    v = pi * (1 - pi)
    persistence = (1 - chains.leave - chains.arrive)[chains.row]
    return _moments(v, persistence, noise) if record.secret == "moment" else _away(pi, v, persistence, noise)


def _state_noise(record: Record, widths: Floats, outsider: bool) -> Floats:
    """Return r, (W, T, n) or where nothing changes with the steps (W, 1, n)."""
    (m0, m1), (v0, v1) = record.street.moments(record.houses)
    b = np.multiply.outer(widths, record.shape if np.ptp(record.shape) else record.shape[:1])[..., None]
    crowd: Floats | float = 2 * b**2
    if outsider:
        pi = record.occupied
        own = pi * (1 - pi) * (m1 - m0) ** 2 + pi * v1 + (1 - pi) * v0
        crowd = crowd + np.maximum(record.market.street_day.true_moments.variance[:, None] - own, 0.0)
    s1, s0 = v1 + crowd + SMALLEST, v0 + crowd + SMALLEST
    distance = (m1 - m0) ** 2 / (4 * (s1 + s0)) + np.log((s1 + s0) / 2 / np.sqrt(s1 * s0)) / 2
    return np.asarray(1 / (8 * np.maximum(distance, SMALLEST)))


def _moments(v: Floats, persistence: Floats, noise: Floats) -> Floats:
    steps = len(v)
    noise = np.broadcast_to(noise, (len(noise), steps, v.shape[1]))
    before, after = np.empty((2, *noise.shape))
    P = np.broadcast_to(v[0], noise[:, 0].shape)
    for t in range(steps):
        before[:, t] = P
        after[:, t] = P * noise[:, t] / (P + noise[:, t])
        if t + 1 < steps:
            D = persistence[t]
            P = np.maximum(D**2 * (after[:, t] - v[t]) + v[t + 1], 0.0)
    for t in range(steps - 2, -1, -1):
        gain = persistence[t] * after[:, t] / np.maximum(before[:, t + 1], SMALLEST**2)
        after[:, t] += gain**2 * (after[:, t + 1] - before[:, t + 1])
    told = np.clip(1 - after / np.maximum(v, SMALLEST**2), 0.0, 1 - 1e-9)
    return np.asarray(told / (np.maximum(v, SMALLEST**2) * (1 - told)))


def _away(pi: Floats, v: Floats, persistence: Floats, noise: Floats) -> Floats:
    """Half of the house's own variance counts: only one of the two ways has it."""
    noise = np.broadcast_to(noise, (len(noise), len(pi), pi.shape[1]))
    total = np.zeros(noise[:, 0].shape)
    expected, P = np.zeros_like(total), np.broadcast_to(v[0] / 2, total.shape)
    for t in range(len(pi)):
        S = P + noise[:, t]
        surprise = pi[t] - expected
        total += surprise**2 / S
        expected, P = expected + P / S * surprise, P * noise[:, t] / S
        if t + 1 < len(pi):
            D = persistence[t]
            expected, P = D * expected, np.maximum(D**2 * (P - v[t] / 2) + v[t + 1] / 2, 0.0)
    return total[:, None]
