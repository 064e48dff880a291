"""What an insider reads of a house: with the others' use taken away, its own use and the noise are left.

Two states a house, exact. A rate that is cut says what the noise leaves beyond, at the demand of all.
"""

import numpy as np

from rtp.attack.observation import use_llr
from rtp.core.types import Floats
from rtp.exposure.neighbours import UNCUT, Cut, noise_beyond
from rtp.probability.laplace_uniform import log_ratio
from rtp.street.draw import Use

TINY = 1e-100
WIDE = 64.0  # nodes: between two a ratio is then a line to 1e-4 of its bend


def insider_ratios(
    use: Use, scale: Floats, readings: Floats, cut: Cut = UNCUT, rest: Floats | None = None
) -> Floats:
    """Return ln Pr[reading | occupied] − ln Pr[reading | empty] of readings (T, W, B) of one house, from a
    table where they are many: so many nodes to a scale of noise, (T, W), and beyond both ends it is constant.
    `rest` is what the others use, (T, B), where rates are cut: that is at the demand of all."""
    largest = float(use.histograms().edges[0, -1])
    result = np.empty(readings.shape)
    for b in np.unique(scale).tolist():
        here = scale == b
        seen = readings[here]
        count = WIDE * max(largest / b, 4.0) + 1 if b > 0 else np.inf
        few = seen.size <= count
        y = seen.reshape(-1, 1) if few else np.linspace(0.0, largest, int(count))[:, None]
        ratio = use_llr(y, np.full(y.shape, b), use)[:, 0]
        found = (
            ratio.reshape(seen.shape)
            if few
            else _between(ratio, seen * ((len(ratio) - 1) / max(largest, TINY)))
        )
        if rest is not None:
            _count_cuts(found, use, seen, rest[np.nonzero(here)[0]], b, cut)
        result[here] = found
    return result


def _count_cuts(ratio: Floats, use: Use, seen: Floats, rest: Floats, b: float, cuts: Cut) -> None:
    """Let a reading that is cut count with what lies beyond."""
    for cut, sign in zip(cuts, (-1.0, 1.0), strict=True):
        limit = cut - rest
        hit = (sign * (seen - limit) >= 0) if np.isfinite(cut) else np.zeros(seen.shape, bool)
        if hit.any():
            with np.errstate(divide="ignore"):
                empty, occupied = np.log(use_beyond(use, limit[hit], b, sign))
            ratio[hit] = log_ratio(occupied, empty)


def _between(table: Floats, place: Floats) -> Floats:
    """Return what a table at 0, 1, … holds at places between, its ends beyond them: a line from each to the
    next."""
    place = np.clip(place, 0.0, len(table) - 1.0)
    below = np.minimum(place.astype(np.int32), len(table) - 2)
    return np.asarray(table.take(below) + (place - below) * np.diff(table).take(below))


def use_beyond(use: Use, limit: Floats, b: float, sign: float) -> Floats:
    """Return Pr[one house's use plus Lap(b) lies beyond limits], (2, L), empty and occupied; above them where
    the sign is positive. A bin is a uniform: the mean of the noise's own tail over it."""
    laws = use.histograms()
    result = np.zeros((2, len(limit)))
    for k, (low, high) in enumerate(
        zip(laws.edges[0, :-1].tolist(), laws.edges[0, 1:].tolist(), strict=True)
    ):
        far, near = sorted((sign * (limit - low), sign * (limit - high)), key=lambda each: -each.sum())
        if high > low:
            tail = (_tail_integral(near, b) - _tail_integral(far, b)) / (high - low)
        else:
            tail = noise_beyond(near, b)
        result += laws.mass[:, 0, k, None] * tail
    return result


def _tail_integral(x: Floats, b: float) -> Floats:
    """Return ∫ Pr[Lap(b) ≥ y] dy from x on."""
    if b <= 0:
        return np.maximum(-x, 0.0)
    return np.maximum(-x, 0.0) + b / 2 * np.exp(-np.minimum(np.abs(x) / b, 700.0))
