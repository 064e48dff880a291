"""Two facts about Gaussian errors: what a rate says through crowd and noise, and what an estimate says of a
house.

*A rate.* She expects the demand μ with variance σ² (whom she does not know, and what each uses) and sees it
with Laplace noise of scale b. With d = x − μ and f the density of N(0, σ²) + Lap(b), split at Laplace's kink
into f = A + B, the score ψ = ∂ ln f/∂μ and the curvature w = −∂² ln f/∂μ² follow from f′ = (B − A)/b and
from (1 − b²D²)f = N(0, σ²), the equation of Laplace noise:

    ψ = (A − B)/(b·f),    w = ψ² − (1 − N(d)/f)/b²,
    A = e^{σ²/2b² − d/b}·erfc((σ/b − d/σ)/√2)/4b,    B = A at −d.

|ψ| never exceeds 1/b, which is what the promise is made of. (Masreliez, 1975, updates a Gaussian by them.)

*A house.* A linear estimate with error variance P = v − κ of a state with mean p and variance v = p(1 − p)
is, up to scale, the state plus an error uncorrelated with it: given the state s it has mean p + (κ/v)(s − p)
and variance κP/v. Were the error Gaussian, its log-likelihood ratio between occupied and empty would be,
with δ the estimate less p, (δ + (κ/v)(p − ½))/P.
"""

from math import exp, log, pi, sqrt, tanh

import numpy as np

from rtp.core.types import Floats

NARROW = 50.0  # crowd over noise from which their sum counts as Gaussian, up to about its −4th power
LEAST = 1e-9  # of the curvature, beside that of a Gaussian: no rate is without any


def score(d: float, variance: float, b: float) -> tuple[float, float]:
    """(ψ, w) at a distance d from what is expected. Variance and b are not both 0."""
    gaussian = 1 / (variance + 2 * b**2)
    s = sqrt(variance)
    if s >= NARROW * b:
        return d * gaussian, gaussian
    if s <= b / 1e6:  # noise alone
        return float(np.sign(d)) / b, LEAST * gaussian
    up, down = _log_part(d, s, b), _log_part(-d, s, b)
    log_f = float(np.logaddexp(up, down)) - log(4 * b)
    log_normal = -((d / s) ** 2) / 2 - log(s * sqrt(2 * pi))
    slope = tanh((up - down) / 2)
    curvature = (exp(min(log_normal - log_f, 700.0)) - (1 - slope**2)) / b**2
    return slope / b, max(curvature, LEAST * gaussian)


def _log_part(d: float, s: float, b: float) -> float:
    """ln of e^{s²/2b² − d/b}·erfc((s/b − d/s)/√2)."""
    from scipy.special import log_ndtr

    return (s / b) ** 2 / 2 - d / b + log(2) + float(log_ndtr(d / s - s / b))


def log_odds(occupied: Floats, empty: Floats, deviation: Floats, known: Floats) -> Floats:
    """What an estimate says of each house: `deviation` is δ, `known` is κ; 0 where the state is certain."""
    variance = occupied * empty
    uncertain = variance > 0
    every = bool(uncertain.all())
    safe = variance if every else np.where(uncertain, variance, 1.0)
    share = np.minimum(known / safe, 1 - 1e-9)
    found = np.asarray((deviation + share * (occupied - empty) / 2) / (safe * (1 - share)))
    return found if every else np.where(uncertain, found, 0.0)
