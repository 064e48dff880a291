"""The narrow form in as many decimal digits as it takes, where floats cancel almost everything.

Every state of n houses subtracts from x, for each house, nothing, u₀ or u₁. So 3ⁿ points serve all 2ⁿ states,
and the form is written so that a point costs a few multiplications: with e^{(x − Σ)/b} a product over houses,

    L_n(y) = P_n(y) + (−1)ⁿ·bⁿ⁻¹·e^{−y/b}/2 for y ≥ 0,    bⁿ⁻¹·e^{y/b}/2 for y < 0,
    P_n(y) = Σ_j b^{2j}·y^{n−1−2j}/(n−1−2j)!,

the n-fold integral of Laplace's density. Its differences are taken house by house. A house of width w costs
about log₁₀(1/w) digits, which says how many to start with; where fewer than `KEPT` survive, they are doubled.
"""

from decimal import MAX_EMAX, MIN_EMIN, Decimal, localcontext
from functools import reduce
from math import ceil, factorial

import numpy as np
from numpy.typing import NDArray

from rtp.core.types import Bools, Floats

Decimals = NDArray[np.object_]

KEPT = 20  # digits of every result
MOST = 2000  # digits after which what is left counts as it is: nothing, at the very edge of the support
NARROWEST = 1e-17  # noise below it is none beside the whole demand, at which 16 digits of x look


def every_state_in_decimals(x: float, widths: Floats, b: float, wanted: Bools) -> Floats:
    """The density at x of the wanted states, inside the support and not a point; zero for the others.

    `widths` is (n, 2), empty and occupied, 0 where a house uses nothing; `wanted` and the result have an axis
    (empty, occupied) per house. The larger of the street's whole width and b is about 1.
    """
    smallest = np.where(widths > 0, widths, 1.0).min(axis=1)
    digits = 2 * KEPT + ceil(-np.log10(np.minimum(smallest, 1.0)).sum())
    result, left = np.zeros(wanted.shape), wanted.copy()
    noise = b if b > NARROWEST else 0.0
    while left.any():
        with localcontext(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN):
            for n in np.unique(_counts(widths)[left]):
                mine = left & (_counts(widths) == n)
                value, sure = _differenced(x, widths, noise, int(n), digits)
                done = mine & (sure | (digits > MOST))
                result[done] = np.maximum(value[done].astype(float), 0.0)
                left &= ~done
        digits *= 2
    return result


def in_decimals(y: float, a: Floats, b: float) -> float:
    """The same for one state, of houses with these widths."""
    widths = np.column_stack([np.zeros_like(a), a])
    wanted = np.zeros((2,) * len(a), dtype=bool)
    wanted[(1,) * len(a)] = True
    return float(every_state_in_decimals(y, widths, b, wanted)[(1,) * len(a)])


def _differenced(x: float, widths: Floats, b: float, n: int, digits: int) -> tuple[Decimals, Bools]:
    """The density of every state as if it had n houses, and where enough digits survived."""
    steps = [np.array([Decimal(0), *(Decimal(w) for w in row if w > 0)]) for row in widths.tolist()]
    points = Decimal(x) - reduce(np.add.outer, steps)
    terms = _form(points, x, steps, n, Decimal(b))
    largest = terms.max()
    for row in widths:
        nothing, used = terms[0], iter(terms[1:])
        terms = np.stack([nothing - next(used) if width > 0 else nothing for width in row], axis=-1)
    over = [np.array([Decimal(w) if w > 0 else Decimal(1) for w in row]) for row in widths.tolist()]
    return terms / reduce(np.multiply.outer, over), terms > largest.scaleb(KEPT - digits)


def _form(points: Decimals, x: float, steps: list[Decimals], n: int, b: Decimal) -> Decimals:
    """L_n at every point."""
    above = np.asarray(points > 0, dtype=bool)
    terms = np.full(points.shape, Decimal(0), dtype=object)
    terms[above] = _powers(points[above], n, b)
    if b:
        tail = _decay(x, steps, above, b) * (b ** (n - 1) / 2)
        terms[above] += tail[above] if n % 2 == 0 else -tail[above]
        terms[~above] = tail[~above]
    return terms


def _decay(x: float, steps: list[Decimals], above: Bools, b: Decimal) -> Decimals:
    """e^{−|y|/b} at every point, by an exponential for each house."""
    falls = [np.array([(-step / b).exp() for step in row]) for row in steps]
    growth = (Decimal(x) / b).exp() * reduce(np.multiply.outer, falls)
    growth[above] = 1 / growth[above]
    return np.asarray(growth)


def _powers(y: Decimals, n: int, b: Decimal) -> Decimals:
    """P_n(y) for y > 0, from its highest power down in steps of y²."""
    square, total, weight = y * y, np.full(y.shape, Decimal(0), dtype=object), Decimal(1)
    for order in range(n - 1, -1, -2):
        total = total * square + weight / factorial(order)
        weight *= b * b
    return np.asarray(total if n % 2 else total * y)


def _counts(widths: Floats) -> NDArray[np.intp]:
    """How many houses use anything, in every state."""
    return np.asarray(reduce(np.add.outer, (widths > 0).astype(np.intp)))
