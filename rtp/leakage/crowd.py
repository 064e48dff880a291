"""The crowd: how far everyone else's randomness alone hides one house from an outsider, in one rate, exactly.

The outsider knows the model and no household. Given the house's state k she sees U(0, u_k) + rest + noise,
with the density f_k, or a law of its own instead of the uniform one; rest is the sum of what the others use,
each U(0, u₁) or U(0, u₀), or by its law, with its chance before any rate is seen. Against her the rate is
(ε, δ)-private for every ε with

    δ(ε) = max ( ∫ max(0, f₁ − e^ε f₀), ∫ max(0, f₀ − e^ε f₁) ).

Characteristic functions multiply: Π over the others of p·φ(u₁t) + q·φ(u₀t), times the noise's 1/(1 + b²t²),
on a window that everything fits in; one Fourier transform gives both densities on a grid. Where few houses
leave a density that is not smooth, a Gaussian of one part in `FINEST` of the window ends the series.

Wider Laplace noise is narrower noise plus more (its characteristic function is a mixture's), and a further
house is more noise too, so δ falls with ε, with the noise and with every house: the noise still needed for
(ε, δ) is a root. It protects from outsiders only: whoever knows what the others used sees no crowd.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rtp.core.types import Floats, Ints
from rtp.probability.characteristic import Complexes
from rtp.street.draw import BLOCK
from rtp.street.use import Use

NODES = 16_384
CHUNK = 32  # nodes added before looking whether the product has ended
NOTHING = 1e-18
NEGLIGIBLE = 30.0  # −ln of what counts as nothing
FINEST = 2 * np.pi * NODES / np.sqrt(2 * NEGLIGIBLE)
TAIL = NEGLIGIBLE  # scales of Laplace noise that the window holds
PRECISION = 1e-7  # of the noise needed
ROUNDING = 1e-12  # a smaller δ is not told from none
LEAST_GRID = 16_384

Waves = tuple[Floats, Complexes, Complexes]


@dataclass(frozen=True, kw_only=True)
class Crowd:
    """Everyone else at one moment; arrays are (n,)."""

    occupied: Floats  # chance before any rate
    use: Use

    def __len__(self) -> int:
        return len(self.occupied)

    def only(self, houses: Sequence[int] | Ints) -> "Crowd":
        """These of them."""
        at = np.asarray(houses, dtype=np.intp)
        return Crowd(occupied=self.occupied[at], use=self.use.only(at))

    def window(self) -> tuple[float, float]:
        """From where to where their sum lies, all but e^−30 of it (Bernstein's inequality)."""
        p, bound = self.occupied, np.maximum(self.use.occupied_bound, self.use.empty_bound)
        (m0, m1), (v0, v1) = self.use.moments()
        mean = float((p * m1 + (1 - p) * m0).sum())
        variance = float((p * v1 + (1 - p) * v0 + p * (1 - p) * (m1 - m0) ** 2).sum())
        slack = NEGLIGIBLE * float(bound.max(initial=0.0)) / 3
        reach = slack + np.sqrt(slack**2 + 2 * NEGLIGIBLE * variance)
        return max(mean - reach, 0.0), min(mean + reach, float(bound.sum()))


class Hidden:
    """One house in a crowd, for any noise. Characteristic functions are remembered while the window holds."""

    def __init__(self, crowd: Crowd, use: Use) -> None:
        self.crowd, self.use = crowd, use
        self.bound = max(float(use.occupied_bound[0]), float(use.empty_bound[0]))
        self.start, self.end = crowd.window()
        self.known: dict[float, Waves] = {}  # by the window's length

    def delta(self, epsilons: Floats, b: float) -> Floats:
        """δ at every ε, (E,), under Laplace noise of scale b."""
        if self.alike or np.isinf(b):
            return np.zeros_like(epsilons)
        one, other, spacing = self._densities(b, self._length(b))
        found = np.array([spacing * _excess(one, other, e) for e in epsilons.tolist()])
        return np.where(found < ROUNDING, 0.0, np.minimum(found, 1.0))

    @property
    def alike(self) -> bool:
        """Whether the house uses the same in both states."""
        if self.use.laws is not None:
            return bool((self.use.laws.mass[0] == self.use.laws.mass[1]).all())
        return bool(self.use.occupied_bound[0] == self.use.empty_bound[0])

    def noise_needed(self, epsilon: float, delta: float) -> float:
        """The smallest scale b that gives (ε, δ); 0 where the crowd suffices."""
        at = np.array([epsilon])
        if self.delta(at, 0.0)[0] <= delta:
            return 0.0
        low, high = 0.0, self.bound / epsilon  # which gives ε outright
        length = self._length(high)
        while high - low > PRECISION * high:
            middle = (low + high) / 2
            one, other, spacing = self._densities(middle, length)
            met = _excess(one, other, epsilon) * spacing <= delta
            low, high = (low, middle) if met else (middle, high)
        return high

    def _length(self, b: float) -> float:
        return float(self.end - self.start + self.bound + 2 * TAIL * b)

    def _densities(self, b: float, length: float) -> tuple[Floats, Floats, float]:
        """(f₁, f₀, spacing) on a grid of the whole window."""
        if length not in self.known:
            self.known = {length: self._waves(length)}
        t, one, other = self.known[length]
        noise = np.exp(1j * t * (TAIL * b - self.start)) / (1 + (b * t) ** 2)
        grid = max(4 * len(t), LEAST_GRID)
        f_1, f_0 = (np.fft.irfft((noise * wave).conj(), grid) * grid / length for wave in (one, other))
        return f_1, f_0, length / grid

    def _waves(self, length: float) -> Waves:
        """The nodes t = 2πk/length, and the rate's two characteristic functions there, but for the noise."""
        parts: list[Complexes] = []
        while len(parts) * CHUNK < NODES:
            first = len(parts) * CHUNK
            parts.append(
                _others(self.crowd, 2 * np.pi / length * np.arange(first, first + CHUNK, dtype=float))
            )
            if np.abs(parts[-1]).max() <= NOTHING:
                break
        else:  # a Gaussian ends it
            blur = length / FINEST * 2 * np.pi / length * np.arange(NODES)
            parts = [np.concatenate(parts) * np.exp(-(blur**2) / 2)]
        product = np.concatenate(parts)
        t: Floats = 2 * np.pi / length * np.arange(len(product), dtype=float)
        empty, occupied = (wave[0] for wave in self.use.characteristic(t))
        return t, np.asarray(product * occupied), np.asarray(product * empty)


def _others(crowd: Crowd, t: Floats) -> Complexes:
    product = np.ones(len(t), dtype=complex)
    for first in range(0, len(crowd), BLOCK):
        part = slice(first, first + BLOCK)
        empty, occupied = crowd.use.only(part).characteristic(t)
        product *= (empty + crowd.occupied[part, None] * (occupied - empty)).prod(axis=0)
    return product


def _excess(one: Floats, other: Floats, epsilon: float) -> float:
    """The larger of both ways to tell them apart, in grid points."""
    factor = float(np.exp(min(epsilon, 700.0)))
    return max(_above(one, factor * other), _above(other, factor * one))


def _above(one: Floats, other: Floats) -> float:
    """Σ max(0, one − other) over the grid, cut where the difference changes its sign between two points."""
    gap = one - other
    total = np.maximum(gap, 0.0).sum()
    before, after = gap, np.roll(gap, -1)
    crosses = before * after < 0
    up, down = np.abs(before[crosses]), np.abs(after[crosses])
    positive = np.where(before[crosses] > 0, up, down)
    # the trapezoid of a linear piece that is cut at its zero, against half of its positive end
    return float(total + (positive**2 / (up + down) / 2 - positive / 2).sum())
