"""Characteristic functions of uniform consumption, tilted or not, and of histograms."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rtp.core.types import Floats
from rtp.probability.histogram import Histograms

Complexes = NDArray[np.complex128]


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


def histogram(laws: Histograms, t: Floats) -> Complexes:
    """Of n laws, empty and occupied, (2, n, len(t)): the bins' own, moved to where they begin."""
    total = np.zeros((*laws.mass.shape[:2], len(t)), dtype=complex)
    for k, width in enumerate(np.diff(laws.edges, axis=1).T):
        wave = uniform(width, t) * np.exp(1j * np.outer(laws.edges[:, k], t))
        total += laws.mass[:, :, k, None] * wave
    return total
