"""The exact density of independent uniforms plus Laplace noise: Pr[r̂ | state] of the paper's equation (7).

Let Z = Σ U(0, aᵢ), n terms, and b the noise's scale. A uniform is an integral and a difference,
so the density is the n-fold integral of Laplace's, differenced by every aᵢ: inclusion–exclusion over all
subsets of the aᵢ, divided by Π aᵢ. Two forms of that integral keep it accurate:

* narrow noise: (1 − b²D²)Lap = δ gives L_n(y) = y₊^{n−1}/(n−1)! + b²·L_{n−2}(y), all terms of one sign;
* wide noise, where those differences would cancel: split Laplace's density at its kink,
  f(x) = (e^{x/b}·E[e^{−Z/b}] − 2·E[sinh((x − Z)/b); Z < x])/2b, and difference only the second part.

Outside [0, Σ aᵢ] the density is an exponential times E[e^{±Z/b}], exactly.
"""

from collections.abc import Callable
from math import factorial

import numpy as np

from rtp.mechanisms.calibrated import log_mean_exp
from rtp.occupancy import Floats

WIDE = 3.0  # Σ aᵢ/b up to which noise counts as wide


def uniforms_plus_laplace(x: Floats, widths: Floats, b: float) -> Floats:
    """Density at every x of Σ U(0, widthᵢ) + Lap(b); b = 0 is no noise, width 0 no house.

    With neither there is a point mass at 0, given as 1 there and 0 elsewhere.
    """
    x = np.asarray(x, dtype=float)
    a = np.asarray(widths, dtype=float)
    a = a[a > 0]
    total = float(a.sum())
    y = np.minimum(x, total - x)  # the density is symmetric about Σ aᵢ/2
    if b == 0:
        return _differenced(y, a, lambda z, n: _power(z, n - 1)) if len(a) else 1.0 * (x == 0)
    inside = np.maximum(y, 0.0)
    if total > WIDE * b:
        middle = _differenced(inside, a, lambda z, n: _narrow(z, n, b))
    else:
        falling = inside / b - (a / b).sum() + log_mean_exp(a / b).sum()  # ln e^{x/b} E[e^{−Z/b}]
        middle = np.exp(falling) / (2 * b) - _differenced(inside, a, lambda z, n: _wide(z, n, b)) / b
    outside = np.exp(y / b - (a / b).sum() + log_mean_exp(a / b).sum()) / (2 * b)
    return np.where(y < 0, outside, middle)


def _differenced(x: Floats, a: Floats, integral: Callable[[Floats, int], Floats]) -> Floats:
    """Σ over subsets S of (−1)^|S|·integral(x − Σ_S a, n) / Π a."""
    shifts, signs = np.zeros(1), np.ones(1)
    for width in a:
        shifts, signs = np.concatenate([shifts, shifts + width]), np.concatenate([signs, -signs])
    terms = integral(x[..., None] - shifts, len(a))
    return np.asarray(np.maximum(terms @ signs, 0.0) / np.prod(a))


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
