"""The exact density of independent uniforms plus Laplace noise: Pr[r̂ | state] of the paper's equation (6).

Let Z = Σ U(0, aᵢ), n terms, and b the noise's scale. A uniform is an integral and a difference,
so the density is the n-fold integral of Laplace's, differenced by every aᵢ: inclusion–exclusion over all
subsets of the aᵢ, divided by Π aᵢ. Two forms of that integral keep it accurate:

* narrow noise: (1 − b²D²)Lap = δ gives L_n(y) = y₊^{n−1}/(n−1)! + b²·L_{n−2}(y), which is

      L_n(y) = P_n(y) + (−1)ⁿ·bⁿ⁻¹·e^{−y/b}/2 for y > 0,    bⁿ⁻¹·e^{y/b}/2 for y ≤ 0,
      P_n(y) = Σ_j b^{2j}·y^{n−1−2j}/(n−1−2j)!;

* wide noise, where those differences would cancel: split Laplace's density at its kink,
  f(x) = (e^{x/b}·E[e^{−Z/b}] − 2·E[sinh((x − Z)/b); Z < x])/2b, and difference only the second part.

Outside [0, Σ aᵢ] the density is an exponential times E[e^{±Z/b}], exactly; its logarithm is written down and
never underflows. Several houses that use next to nothing beside one that does not still cancel almost
everything: where the terms are that much larger than their sum, the narrow form is summed again in as many
decimal digits as it takes. A house of width w costs about log₁₀(1/w) of them, which says how many to start
with; where too few survive, they are doubled.

`joint_log_density` has the same for every joint state of up to a dozen houses. Few houses have the exact
density. Of more houses its differences cancel and 2^n sums in decimals take too long; but their density is
smooth, so a Fourier series on the window [0, Σ max u] has it: with nodes t_k = 2πk/R and ĝ_k the coefficients
of the noise's density seen from the rate,

    f = Σ ĝ_k·Π φⱼ(t_k),    φⱼ(t) = (e^{iut} − 1)/iut,

and the product over all houses is that of two halves of the street: 2^(n/2) × 2^(n/2) states in one matrix
product. Its error is absolute, `RESOLVED` of the largest density: below, a state counts as just so unlikely.
"""

from decimal import MAX_EMAX, MIN_EMIN, Decimal, localcontext
from itertools import product
from math import ceil, factorial, inf, log10, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rtp.core.types import Floats
from rtp.probability.privacy_loss import log_mean_fall

Complexes = NDArray[np.complex128]
Numbers = NDArray[Any]  # floats, or decimals as objects

_WIDE = 3.0  # Σ aᵢ/b up to which noise counts as wide
SERIES_TERMS = 14  # of sinh, for arguments up to WIDE
FLOAT_TOLERANCE = 1e-10  # relative error from which floats are not trusted
SMALLEST_WIDTH = 1e-150  # a consumption or noise below it is none
NEGLIGIBLE_WIDTH = 1e-16  # a width this small beside the noise moves no digit of the density
NARROWEST = 1e-17  # noise below it is none beside the whole demand, at which 16 digits of x look

KEPT_DIGITS = 20  # of every decimal result
MAX_DIGITS = 2000  # after which what is left counts as nothing, at the very edge of the support

MAX_EXACT = 5  # houses up to which inclusion and exclusion is exact and fast
FOURIER_NODES = 1024
MAX_FINE = 9  # houses up to which twice the nodes cost next to nothing
RESOLVED = 1e-12
DAMPING = 36.0  # the last nodes are damped by e^−36, which ends a series that would ring
TAPER_ORDER = 16  # so steeply that the first half of them is left alone


def density(x: Floats | float, widths: Floats, b: Floats | float) -> Floats:
    """The density at x of Σ U(0, widthᵢ) + Lap(b): see `log_density`."""
    return np.exp(log_density(x, widths, b))


