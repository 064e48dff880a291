"""What Laplace noise leaves to learn about one house.

A house uses U(0, u₁) when occupied and U(0, u₀) when empty. Uniform densities have a monotone likelihood
ratio and Laplace noise is log-concave, so after adding Lap(b) the ratio of the two densities is monotone in
the observed value and lies between its limits at ±∞. The larger limit, in logs, is the privacy loss
|ln m(u₁/b) − ln m(u₀/b)| with m(y) = (e^y − 1)/y = E[e^{yU}].
"""

import numpy as np

from rtp.arrays import Floats

FLAT = 1e-4  # below it the first terms of the series are exact


def log_mean_fall(y: Floats) -> Floats:
    """ln((1 − e^{−y})/y) = ln E[e^{−yU}] for y ≥ 0, without cancellation however large or small y is."""
    series = y**2 / 24 - y / 2
    safe = np.where(y < FLAT, 1.0, y)
    return np.where(y < FLAT, series, np.log(-np.expm1(-safe) / safe))


def log_mean_exp(y: Floats) -> Floats:
    """ln((e^y − 1)/y) for y ≥ 0, without overflow."""
    return y + log_mean_fall(y)


def log_mean_exp_signed(y: Floats) -> Floats:
    """The same for either sign of y."""
    return log_mean_exp(np.abs(y)) + np.minimum(y, 0.0)


def log_mean_exp_slope(y: Floats) -> Floats:
    """The derivative of log_mean_exp: from 1/2 at 0 up to 1."""
    safe = np.where(y < FLAT, 1.0, y)
    return np.where(y < FLAT, 0.5 + y / 12, -1 / np.expm1(-safe) - 1 / safe)


def privacy_loss(b: Floats | float, occupied_bound: Floats, empty_bound: Floats) -> Floats:
    """What Laplace noise of scale b > 0 on consumption leaves to learn about each house, in the unit of ε."""
    return np.abs(log_mean_exp(occupied_bound / b) - log_mean_exp(empty_bound / b))


def worst_loss(b: float, occupied_bound: Floats, empty_bound: Floats) -> Floats:
    """The same for any b: without noise a difference is proof, and infinite noise tells nothing."""
    if np.isinf(b):
        return np.zeros_like(occupied_bound)
    if b == 0:
        return np.where(occupied_bound == empty_bound, 0.0, np.inf)
    return privacy_loss(b, occupied_bound, empty_bound)


def worst_loss_any_use(b: float, bound: Floats) -> Floats:
    """Were consumption anything within the bound: it is worst where a house uses its bound or nothing."""
    if b == 0:
        return np.where(bound == 0, 0.0, np.inf)
    return bound / b
