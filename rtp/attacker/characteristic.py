"""Characteristic functions of uniform consumption, tilted or not, and Laplace noise on a window.

What `crowd` needs of them: those of every house at equally spaced nodes, remembered from step to step; the
noise's Fourier coefficients; and products over all houses but one.
"""

from functools import lru_cache
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from rtp.arrays import Floats
from rtp.street.draw import BLOCK

Complexes = NDArray[np.complex128]
Numbers = TypeVar("Numbers", Floats, Complexes)

CHUNK = 16  # nodes added before looking whether the series has ended; on small streets eight times as many
SMALL = 128  # houses
TABLES = 40  # of characteristic functions kept, half a megabyte each


class Tables:
    """φ(u₀t), and φ(u₁t) − φ(u₀t), of a street's houses; remembered, because steps share their nodes."""

    def __init__(self, occupied_bound: Floats, empty_bound: Floats) -> None:
        self.occupied_bound, self.empty_bound = occupied_bound, empty_bound
        self.at = lru_cache(maxsize=TABLES)(self._at)

    def _at(self, block: int, first: int, spacing: float, s: float) -> tuple[Complexes, Complexes]:
        """Of a block's houses, (n, chunk) each, from a first node on, under the tilt s."""
        houses = slice(block * BLOCK, (block + 1) * BLOCK)
        t = spacing * np.arange(first, first + chunk(len(self.occupied_bound)), dtype=float)
        empty = uniform(self.empty_bound[houses], t, s)
        return empty, uniform(self.occupied_bound[houses], t, s) - empty


def chunk(houses: int) -> int:
    """How many nodes are added at once."""
    return CHUNK if houses > SMALL else 8 * CHUNK


def coefficients(t: Floats, x: float, b: float, s: float, start: float, length: float) -> Complexes:
    """Fourier coefficients, on the window, of Laplace's density at x − z, times e^{−sz}; up to a factor.

    Nodes run over t ≥ 0 only, so all but the first count twice.
    """
    end = start + length
    kink = min(max(x, start), end)  # seen from outside the density is one exponential, wherever x is
    wave = np.where(t > 0, 2.0, 1.0) * np.exp(-1j * t * kink)
    if b > 0:
        wave *= _decay(1 / b - s, -t, kink - start) + _decay(1 / b + s, t, end - kink)
    return np.asarray(wave)


def _decay(rate: float, turn: Floats, length: float) -> Complexes:
    """∫₀^length e^{−(rate + i·turn)·y} dy."""
    z = (rate + 1j * turn) * length
    return np.asarray(length * np.divide(-np.expm1(-z), z, out=np.ones_like(z), where=z != 0))


def uniform(width: Floats, t: Floats, s: float = 0.0) -> Complexes:
    """Characteristic functions of U(0, width), tilted by e^{sX}, at equally spaced nodes t: (n, len(t)).

    e^{ia}·sin(a)/a with a = ut/2; under a tilt e^{ia}·(cos a + i·coth(us/2)·sin a)/(1 + it/s).
    """
    half = np.maximum(width, 1e-200) / 2
    wave = np.empty((len(t), len(width)), dtype=complex)
    wave[0] = np.exp(1j * half * t[0])
    turn = np.exp(1j * half * (t[1] - t[0]))
    for before, after in pairwise(wave):  # angles add up by multiplication, which is cheaper than sines
        np.multiply(before, turn, out=after)
    if s:
        ellipse = wave.real + 1j * (wave.imag / np.tanh(half * s))
        wave *= ellipse / (1 + 1j * t / s)[:, None]
    else:
        ratio = wave.imag / half
        ratio /= np.where(t > 0, t, 1.0)[:, None]
        ratio[t == 0] = 1.0
        wave *= ratio
    return np.ascontiguousarray(wave.T)


def others(factors: Numbers) -> Numbers:
    """For each entry along the first axis the product of all the others, without division."""
    result = np.ones_like(factors)
    np.cumprod(factors[:-1], axis=0, out=result[1:])
    result[:-1] *= np.cumprod(factors[:0:-1], axis=0)[::-1]
    return result
