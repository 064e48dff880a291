"""The exact density of independent uniforms plus Laplace noise: Pr[r̂ | state] of the paper's equation (6).

Let Z = Σ U(0, aᵢ), n terms, and b the noise's scale. A uniform is an integral and a difference,
so the density is the n-fold integral of Laplace's, differenced by every aᵢ: inclusion–exclusion over all
subsets of the aᵢ, divided by Π aᵢ. Two forms of that integral keep it accurate:

* narrow noise: (1 − b²D²)Lap = δ gives L_n(y) = y₊^{n−1}/(n−1)! + b²·L_{n−2}(y), all terms of one sign;
* wide noise, where those differences would cancel: split Laplace's density at its kink,
  f(x) = (e^{x/b}·E[e^{−Z/b}] − 2·E[sinh((x − Z)/b); Z < x])/2b, and difference only the second part.

Outside [0, Σ aᵢ] the density is an exponential times E[e^{±Z/b}], exactly. Several houses that use next to
nothing beside one that does not still cancel almost everything: where the terms are that much larger than
their sum, the narrow form is summed again in as many decimal digits as it takes.
"""

from collections.abc import Callable
from decimal import MAX_EMAX, MIN_EMIN, Decimal, localcontext
from functools import reduce
from itertools import product
from math import factorial, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rtp.mechanisms.calibrated import log_mean_exp
from rtp.occupancy import Floats

WIDE = 3.0  # Σ aᵢ/b up to which noise counts as wide
LOST = 1e-10  # relative error from which floats are not trusted
FEW = 5  # houses up to which there is time to do every doubtful state on its own
LOST_OF_MANY = 1e-7  # the relative error that is let pass where there are more
NOTHING = 1e-150  # a consumption or noise below it is none
ROUNDING = 1e-16  # a width this small beside the noise moves no digit of the density


def uniforms_plus_laplace(x: Floats, widths: Floats, b: float) -> Floats:
    """Density at every x of Σ U(0, widthᵢ) + Lap(b); b = 0 is no noise, width 0 no house.

    With neither there is a point mass at 0, given as 1 there and 0 elsewhere.
    """
    x, a = np.asarray(x, dtype=float), np.asarray(widths, dtype=float)
    a, b = a[a > NOTHING], b if b > NOTHING else 0.0
    unit = max(float(a.sum()), b)
    if unit == 0:
        return np.asarray(1.0 * (x == 0))
    return _in_own_unit(x / unit, a / unit, b / unit) / unit


def _in_own_unit(x: Floats, a: Floats, b: float) -> Floats:
    """The density where the larger of Σ aᵢ and b is 1, so that no product over houses leaves the floats."""
    a = a[a > ROUNDING * (b or 1.0)]
    y = np.minimum(x, a.sum() - x)  # the density is symmetric about Σ aᵢ/2
    inside = np.maximum(y, 0.0)
    outside, edge = np.zeros_like(y), np.zeros_like(y)
    if b == 0:
        middle, size = _differenced(inside, a, lambda z, n: _power(z, n - 1))
    else:
        log_edge = log_mean_exp(a / b).sum() - (a / b).sum()  # ln E[e^{−Z/b}]
        outside = np.exp(np.minimum(y, 0.0) / b + log_edge) / (2 * b)
        if a.sum() > WIDE * b:
            middle, size = _differenced(inside, a, lambda z, n: _narrow(z, n, b))
        else:
            edge = np.exp(inside / b + log_edge) / (2 * b)
            bend, size = _differenced(inside, a, lambda z, n: _wide(z, n, b) / b)
            middle = edge - bend
    doubtful = (y > 0) & (np.finfo(float).eps * (size + edge) > LOST * middle)
    result = np.where(y <= 0, outside, middle)
    result[doubtful] = [_in_decimals(value, a, b) for value in y[doubtful]]
    return result


def _differenced(x: Floats, a: Floats, integral: Callable[[Floats, int], Floats]) -> tuple[Floats, Floats]:
    """Σ over subsets S of (−1)^|S|·integral(x − Σ_S a, n) / Π a, and the same with all signs positive."""
    shifts, signs = np.zeros(1), np.ones(1)
    for width in a:
        shifts, signs = np.concatenate([shifts, shifts + width]), np.concatenate([signs, -signs])
    terms = integral(x[..., None] - shifts, len(a)) / np.prod(a)
    return np.asarray(terms @ signs), np.asarray(np.abs(terms).sum(axis=-1))


def _power(y: Floats, k: int) -> Floats:
    """y₊^k / k!"""
    return np.asarray(np.where(y > 0, y, 0.0) ** k / factorial(k) if k else 1.0 * (y > 0), dtype=float)


def _narrow(y: Floats, n: int, b: float) -> Floats:
    """The n-fold integral of Laplace's density from −∞."""
    if n == 0:
        return np.exp(-np.abs(y) / b) / (2 * b)
    if n == 1:
        tail = np.exp(-np.abs(y) / b) / 2
        return np.where(y < 0, tail, 1 - tail)
    return _power(y, n - 1) + b**2 * _narrow(y, n - 2, b)