def log_density(x: Floats | float, widths: Floats, b: Floats | float) -> Floats:
    """ln of the density at x of Σ U(0, widthᵢ) + Lap(b).

    Houses are the last axis of `widths`; the others broadcast with x and b. b = 0 is no noise, width 0 no
    house. With neither there is a point mass at 0, given as ln 1 there and ln 0 elsewhere.
    """
    shape = np.broadcast_shapes(np.shape(x), np.shape(b), widths.shape[:-1])
    at, scale = (np.broadcast_to(np.asarray(each, dtype=float), shape).ravel() for each in (x, b))
    a = np.broadcast_to(widths, (*shape, widths.shape[-1])).reshape(len(at), -1)
    a = -np.sort(-np.where(a > SMALLEST_WIDTH, a, 0.0), axis=1)  # houses that use nothing come last
    scale = np.where(scale > SMALLEST_WIDTH, scale, 0.0)
    exponent = np.frexp(np.maximum(a.sum(axis=1), scale))[1]
    unit = np.ldexp(1.0, exponent)  # a power of two: dividing by it rounds nothing
    at, a, scale = at / unit, a / unit[:, None], scale / unit  # no product over houses leaves the floats now
    a[a <= NEGLIGIBLE_WIDTH * np.where(scale > 0, scale, 1.0)[:, None]] = 0.0
    result, inside = _log_outside(at, a, scale)
    result[inside] = _log_inside(at[inside], a[inside], scale[inside])
    return np.asarray(result - exponent * np.log(2.0)).reshape(shape)  # of a point mass the exponent is 0


