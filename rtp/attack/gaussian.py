"""More houses than 2^N allows: a Kalman filter and smoother on the joint Gaussian of all of them.

Without rates house i is occupied with the probability pᵢ of its model, variance vᵢ = pᵢ(1 − pᵢ), and houses
are independent. Consumption is m₀ + h·S + a rest, h = m₁ − m₀ the difference of its means in the two states,
so demand is linear in the states S, and the rest's variance R is the sum of each state's own: of uniform use
the means are u/2, the variances u²/12. The estimate of all states that is best among the linear ones has a
deviation δ from p and the error covariance

    P = diag(v) − V·Vᵀ,

one column of V per rate, so no N × N matrix is ever made.

*Predict.* A step of the chain multiplies deviations by D = 1 − ℓ − a, and D²v plus the variance that moving
adds is v of the next step exactly (law of total variance): δ ← Dδ, V ← DV, and the form stays.

*Update.* A rate x with g = P·h, d = x − Σ(m₀ + h·p) − hᵀδ, and the score ψ and curvature w below at the
variance hᵀg + R:

    δ ← δ + g·ψ,    V ← [V, g·√w],

which is Kalman's update where noise is Gaussian and reads Laplace noise for what it is (Masreliez, 1975). R
takes the states as estimated, between 0 and 1.

*Score and curvature.* With σ² the variance of what is expected, d the distance from it, b the noise's scale
and f the density of N(0, σ²) + Lap(b), split at Laplace's kink into f = A + B, the score ψ = −(ln f)′(d) and
the curvature w = −(ln f)″(d) follow from f′ = (B − A)/b and from (1 − b²D²)f = N(0, σ²), the equation of
Laplace noise:

    ψ = (A − B)/(b·f),    w = ψ² − (1 − N(d)/f)/b²,
    A = e^{σ²/2b² − d/b}·erfc((σ/b − d/σ)/√2)/4b,    B = A at −d.

|ψ| never exceeds 1/b, which is what the promise is made of.

*Smooth.* ψ and w are those of a Gaussian measurement zₜ of ηₜ = hᵀ(S − p) with variance rₜ = 1/w − hᵀg. Given
all of a day's rates the best linear estimate is one regression (the smoother of Rauch, Tung and Striebel
gives the same numbers with an N × N inverse a step; this takes one T × T):

    δ̂ = F·δ₀ + c·M·(z − ηs guess),    κ̂ = F²·κ₀ + c·M·cᵀ,
    M = (K + diag r)⁻¹,    K = Cov(η, η),    c = Cov(Sᵢₜ, η),

with Cov(Sᵢₛ, Sᵢₜ) = vᵢₛ·D…D from s to t ≥ s by the chain. What was known of houses together as the day began,
V₀, is carried along by F = D…D and subtracted.

*One house.* An estimate with error variance P = v − κ of a state with mean p and variance v is, up to scale,
the state plus an error uncorrelated with it: given the state s it has mean p + (κ/v)(s − p) and variance
κP/v. Were the error Gaussian, its log-likelihood ratio between occupied and empty would be, with δ the
estimate less p, (δ + (κ/v)(p − ½))/P. What a rate adds to it is the rate's log-likelihood ratio. Linear
estimates have the true second moments whatever the distributions are, so nothing is counted twice; what they
lose is measured by `scores.approximation_error`.
"""

from math import exp, log, pi, sqrt, tanh
from typing import NamedTuple

import numpy as np

from rtp.attack.observation import Observed
from rtp.core.time import STEPS_PER_DAY
from rtp.core.types import Floats, Ints
from rtp.probability.markov import Chains, predict
from rtp.street.draw import Street

RANK = STEPS_PER_DAY  # columns of V carried into the next day: the largest directions of what is known
NARROW = 50.0  # crowd over noise from which their sum counts as Gaussian, up to about its −4th power
MIN_CURVATURE = 1e-9  # beside that of a Gaussian: no rate is without any
MIN_REST = 1e-6  # of the largest rest there could be: an estimate may hold everyone to use nothing, and err
HOUSES_AT_ONCE = 32  # houses that are smoothed at once: their covariances stay in the cache


