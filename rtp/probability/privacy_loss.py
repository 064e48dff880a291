"""What Laplace noise leaves to learn about one house.

A house uses U(0, u₁) when occupied and U(0, u₀) when empty. Uniform densities have a monotone likelihood
ratio and Laplace noise is log-concave, so after adding Lap(b) the ratio of the two densities is monotone in
the observed value and lies between its limits at ±∞. The larger limit, in logs, is the privacy loss
|ln m(u₁/b) − ln m(u₀/b)| with m(y) = (e^y − 1)/y = E[e^{yU}].

That is for uniform use. Were consumption anything within a bound u, it is worst where a house uses its bound
in one state and nothing in the other, and the loss is u/b.
"""

import numpy as np

from rtp.core.types import Floats

FLAT = 1e-4  # below it the first terms of the series are exact


def log_mean_fall(y: Floats) -> Floats:
    """ln((1 − e^{−y})/y) = ln E[e^{−yU}] for y ≥ 0, without cancellation however large or small y is."""
    flat = y < FLAT
    safe = np.where(flat, 1.0, y)
    return np.where(flat, y**2 / 24 - y / 2, np.log(-np.expm1(-safe) / safe))


def log_mean_exp(y: Floats) -> Floats:
    """ln m(y) = ln((e^y − 1)/y) for y ≥ 0, without overflow."""
    return y + log_mean_fall(y)


def log_mean_exp_slope(y: Floats) -> Floats:
    """The derivative of ln m(y) for y ≥ 0, which goes from 1/2 at 0 up to 1."""
    flat = y < FLAT
    safe = np.where(flat, 1.0, y)
    return np.where(flat, 0.5 + y / 12, -1 / np.expm1(-safe) - 1 / safe)


def llr_range(b: float, occupied_bound: Floats, empty_bound: Floats) -> tuple[Floats, Floats]:
    """The least and the largest ln Pr[y | occupied] − ln Pr[y | empty] of uniform use plus Lap(b), (n,) each.

    They are its limits at ±∞, and the larger of both is the privacy loss.
    """
    if b == 0:  # what both states can use says little, what one alone can use is proof
        with np.errstate(divide="ignore", invalid="ignore"):
            ends = np.log(empty_bound) - np.log(occupied_bound), (occupied_bound - empty_bound) * np.inf
        low, high = (np.where(occupied_bound == empty_bound, 0.0, end) for end in ends)
    else:
        occupied, empty = occupied_bound / b, empty_bound / b
        low = log_mean_fall(occupied) - log_mean_fall(empty)
        high = log_mean_exp(occupied) - log_mean_exp(empty)
    return np.minimum(low, high), np.maximum(low, high)


def privacy_loss(b: float, occupied_bound: Floats, empty_bound: Floats) -> Floats:
    """What noise of scale b on consumption leaves to learn about each house of uniform use, in the unit of ε.

    Without noise a difference is proof; infinite noise tells nothing.
    """
    lowest, highest = llr_range(b, occupied_bound, empty_bound)
    return np.maximum(-lowest, highest)


def privacy_loss_any_use(b: float, bound: Floats) -> Floats:
    """The same for consumption that may be anything within the bound."""
    if b == 0:
        return np.where(bound == 0, 0.0, np.inf)
    return bound / b