def _wide(y: Floats, n: int, b: float) -> Floats:
    """The n-fold integral of sinh(y₊/b) from 0, by its series."""
    z = np.where(y > 0, y, 0.0) / b
    term = z ** (n + 1) / factorial(n + 1)
    total = term.copy()
    for k in range(n + 2, n + 30, 2):
        term = term * z**2 / (k * (k + 1))
        total += term
    return b**n * total


def every_state(x: float, occupied_bound: Floats, empty_bound: Floats, b: float) -> Floats:
    """The density at one x for every joint state of n houses: (2^n,) in counting order.

    A state subtracts from x, for each house, nothing or that house's bound; so 3^n points serve all 2^n
    states and are differenced house by house. States whose sum floats cannot carry are done one by one.
    """
    unit = max(float(np.maximum(empty_bound, occupied_bound).sum()), b)
    if unit <= NOTHING:
        return np.full(2 ** len(empty_bound), 1.0 * (x == 0))
    x, b = x / unit, b / unit
    widths = np.column_stack([empty_bound, occupied_bound]) / unit
    widths[widths <= max(NOTHING, ROUNDING * b)] = 0.0
    total, houses = _every_sum(widths), _every_sum(1 * (widths > 0))
    y = np.minimum(x, total - x)
    wide = (y > 0) & (total <= WIDE * b)
    result, edge = np.zeros_like(y), np.zeros_like(y)
    if b:
        log_edge = _every_sum(log_mean_exp(widths / b) - widths / b)
        result = np.exp(np.minimum(y, 0.0) / b + log_edge) / (2 * b)
        edge[wide] = np.exp(y[wide] / b + log_edge[wide]) / (2 * b)
    doubtful = (total == 0) & (b == 0)
    lost = LOST if len(widths) <= FEW else LOST_OF_MANY
    points = x - _every_sum(np.column_stack([np.zeros(len(widths)), widths]))
    forms = ((_narrow, ~wide), (_wide, wide)) if b else ((_plain, ~wide),)
    for (form, fits), n, mirrored in product(forms, np.unique(houses), (False, True)):
        chosen = fits & (y > 0) & (houses == n) & ((total < 2 * x) == mirrored)
        if not chosen.any():
            continue
        at = np.minimum(-points if mirrored else points, WIDE * b if form is _wide else np.inf)
        terms = form(at, int(n), b) * (-1 if mirrored and n % 2 else 1)
        ulps = (n + 2) * np.finfo(float).eps  # powers up to n + 1 of points that are rounded themselves
        with np.errstate(over="ignore", invalid="ignore"):  # what overflows is doubtful
            value, size = _by_house(terms, widths), _by_house(np.abs(terms), -widths)
            if form is _wide:
                value, size = edge - value / b, edge + size / b
            doubtful |= chosen & ~(ulps * size <= lost * value)
        result[chosen] = value[chosen]
    result /= unit
    for state in zip(*np.nonzero(doubtful), strict=True):
        own = unit * widths[np.arange(len(widths)), list(state)]
        result[state] = uniforms_plus_laplace(np.array([unit * x]), own, unit * b)[0]
    return result.ravel()


def _every_sum(choices: NDArray[Any]) -> NDArray[Any]:
    """All sums of one entry from every row, with an axis for each row."""
    return np.asarray(reduce(np.add.outer, choices))


def _plain(y: Floats, n: int, b: float) -> Floats:
    """Without noise: the n-fold integral of a point mass."""
    return _power(y, n - 1)


def _by_house(terms: Floats, widths: Floats) -> Floats:
    """From an axis (nothing, u₀, u₁) per house to one (empty, occupied): differenced, over the width.

    A house of width 0 leaves them as they are; negative widths add, which gives the size of the terms.
    """
    for width in widths:
        step = np.array([[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
        step[[0, 1], [1, 2]] = -np.sign(width)
        over = np.where(width == 0, 1.0, np.abs(width))
        terms = np.tensordot(terms, step / over[:, None], axes=(0, 1))
    return terms


def _in_decimals(y: float, a: Floats, b: float) -> float:
    """The narrow form at one point inside the support; twice the digits until twenty of them survive."""
    digits = 50
    while True:
        with localcontext(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN):
            scale, widths = Decimal(b), [Decimal(width) for width in a.tolist()]
            terms = [(Decimal(float(y)), _growth(Decimal(float(y)), scale), 1)]
            for width in widths:
                fall = _growth(-width, scale)
                terms += [(point - width, growth * fall, -sign) for point, growth, sign in terms]
            values = [sign * _narrow_decimal(p, len(a), scale, growth) for p, growth, sign in terms]
            value = sum(values, Decimal(0))
            if value > max(values).scaleb(20 - digits):
                return float(value / prod(widths, start=Decimal(1)))
        digits *= 2


def _growth(y: Decimal, b: Decimal) -> Decimal:
    return (y / b).exp() if b else Decimal(1)


def _narrow_decimal(y: Decimal, n: int, b: Decimal, growth: Decimal) -> Decimal:
    power = y ** (n - 1) / factorial(n - 1) if y > 0 and n > 0 else Decimal(0)
    if b == 0:
        return power
    if n > 1:
        return power + b * b * _narrow_decimal(y, n - 2, b, growth)
    tail = (growth if y < 0 else 1 / growth) / 2
    return tail / b if n == 0 else abs(power - tail)
