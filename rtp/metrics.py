"""Arrays in, numbers out: by how much a rate is off.

The error is the root mean square relative error, RMSRE = √(mean of ((r̂ − r)/r)²): the share of the rate by
which a typical step is off. More days of the same kind do not change it. The paper's own RMSRE has its 1/T
outside the root; `rtp.paper` alone divides by √T.
"""

import numpy as np

from rtp.core.types import Floats

ERROR_DIGITS = 3  # in percent
ERROR_AXIS = "RMSRE, % of the rate in a typical step"
ERROR_MEANS = (
    "RMSRE, the root mean square relative error, says by how much of its value the rate is off in a typical "
    "step, however many days are run: the root of the mean of ((r̂ − r)/r)² over all steps."
)


def rmsre(published: Floats, optimal: Floats) -> float:
    """Return √(mean of ((r̂ − r)/r)²), as a fraction."""
    return float(expected_rmsre((published - optimal) ** 2, optimal))


def expected_rmsre(squared_error: Floats, optimal: Floats) -> Floats:
    """Return the same from the (expected) squared error of every step: steps along the first axis, days, if
    there are many, along the others."""
    return np.asarray(np.sqrt(relative(squared_error, optimal).mean(axis=0)))


def relative_error(published: Floats, optimal: Floats) -> Floats:
    """(r̂ − r)/r at every step; no error on a rate of zero is no relative error."""
    off = published - optimal
    return np.asarray(np.copysign(np.sqrt(relative(off**2, optimal)), off))


def relative(squared_error: Floats, optimal: Floats) -> Floats:
    """Squared error over squared rate; no error on a rate of zero is no relative error."""
    whole = optimal**2
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ratio = squared_error / whole
    return ratio if whole.all() else np.where(squared_error == 0, 0.0, ratio)


def laplace_squared_error(
    scale: Floats, optimal: Floats, low: float = -np.inf, high: float = np.inf
) -> Floats:
    """E[(r̂ − r)²] for r̂ = r + Lap(b), cut at two limits: 2b², less what either cuts off. With room h ≥ 0 to a
    limit that is E[L² − h²; L > h] = b(h + b)e^{−h/b}; where r lies d beyond it, 2b² − d² − b(d + b)e^{−d/b}.
    """
    squared, b = np.asarray(2 * scale**2), np.where(scale > 0, scale, 1.0)
    for room in (high - optimal, optimal - low):
        if np.isfinite(room).any():
            beyond = np.abs(room) / b
            tail = np.where(scale > 0, b**2 * (beyond + 1) * np.exp(-beyond), 0.0)
            squared = squared - np.where(room >= 0, tail, 2 * scale**2 - room**2 - tail)
    return squared


def capped_squared_error(off: Floats, variance: Floats, room: Floats) -> Floats:
    """E[min(e, room)²] for a normal error e with this mean and variance."""
    from scipy.special import ndtr

    if np.isposinf(room).all():
        return np.asarray(off**2 + variance)
    spread = np.sqrt(variance)
    z = np.divide(room - off, spread, out=np.where(room > off, np.inf, -np.inf), where=spread > 0)
    below, height = ndtr(z), np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
    edge = np.where(np.isfinite(z), (2 * off + spread * np.where(np.isfinite(z), z, 0.0)) * spread, 0.0)
    return np.asarray(
        (off**2 + variance) * below - edge * height + np.where(below < 1, room, 0.0) ** 2 * (1 - below)
    )
