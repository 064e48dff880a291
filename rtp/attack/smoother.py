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
from typing import NamedTuple

import numpy as np

from rtp.attack.beliefs import LARGEST, Chains, move
from rtp.attack.channel import log_odds
from rtp.attack.gaussian import Estimate, GaussianFilter
from rtp.core.types import Bools, Floats, Ints

BLOCK = 32  # houses at once: their covariances stay in the cache


class Regression(NamedTuple):
    """What one day's rates say about η, for any house to use; t steps of it were read."""

    M: Floats  # (t, t)
    weights: Floats  # (t,): M times what was read less what was guessed in the morning
    together: Floats  # (t, k): η along the columns of V₀
    read: Bools  # (T,)


class Paths(NamedTuple):
    """Some houses by the model alone over a day: chances of both states, F, and D; (T, n)."""

    occupied: Floats
    empty: Floats
    carried: Floats
    kept: Floats


def smooth(evidence: GaussianFilter, said: Floats, belief: Floats) -> Floats:
    """Her beliefs so far, (T, n), as they are at the end of each day; `said` is what the filter, which has
    read all rates, said after each."""
    result = np.empty_like(belief)
    houses, steps = np.flatnonzero(evidence.keep), len(said)
    days = [*range(0, steps, evidence.course.chains.steps_per_day), steps]
    for morning, (first, last) in zip(evidence.mornings, pairwise(days), strict=True):
        day = regression(evidence, morning, first, last)
        for start in range(0, len(houses), BLOCK):
            some = houses[start : start + BLOCK]
            paths = _paths(evidence.course.chains, morning, first, last, some)
            whole = _log_odds(day, morning, paths, some, evidence.course.swing[some])
            here = slice(first, last), slice(start, start + BLOCK)
            result[here] = _shift(belief[here], whole - said[here])
    return result


def regression(evidence: GaussianFilter, morning: Estimate, first: int, last: int) -> Regression:
    """M and its weights, in one pass over the day: column s of `shares` is h²·Cov(Sᵢₛ, Sᵢₜ) at step t."""
    h, steps = evidence.course.swing, last - first
    occupied, empty, carried = morning.occupied, morning.empty, h.copy()
    shares = np.zeros((len(h), steps), order="F")
    K, together = np.zeros((steps, steps)), np.zeros((steps, morning.V.shape[1]))
    guess = np.zeros(steps)
    for t in range(steps):
        shares[:, t] = h**2 * occupied * empty
        K[t, : t + 1] = K[: t + 1, t] = shares[:, : t + 1].sum(axis=0)
        together[t], guess[t] = carried @ morning.V, carried @ morning.deviation
        leave, arrive = evidence.course.chains.chances(first + t)
        shares[:, : t + 1] *= (1 - leave - arrive)[:, None]
        carried = carried * (1 - leave - arrive)
        occupied, empty = move(occupied, empty, leave, arrive)
    readings = evidence.readings[first:last]
    read = np.array([reading is not None for reading in readings])
    values, variances = np.array([r for r in readings if r is not None]).reshape(-1, 2).T
    M = np.linalg.inv((K - together @ together.T)[np.ix_(read, read)] + np.diag(variances))
    return Regression(M, M @ (values - guess[read]), together[read], read)


def _log_odds(day: Regression, morning: Estimate, paths: Paths, houses: Ints, swing: Floats) -> Floats:
    """(T, n): what the whole day says of some houses."""
    c = _covariance(day, morning.V[houses], paths, swing)
    deviation = paths.carried * morning.deviation[houses] + day.weights @ c
    known = paths.carried**2 * morning.known[houses] + ((day.M @ c) * c).sum(axis=1)
    return log_odds(paths.occupied, paths.empty, deviation, known)


def _covariance(day: Regression, V: Floats, paths: Paths, swing: Floats) -> Floats:
    """c: of each house's state at every step with η at every step that was read, (T, t, n)."""
    variance = paths.occupied * paths.empty * swing
    steps, n = variance.shape
    own = np.empty((steps, steps, n))
    for t in range(steps):
        if t:
            np.multiply(own[t - 1, :t], paths.kept[t - 1], out=own[t, :t])
            own[:t, t] = own[t, :t]
        own[t, t] = variance[t]
    own = own if day.read.all() else own[:, day.read]
    if V.shape[1]:
        own = own - paths.carried[:, None] * (day.together @ V.T)
    return own


def _paths(chains: Chains, morning: Estimate, first: int, last: int, houses: Ints) -> Paths:
    occupied, empty = morning.occupied[houses], morning.empty[houses]
    carried = np.ones_like(occupied)
    rows = []
    for step in range(first, last):
        leave, arrive = (chance[houses] for chance in chains.chances(step))
        rows.append((occupied, empty, carried, 1 - leave - arrive))
        occupied, empty = move(occupied, empty, leave, arrive)
        carried = carried * (1 - leave - arrive)
    return Paths(*np.array(rows).transpose(1, 0, 2))


def _shift(chance: Floats, gained: Floats) -> Floats:
    """The chance moved by so much in log-odds; what is certain stays so."""
    gained = np.clip(gained, -LARGEST, LARGEST)
    up = chance * np.exp(np.minimum(gained, 0.0))
    down = (1 - chance) * np.exp(-np.maximum(gained, 0.0))
    return np.asarray(up / (up + down))
