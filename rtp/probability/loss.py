"""What Laplace noise leaves to learn about one house.

A house uses U(0, u₁) when occupied and U(0, u₀) when empty. Uniform densities have a monotone likelihood
ratio and Laplace noise is log-concave, so after adding Lap(b) the ratio of the two densities is monotone in
the observed value and lies between its limits at ±∞. The larger limit, in logs, is the privacy loss
|ln m(u₁/b) − ln m(u₀/b)| with m(y) = (e^y − 1)/y = E[e^{yU}].
"""

import numpy as np

from rtp.core.types import Bools, Floats

FLAT = 1e-4  # below it the first terms of the series are exact


def log_mean_fall(y: Floats) -> Floats:
    """ln((1 − e^{−y})/y) = ln E[e^{−yU}] for y ≥ 0, without cancellation however large or small y is."""
    return _log_mean_fall(y)[0]


def _log_mean_fall(y: Floats) -> tuple[Floats, Bools, Floats, Floats]:
    """The same with what it took: where y is flat, y or 1 there, and 1 − e^{−y} of that."""
    flat = y < FLAT
    safe = np.where(flat, 1.0, y)
    fall = -np.expm1(-safe)
    return np.where(flat, y**2 / 24 - y / 2, np.log(fall / safe)), flat, safe, fall


def log_mean_exp(y: Floats) -> Floats:
    """ln((e^y − 1)/y) for y ≥ 0, without overflow."""
    return y + log_mean_fall(y)


def log_mean_exp_signed(y: Floats) -> Floats:
    """The same for either sign of y."""
    return log_mean_exp(np.abs(y)) + np.minimum(y, 0.0)


def log_mean_exp_and_slope(y: Floats) -> tuple[Floats, Floats]:
    """log_mean_exp and its derivative, which goes from 1/2 at 0 up to 1."""
    if not (y < FLAT).any():  # as nearly always: half as many calls of numpy's, the same numbers
        down = -y
        rise = np.expm1(down)
        return y + np.log(rise / down), 1 / down - 1 / rise
    log_fall, flat, safe, fall = _log_mean_fall(y)
    return y + log_fall, np.where(flat, 0.5 + y / 12, 1 / fall - 1 / safe)


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