def _log_outside(x: Floats, a: Floats, b: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Where noise alone explains x, the log-density; and where it does not have to."""
    total = a.sum(axis=1)
    noisy = b > 0
    result = np.where((total == 0) & (x == 0), 0.0, -np.inf)
    if noisy.any():
        scale = b[noisy]
        beyond = np.minimum(np.minimum(x, total - x), 0.0)[noisy]
        edge = log_mean_fall(a[noisy] / scale[:, None]).sum(axis=1)  # ln E[e^{−Z/b}]
        result[noisy] = beyond / scale + edge - np.log(2 * scale)
    return result, np.minimum(x, total - x) > 0


def _log_inside(x: Floats, a: Floats, b: Floats) -> Floats:
    """The log-density for 0 < x < Σ aᵢ, as many houses at a time as use anything."""
    result = np.empty(len(x))
    houses = np.count_nonzero(a, axis=1)
    wide = a.sum(axis=1) <= _WIDE * b
    for n, is_wide in product(np.unique(houses).tolist(), (False, True)):
        rows = (houses == n) & (wide == is_wide)
        if rows.any():
            form = _wide if is_wide else _narrow
            value, size = form(x[rows], a[rows, :n], b[rows])
            with np.errstate(divide="ignore", invalid="ignore"):
                logs = np.log(value)
            ulps = (n + 2) * np.finfo(float).eps  # powers up to n + 1 of points that are rounded themselves
            for i in np.flatnonzero(~(ulps * size < FLOAT_TOLERANCE * value)).tolist():
                logs[i] = _log_in_decimals(x[rows][i], a[rows, :n][i], b[rows][i])
            result[rows] = logs
    return result


def _narrow(x: Floats, a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """The density by differences of L_n, and the sum of their sizes."""
    y = np.minimum(x, a.sum(axis=1) - x)  # the density is symmetric about Σ aᵢ/2
    points, scale = _points(y, a), b[:, None]
    with np.errstate(over="ignore", under="ignore"):
        decay = np.where(scale > 0, np.exp(-np.abs(points) / np.where(scale > 0, scale, 1.0)), 0.0)
    terms = _integral(points, decay, a.shape[1], scale) / np.prod(a, axis=1)[:, None]
    return terms @ _signs(a.shape[1]), np.abs(terms).sum(axis=1)


def _wide(x: Floats, a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """The same where noise is wide: what an exponential would be, less the differenced part."""
    n = a.shape[1]
    y = np.minimum(x, a.sum(axis=1) - x)
    scale = b[:, None]
    edge = np.exp(y / b + log_mean_fall(a / scale).sum(axis=1)) / (2 * b)
    z = np.maximum(_points(y, a), 0.0) / scale
    term = z ** (n + 1) / factorial(n + 1)  # the n-fold integral of sinh from 0, over bⁿ
    terms = term.copy()
    for k in range(n + 2, n + 2 + 2 * SERIES_TERMS, 2):
        term = term * z**2 / (k * (k + 1))
        terms += term
    terms /= scale * np.prod(a / scale, axis=1)[:, None]
    return edge - terms @ _signs(n), edge + terms.sum(axis=1)


def _integral(y: Numbers, decay: Numbers, n: int, b: Numbers) -> Numbers:
    """L_n(y), the n-fold integral of Laplace's density, in floats or decimals; decay is e^{−|y|/b}."""
    zero = 0 * y
    above = np.where(y > 0, y, zero)
    total, weight = zero, zero + 1
    for order in range(n - 1, -1, -2):  # P_n from its highest power down, in steps of y²
        total = total * (above * above) + weight / factorial(order)
        weight = weight * (b * b)
    total = total if n % 2 else total * above
    tail = (b ** (n - 1) * decay if n > 1 else decay) / 2
    return np.asarray(np.where(y > 0, total + (tail if n % 2 == 0 else -tail), tail))


def _points(y: Numbers, a: Numbers) -> Numbers:
    """y less the sum of every subset of the widths, (…, 2^n)."""
    points = y[..., None]
    for i in range(a.shape[-1]):
        points = np.concatenate([points, points - a[..., i, None]], axis=-1)
    return points


def _signs(n: int) -> Floats:
    """(−1)^|S| of every subset, in the order of `_points`."""
    signs = np.ones(1)
    for _ in range(n):
        signs = np.concatenate([signs, -signs])
    return signs


def _log_in_decimals(x: float, widths: Floats, b: float) -> float:
    """The log-density inside the support in as many decimal digits as its differences cancel."""
    digits = 2 * KEPT_DIGITS + ceil(-sum(log10(width) for width in widths))
    noise = b if b > NARROWEST else 0.0
    while digits <= MAX_DIGITS:
        with localcontext(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN):
            a = np.array([Decimal(width) for width in widths.tolist()])
            y = min(Decimal(x), a.sum() - Decimal(x))
            points = _points(np.array(y), a)
            terms = _integral(points, _decimal_decay(points, y, a, noise), len(a), np.array(Decimal(noise)))
            value = sum(t if sign > 0 else -t for t, sign in zip(terms, _signs(len(a)), strict=True))
            if value > terms.max().scaleb(KEPT_DIGITS - digits):
                return float((value / prod(a)).ln())
        digits *= 2
    return -inf


def _decimal_decay(points: Numbers, y: Decimal, a: Numbers, b: float) -> Numbers:
    """e^{−|y − Σ_S a|/b} of every subset: a product, because an exponential takes as long as 300 of them."""
    if b == 0:
        return 0 * points
    growth = np.array([(y / Decimal(b)).exp()])
    for width in a:
        growth = np.concatenate([growth, growth * (-width / Decimal(b)).exp()])
    growth[points > 0] = 1 / growth[points > 0]
    return growth


def uniform_log_density(y: Floats, b: Floats, width: Floats) -> Floats:
    """ln of the density of U(0, width) + Lap(b) at y, one house at a time; all broadcast.

    Without noise a point mass is infinitely dense.
    """
    y, b, width = np.broadcast_arrays(y, b, width)
    with np.errstate(divide="ignore"):
        exact = np.where((y >= 0) & (y <= width), -np.log(width), -np.inf)
    if not b.any():
        return exact
    u, scale = np.maximum(width, 1e-200), np.where(b > 0, b, 1.0)
    edge = np.minimum(y, u - y) / scale  # from the nearer end, negative outside
    inside = np.maximum(edge, 0.0)
    noisy = np.log(-np.expm1(-inside) - np.expm1(inside - u / scale)) + np.minimum(edge, 0.0) - np.log(2 * u)
    return np.where(b > 0, noisy, exact)


def log_ratio(occupied: Floats, empty: Floats) -> Floats:
    """ln of a likelihood ratio from two log-densities; 0 where neither state explains what is seen."""
    differ = occupied != empty
    return np.subtract(occupied, empty, out=np.zeros_like(occupied), where=differ)


def uniform_characteristic(width: Floats, t: Floats) -> Complexes:
    """Characteristic functions of U(0, width) at nodes t, (n, len(t)): e^{ia}·sin(a)/a with a = ut/2."""
    angle = np.multiply.outer(width / 2, t)
    turn: Complexes = np.exp(1j * angle)
    return turn * np.sinc(angle / np.pi)


def joint_log_density(x: Floats, b: Floats, occupied_bound: Floats, empty_bound: Floats) -> Floats:
    """(L, 2^n): the log-density at every x of what n houses use plus Lap(b), both (L,), under every joint
    state, in counting order.

    With noise no state is ever impossible; without, a state that cannot reach x is. Of up to `MAX_EXACT`
    houses there may be several streets, x and b (L, D) and bounds (D, n), which gives (L, D, 2^n).
    """
    each = np.stack([empty_bound, occupied_bound], axis=-1)  # (…, n, 2)
    houses = each.shape[-2]
    states = np.array(list(product((0, 1), repeat=houses)))
    widths = each[..., np.arange(houses), states]  # (…, 2^n, n)
    window = float(each.max(axis=-1).sum())
    if houses <= MAX_EXACT or window == 0:
        return log_density(x[..., None], widths, b[..., None])
    count = FOURIER_NODES if houses > MAX_FINE else 2 * FOURIER_NODES
    nodes: Floats = 2 * np.pi / window * np.arange(count, dtype=float)
    damping = np.exp(-DAMPING * (np.arange(count) / count) ** TAPER_ORDER)
    half = houses // 2
    first, second = (_product(part, nodes) for part in (each[:half], each[half:]))
    result = np.empty((len(x), len(widths)))
    for row, at, scale in zip(result, x.tolist(), b.tolist(), strict=True):
        row[:], inside = _log_outside(np.full(len(widths), at), widths, np.full(len(widths), scale))
        if inside.any():
            weighted = first * (_noise_coefficients(nodes, at, scale, window) * (damping / window))
            by_series = (weighted.real @ second.real.T - weighted.imag @ second.imag.T).ravel()
            largest = by_series[inside].max()
            if largest > 0:
                row[inside] = np.log(np.maximum(by_series[inside], RESOLVED * largest))
    return result


def _noise_coefficients(t: Floats, x: float, b: float, window: float) -> Complexes:
    """Fourier coefficients on [0, window] of Laplace's density at x − z, at the nodes t = 2πk/window; all but
    0 count twice. x lies within the window.

    ∫ e^{−itz}·e^{−|z − x|/b}/2b dz over it is, since e^{−it·window} = 1,
    [2e^{−itx} − (A + B) − ibt(A − B)]/2(1 + b²t²) with A = e^{−x/b}, B = e^{−(window − x)/b}.
    """
    kink = min(x, window)  # two sums of the same widths may round apart
    cosine, sine = np.cos(t * kink), np.sin(t * kink)
    coefficients = np.empty(len(t), dtype=complex)
    if b > 0:
        left, right = np.expm1(-kink / b), np.expm1(-(window - kink) / b)  # A − 1 and B − 1: t may be 0
        factor = 1 / (1 + (b * t) ** 2)
        coefficients.real = (2 * (cosine - 1) - (left + right)) * factor
        coefficients.imag = (-2 * sine - (b * t) * (left - right)) * factor
    else:
        coefficients.real, coefficients.imag = 2 * cosine, -2 * sine
    coefficients[t == 0] /= 2
    return coefficients


def _product(widths: Floats, t: Floats) -> Complexes:
    """(2^m, nodes): the characteristic function of every joint state of m houses."""
    each = uniform_characteristic(widths.ravel(), t).reshape(*widths.shape, len(t))
    result = np.ones((1, len(t)), dtype=complex)
    for states in each:
        result = (result[:, None] * states).reshape(-1, len(t))
    return result
