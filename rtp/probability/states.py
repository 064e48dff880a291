"""The density of every joint state of a few houses at once."""

from functools import reduce
from itertools import product
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from rtp.core.types import Floats
from rtp.probability.decimals import every_state_in_decimals
from rtp.probability.forms import Form, narrow, plain, wide
from rtp.probability.loss import log_mean_fall
from rtp.probability.uniforms import LOST, NOTHING, ROUNDING, WIDE, unit_of

Number = TypeVar("Number", np.float64, np.intp)


def every_state(x: float, occupied_bound: Floats, empty_bound: Floats, b: float) -> Floats:
    """The density at one x for every joint state of n houses: (2^n,) in counting order.

    A state subtracts from x, for each house, nothing or that house's bound; so 3^n points serve all 2^n
    states and are differenced house by house. States whose sum floats cannot carry are summed in decimals.
    """
    unit = unit_of(float(np.maximum(empty_bound, occupied_bound).sum()), b)
    if unit <= NOTHING:
        return np.full(2 ** len(empty_bound), 1.0 * (x == 0))
    x, b = x / unit, b / unit
    widths = np.column_stack([empty_bound, occupied_bound]) / unit
    widths[widths <= max(NOTHING, ROUNDING * b)] = 0.0
    total, houses = _every_sum(widths), _every_sum(1 * (widths > 0))
    y = np.minimum(x, total - x)
    broad = (y > 0) & (total <= WIDE * b)
    result, edge = np.zeros_like(y), np.zeros_like(y)
    if b:
        log_edge = _every_sum(log_mean_fall(widths / b))
        result = np.exp(np.minimum(y, 0.0) / b + log_edge) / (2 * b)
        edge[broad] = np.exp(y[broad] / b + log_edge[broad]) / (2 * b)
    doubtful = np.zeros(total.shape, dtype=bool)
    points = x - _every_sum(np.column_stack([np.zeros(len(widths)), widths]))
    inside, upper = (y > 0) & ~broad, total < 2 * x
    forms = ((narrow, inside), (wide, broad)) if b else ((plain, inside),)
    halves = ((False, ~upper), (True, upper))
    found = [(form, fits) for form, fits in forms if fits.any()]
    for (form, fits), n, (mirrored, half) in product(found, np.unique(houses) if found else (), halves):
        chosen = fits & (houses == n) & half
        if not chosen.any():
            continue
        ulps = (n + 2) * np.finfo(float).eps  # powers up to n + 1 of points that are rounded themselves
        with np.errstate(over="ignore", invalid="ignore"):  # what overflows is doubtful
            value, size = _differenced(form, points, int(n), mirrored, widths, b)
            if form is wide:
                value, size = edge - value / b, edge + size / b
            doubtful |= chosen & ~(ulps * size <= LOST * value)
        result[chosen] = value[chosen]
    if doubtful.any():
        result[doubtful] = every_state_in_decimals(x, widths, b, doubtful)[doubtful]
    result /= unit
    if b == 0:
        result[total == 0] = 1.0 * (x == 0)  # a point mass
    return result.ravel()


def _differenced(
    form: Form, points: Floats, n: int, mirrored: bool, widths: Floats, b: float
) -> tuple[Floats, Floats]:
    """The differences of every state of n houses, and how large their terms are."""
    at = np.minimum(-points if mirrored else points, WIDE * b if form is wide else np.inf)
    terms = form(at, n, b) * (-1 if mirrored and n % 2 else 1)
    return _by_house(terms, widths), _by_house(np.abs(terms), -widths)


def _every_sum(choices: NDArray[Number]) -> NDArray[Number]:
    """All sums of one entry from every row, with an axis for each row."""
    return np.asarray(reduce(np.add.outer, choices))


def _by_house(terms: Floats, widths: Floats) -> Floats:
    """From an axis (nothing, u₀, u₁) per house to one (empty, occupied): differenced, over the width.

    A house of width 0 leaves them as they are; negative widths add, which gives the size of the terms.
    """
    each = np.zeros((len(widths), 2, 3))
    each[:, :, 0] = 1.0
    each[:, [0, 1], [1, 2]] = -np.sign(widths)
    each /= np.where(widths == 0, 1.0, np.abs(widths))[:, :, None]
    for step in each:  # a house's axis goes, and its states' comes last
        terms = np.dot(terms.reshape(3, -1).T, step.T)
    return terms.reshape((2,) * len(widths))
