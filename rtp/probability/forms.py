"""n-fold integrals of Laplace's density, in the forms that keep their differences accurate."""

from collections.abc import Callable
from math import factorial

import numpy as np

from rtp.core.types import Floats

Form = Callable[[Floats, int, float], Floats]  # (where, how many integrals, the noise's scale)


def power(y: Floats, k: int) -> Floats:
    """y₊^k / k!"""
    return np.asarray(np.where(y > 0, y, 0.0) ** k / factorial(k) if k else 1.0 * (y > 0), dtype=float)


def narrow(y: Floats, n: int, b: float) -> Floats:
    """The n-fold integral of Laplace's density from −∞."""
    if n == 0:
        return np.exp(-np.abs(y) / b) / (2 * b)
    if n == 1:
        tail = np.exp(-np.abs(y) / b) / 2
        return np.where(y < 0, tail, 1 - tail)
    return power(y, n - 1) + b**2 * narrow(y, n - 2, b)


def wide(y: Floats, n: int, b: float) -> Floats:
    """The n-fold integral of sinh(y₊/b) from 0, by its series."""
    z = np.where(y > 0, y, 0.0) / b
    term = z ** (n + 1) / factorial(n + 1)
    total = term.copy()
    for k in range(n + 2, n + 30, 2):
        term = term * z**2 / (k * (k + 1))
        total += term
    return b**n * total


def plain(y: Floats, n: int, b: float) -> Floats:
    """Without noise: the n-fold integral of a point mass."""
    return power(y, n - 1)
