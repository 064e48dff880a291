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

from math import frexp

import numpy as np

from rtp.core.types import Floats
from rtp.probability.decimals import in_decimals
from rtp.probability.forms import Form, narrow, plain, wide
from rtp.probability.loss import log_mean_fall

WIDE = 3.0  # Σ aᵢ/b up to which noise counts as wide
LOST = 1e-10  # relative error from which floats are not trusted
NOTHING = 1e-150  # a consumption or noise below it is none
ROUNDING = 1e-16  # a width this small beside the noise moves no digit of the density


def uniforms_plus_laplace(x: Floats, widths: Floats, b: float) -> Floats:
    """Density at every x of Σ U(0, widthᵢ) + Lap(b); b = 0 is no noise, width 0 no house.

    With neither there is a point mass at 0, given as 1 there and 0 elsewhere.
    """
    x, a = np.asarray(x, dtype=float), np.asarray(widths, dtype=float)
    a, b = a[a > NOTHING], b if b > NOTHING else 0.0
    unit = unit_of(float(a.sum()), b)
    if unit == 0:
        return np.asarray(1.0 * (x == 0))
    return _in_own_unit(x / unit, a / unit, b / unit) / unit


def unit_of(total: float, b: float) -> float:
    """A power of two just above the larger of both, so that dividing by it rounds nothing; 0 for none."""
    largest = max(total, b)
    return 2.0 ** frexp(largest)[1] if largest > 0 else 0.0


def _in_own_unit(x: Floats, a: Floats, b: float) -> Floats:
    """The density where the larger of Σ aᵢ and b is about 1: no product over houses leaves the floats."""
    a = a[a > ROUNDING * (b or 1.0)]
    y = np.minimum(x, a.sum() - x)  # the density is symmetric about Σ aᵢ/2
    inside = np.maximum(y, 0.0)
    outside, edge = np.zeros_like(y), np.zeros_like(y)
    if b == 0:
        middle, size = _differenced(inside, a, b, plain)
    else:
        log_edge = log_mean_fall(a / b).sum()  # ln E[e^{−Z/b}]
        outside = np.exp(np.minimum(y, 0.0) / b + log_edge) / (2 * b)
        if a.sum() > WIDE * b:
            middle, size = _differenced(inside, a, b, narrow)
        else:
            edge = np.exp(inside / b + log_edge) / (2 * b)
            bend, size = _differenced(inside, a, b, wide, over=b)
            middle = edge - bend
    doubtful = (y > 0) & (np.finfo(float).eps * (size + edge) > LOST * middle)
    result = np.where(y <= 0, outside, middle)
    result[doubtful] = [in_decimals(value, a, b) for value in y[doubtful]]
    return result


def _differenced(x: Floats, a: Floats, b: float, form: Form, over: float = 1.0) -> tuple[Floats, Floats]:
    """Σ over subsets S of (−1)^|S|·form(x − Σ_S a) / over / Π a, and the same with all signs positive."""
    shifts, signs = np.zeros(1), np.ones(1)
    for width in a:
        shifts, signs = np.concatenate([shifts, shifts + width]), np.concatenate([signs, -signs])
    terms = form(x[..., None] - shifts, len(a), b) / over / np.prod(a)
    return np.asarray(terms @ signs), np.asarray(np.abs(terms).sum(axis=-1))