class LinearEstimate(NamedTuple):
    """The linear estimate as a day begins. Arrays are (N,) but V."""

    occupied: Floats  # by the model alone
    empty: Floats
    deviation: Floats  # δ
    V: Floats  # (k, N), one row per rate or direction


class GaussianFiltered(NamedTuple):
    """What rates say of some houses as log-odds, (T, n), and what the smoother needs."""

    before: Floats  # each rate
    after: Floats
    mornings: list[LinearEstimate]  # as each day begins
    value: Floats  # (T,) each rate as a measurement of η; NaN where it says nothing
    variance: Floats  # (T,)


def gaussian_filter(
    observed: Observed,
    street: Street,
    chains: Chains,
    houses: Ints,
    steps_per_day: int,
) -> GaussianFiltered:
    """Return what the rates up to each step say of some houses; `chains` are those of all houses."""
    (m0, m1), (v0, v1) = street.moments()
    h, min_rest = m1 - m0, MIN_REST * float(np.maximum(v0, v1).sum())
    steps, N = chains.steps, len(h)
    before, after = np.empty((2, steps, len(houses)))
    value, variance = np.full((2, steps), np.nan)
    mornings: list[LinearEstimate] = []
    occupied, empty = chains.initial, 1 - chains.initial
    deviation, kappa, V, k = np.zeros(N), np.zeros(N), np.empty((0, N)), 0
    transitions = chains.transitions()
    for t in range(steps):
        if t % steps_per_day == 0:
            V = _largest_directions(V[:k])
            mornings.append(LinearEstimate(occupied, empty, deviation, V))
            k, V = len(V), np.concatenate([V, np.empty((steps_per_day, N))])
        before[t] = house_log_odds(occupied[houses], empty[houses], deviation[houses], kappa[houses])
        gain = occupied * empty * h - (V[:k] @ h) @ V[:k]
        crowd, guess = max(float(h @ gain), 0.0), float(h @ deviation)
        if observed.informative[t]:
            rest = float(v0.sum() + (v1 - v0) @ np.clip(occupied + deviation, 0.0, 1.0))
            rest = max(rest, min_rest)
            d = float(observed.total[t] - m0.sum() - h @ occupied) - guess
            psi, w = score_and_curvature(d, crowd + rest, float(observed.b[t]))
            value[t], variance[t] = guess + psi / w, max(1 / w - crowd, rest * 1e-6)
            deviation, kappa = deviation + psi * gain, kappa + w * gain**2
            V[k], k = sqrt(w) * gain, k + 1
        after[t] = house_log_odds(occupied[houses], empty[houses], deviation[houses], kappa[houses])
        if t + 1 < steps:
            leave, arrive = next(transitions)
            D = 1 - leave - arrive
            deviation, kappa = D * deviation, D**2 * kappa
            V[:k] *= D
            occupied, empty = predict(occupied, empty, leave, arrive)
    return GaussianFiltered(before, after, mornings, value, variance)


def _largest_directions(V: Floats) -> Floats:
    """What is known of houses together in at most RANK directions."""
    if len(V) <= RANK:
        return V
    _, directions = np.linalg.eigh(V @ V.T)
    return np.asarray(directions[:, -RANK:].T @ V)


def score_and_curvature(d: float, variance: float, b: float) -> tuple[float, float]:
    """Return (ψ, w) at a distance d from what is expected. Variance and b are not both 0."""
    gaussian = 1 / (variance + 2 * b**2)
    s = sqrt(variance)
    if s >= NARROW * b:
        return d * gaussian, gaussian
    if s <= b / 1e6:  # noise alone
        return float(np.sign(d)) / b, MIN_CURVATURE * gaussian
    above, below = _log_part(d, s, b), _log_part(-d, s, b)
    log_f = float(np.logaddexp(above, below)) - log(4 * b)
    log_normal = -((d / s) ** 2) / 2 - log(s * sqrt(2 * pi))
    slope = tanh((above - below) / 2)
    curvature = (exp(log_normal - log_f) - (1 - slope**2)) / b**2
    return slope / b, max(curvature, MIN_CURVATURE * gaussian)


def _log_part(d: float, s: float, b: float) -> float:
    """ln of e^{s²/2b² − d/b}·erfc((s/b − d/s)/√2)."""
    from scipy.special import log_ndtr

    return (s / b) ** 2 / 2 - d / b + log(2) + float(log_ndtr(d / s - s / b))


