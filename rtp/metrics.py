"""Arrays in, numbers out."""

import numpy as np

from rtp.occupancy import Floats


def rmsre(published: Floats, optimal: Floats) -> float:
    """The paper's RMSRE, as printed: (1/T)·√Σ((r̂ − r)/r)². The 1/T stands outside the root."""
    return expected_rmsre((published - optimal) ** 2, optimal)


def expected_rmsre(squared_error: Floats, optimal: Floats) -> float:
    """The root of RMSRE's mean square, from the expected squared error of every step."""
    return float(np.sqrt(np.sum(_relative(squared_error, optimal))) / len(optimal))


def conventional(printed_rmsre: float, steps: int) -> float:
    """The same error with the mean inside the root: √(mean((r̂ − r)/r)²)."""
    return printed_rmsre * float(np.sqrt(steps))


def _relative(squared_error: Floats, optimal: Floats) -> Floats:
    """Squared error over squared rate; no error on a rate of zero is no relative error."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = squared_error / optimal**2
    return np.where(squared_error == 0, 0.0, ratio)


def laplace_squared_error(scale: Floats, optimal: Floats, clip_at_zero: bool) -> Floats:
    """E[(r̂ − r)²] for r̂ = r + Lap(scale), or its positive part: 2b², less b(r + b)e^{−r/b} when clipped."""
    full = 2 * scale**2
    if not clip_at_zero:
        return full
    b = np.where(scale > 0, scale, 1.0)
    return np.where(scale > 0, full - b * (optimal + b) * np.exp(-optimal / b), 0.0)