def house_log_odds(occupied: Floats, empty: Floats, deviation: Floats, kappa: Floats) -> Floats:
    """Return what an estimate says of each house: `deviation` is δ; 0 where it is certain."""
    variance = occupied * empty
    safe = np.where(variance > 0, variance, 1.0)
    share = np.minimum(kappa / safe, 1 - 1e-9)
    return np.where(variance > 0, (deviation + share * (occupied - empty) / 2) / (safe * (1 - share)), 0.0)


def gaussian_smooth(
    filtered: GaussianFiltered, street: Street, chains: Chains, houses: Ints, steps_per_day: int
) -> Floats:
    """Return what all rates of each step's day say of some houses, as log-odds, (T, n)."""
    (m0, m1), _ = street.moments()
    h = m1 - m0
    result = np.empty_like(filtered.after)
    for day, morning in enumerate(filtered.mornings):
        here = slice(day * steps_per_day, min((day + 1) * steps_per_day, chains.steps))
        own = chains.between(here.start, here.stop, morning.occupied)
        read = ~np.isnan(filtered.value[here])
        K, along, guess = _of_eta(own, morning, h)
        K, along, guess = K[np.ix_(read, read)], along[read], guess[read]
        M = np.linalg.inv(K - along @ along.T + np.diag(filtered.variance[here][read]))
        weights = M @ (filtered.value[here][read] - guess)
        for first in range(0, len(houses), HOUSES_AT_ONCE):
            some = houses[first : first + HOUSES_AT_ONCE]
            occupied, empty, carried, covariance = _paths(own, morning, some)
            c = covariance[:, read] * h[some] - carried[:, None] * (along @ morning.V[:, some])  # (T, t, n)
            deviation = carried * morning.deviation[some] + weights @ c
            kappa = carried**2 * (morning.V[:, some] ** 2).sum(axis=0) + ((M @ c) * c).sum(axis=1)
            result[here, first : first + HOUSES_AT_ONCE] = house_log_odds(occupied, empty, deviation, kappa)
    return result


def _of_eta(chains: Chains, morning: LinearEstimate, h: Floats) -> tuple[Floats, Floats, Floats]:
    """Of η over a day by the model alone: its covariance, (T, T), its part along V₀, (T, k), and what was
    guessed of it in the morning, (T,)."""
    steps = chains.steps
    K, along, guess = np.empty((steps, steps)), np.empty((steps, len(morning.V))), np.empty(steps)
    shares = np.empty((steps, len(h)))  # row s: each house's share of Cov(ηₛ, ηₜ)
    p, q, carried = morning.occupied, morning.empty, h
    transitions = chains.transitions()
    for t in range(steps):
        shares[t] = h**2 * p * q
        K[t, : t + 1] = K[: t + 1, t] = shares[: t + 1].sum(axis=1)
        along[t], guess[t] = morning.V @ carried, carried @ morning.deviation
        if t + 1 < steps:
            leave, arrive = next(transitions)
            D = 1 - leave - arrive
            shares[: t + 1] *= D
            carried = carried * D
            p, q = predict(p, q, leave, arrive)
    return K, along, guess


def _paths(chains: Chains, morning: LinearEstimate, houses: Ints) -> tuple[Floats, Floats, Floats, Floats]:
    """Of some houses over a day by the model alone: the probabilities of both states and F, (T, n), and the
    covariance of the states at any two steps, (T, T, n)."""
    steps, n = chains.steps, len(houses)
    occupied, empty, carried = np.empty((3, steps, n))
    covariance = np.empty((steps, steps, n))
    p, q, F = morning.occupied[houses], morning.empty[houses], np.ones(n)
    transitions = chains.select(houses).transitions()
    for t in range(steps):
        occupied[t], empty[t], carried[t], covariance[t, t] = p, q, F, p * q
        if t + 1 < steps:
            leave, arrive = next(transitions)
            D = 1 - leave - arrive
            covariance[t + 1, : t + 1] = covariance[: t + 1, t + 1] = covariance[t, : t + 1] * D
            p, q = predict(p, q, leave, arrive)
            F = F * D
    return occupied, empty, carried, covariance
