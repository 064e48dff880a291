"""The crowd: how far everyone else's randomness alone hides one house from an outsider, in one rate.

The outsider knows the model and no household. Given the house's state k she sees U(0, u_k) + rest + noise,
with the density f_k, or another distribution instead of the uniform one; rest is the sum of what the others
use, each U(0, u₁) or U(0, u₀), or by its own distribution, with its probability before any rate is seen.
Against her the rate is (ε, δ)-private for every ε with

    δ(ε) = max ( ∫ max(0, f₁ − e^ε f₀), ∫ max(0, f₀ − e^ε f₁) ).

Characteristic functions multiply: Π over the others of p·φ(u₁t) + q·φ(u₀t), times the noise's 1/(1 + b²t²),
on a window that everything fits in; one Fourier transform gives both densities on a grid.

Every δ is on the safe side. Rounding is added to the one density and taken off the other, so that δ never
grows with ε. Where few houses leave a density that is not smooth, a Gaussian ends its series; it hides a
little too, so δ is computed with one of s and one of 2s and taken as if it went on to grow as much from s to
0 as from 2s to s: the error is of first order in s at a jump, and of higher order elsewhere.

Wider Laplace noise is narrower noise plus more (its characteristic function is a mixture's), and a further
house is more noise too, so δ falls with ε, with the noise and with every house: the noise still needed for
(ε, δ) is a root. It is never above the calibrated scale: that noise alone keeps one density of the house
within e^ε of the other everywhere, adding the same crowd to both keeps it so, and δ is 0. Where ε is so large
that e^ε times rounding is above δ, that scale is the answer. A crowd protects from outsiders only: whoever
knows what the others used sees none.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, Decimal, localcontext
from itertools import islice
from math import floor, log2
from typing import NamedTuple

import numpy as np

from rtp.attack.adversary import largest_gaps
from rtp.core.formatting import plain
from rtp.core.types import Floats, Ints
from rtp.mechanisms.calibrated import widest, widest_of_histograms
from rtp.probability.laplace_uniform import Complexes
from rtp.probability.markov import predict
from rtp.scenario import BOUNDS, Bounds, must_be_house, must_be_within
from rtp.simulation import Day
from rtp.street.draw import BLOCK, Street, StreetSpec, Use, group_sizes

SIZES = (5, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000)
DELTA = Bounds(1e-12, 0.5, "δ — how often the promise may fail")
USUAL_DELTA = 1e-6

MAX_NODES = 16_384
MIN_CHUNK = 32  # nodes added before looking whether the product has ended
NEGLIGIBLE = 1e-18  # of a characteristic function
WINDOW_TAIL = 30.0  # −ln of what may lie outside the window; also the scales of Laplace noise that it holds
BLUR = np.sqrt(2 * WINDOW_TAIL)  # standard deviations of a Gaussian at which it is e^−30
MIN_GRID = 16_384
DENSITY_ROUNDING = 1e-15  # of the sum of a density's coefficients
MAX_EPSILON = 600.0  # beyond which e^ε is too large; δ is then no larger
MIN_NOISE = 1e-12  # of the noise that gives ε outright: less is not looked for
PRECISION = 1e-6  # of the noise needed


@dataclass(frozen=True, kw_only=True)
class Crowd:
    """Everyone else at one moment; arrays are (n,)."""

    occupied: Floats  # probability before any rate
    use: Use

    def __len__(self) -> int:
        return len(self.occupied)

    def only(self, houses: Ints) -> "Crowd":
        """Return some of them."""
        return Crowd(occupied=self.occupied[houses], use=self.use.only(houses))

    def window(self) -> tuple[float, float]:
        """Return from where to where their sum lies, all but e^−30 of it (Bernstein's inequality)."""
        p, bound = self.occupied, np.maximum(self.use.occupied_bound, self.use.empty_bound)
        (m0, m1), (v0, v1) = self.use.moments()
        mean = float((p * m1 + (1 - p) * m0).sum())
        variance = float((p * v1 + (1 - p) * v0 + p * (1 - p) * (m1 - m0) ** 2).sum())
        slack = WINDOW_TAIL * float(bound.max(initial=0.0)) / 3
        reach = slack + np.sqrt(slack**2 + 2 * WINDOW_TAIL * variance)
        return max(mean - reach, 0.0), min(mean + reach, float(bound.sum()))

    def characteristic(self, t: Floats) -> Complexes:
        """Return the characteristic function of their sum at nodes t."""
        product = np.ones(len(t), dtype=complex)
        for first in range(0, len(self), BLOCK):
            part = slice(first, first + BLOCK)
            empty, occupied = self.use.only(part).characteristic(t)
            product *= (empty + self.occupied[part, None] * (occupied - empty)).prod(axis=0)
        return product


class Spectrum(NamedTuple):
    """The rate's characteristic functions, but for the noise, at the nodes t = 2πk/length of a window."""

    length: float
    t: Floats  # (K,)
    occupied: Complexes
    empty: Complexes
    smooth: bool  # whether the series has ended by itself


class CrowdProfile:
    """The (ε, δ) profile of one house in a crowd, for any noise."""

    def __init__(self, crowd: Crowd, use: Use) -> None:
        self.crowd, self.use = crowd, use
        self.bound = max(float(use.occupied_bound[0]), float(use.empty_bound[0]))
        self.start, self.end = crowd.window()

    @property
    def alike(self) -> bool:
        """Whether the house uses the same in both states."""
        if self.use.distributions is not None:
            return bool((self.use.distributions.mass[0] == self.use.distributions.mass[1]).all())
        return bool(self.use.occupied_bound[0] == self.use.empty_bound[0])

    def delta(self, epsilons: Floats, b: float) -> Floats:
        """Return δ at every ε, (E,), under Laplace noise of scale b."""
        if self.alike or np.isinf(b):
            return np.zeros_like(epsilons)
        return self._delta(self._spectrum(b), epsilons, b)

    def noise_needed(self, epsilon: float, delta: float, near: float | None = None) -> float:
        """Return the smallest scale b that gives (ε, δ); 0 where the crowd suffices.

        Wide noise wants a window of many nodes, so the search begins near a guess, or the house's bound.
        """
        from scipy.optimize import brentq

        at = np.array([epsilon])
        if self.delta(at, 0.0)[0] <= delta:
            return 0.0
        enough = self.calibrated(at)
        outright = self.bound / epsilon  # gives ε with δ = 0
        high = outright / 2.0 ** max(floor(log2(outright / (near or self.bound))), 0)
        spectrum = self._spectrum(high)

        def excess(b: float) -> float:
            return float(self._delta(spectrum, at, b)[0]) - delta

        while high < outright and excess(high) > 0:
            high *= 2
            spectrum = self._spectrum(high)
        while high > MIN_NOISE * outright and excess(high / 2) <= 0:
            high /= 2
            spectrum = self._spectrum(high)
        if excess(high) >= 0 or excess(high / 2) <= 0:
            return min(high, enough)
        b = brentq(excess, high / 2, high, xtol=PRECISION * high / 4)
        return float(min(b + PRECISION * high / 2, high, enough))

    def calibrated(self, epsilons: Floats) -> float:
        """Return the scale that gives ε with δ = 0, whoever else there is."""
        if self.use.distributions is not None:
            return float(widest_of_histograms(self.use.distributions, epsilons)[0][0])
        return float(widest(self.use.occupied_bound, self.use.empty_bound, epsilons)[0][0])

    def _spectrum(self, b: float) -> Spectrum:
        """Return what fits a window for noise of scale b or less."""
        length = float(self.end - self.start + self.bound + 2 * WINDOW_TAIL * b)
        parts: list[Complexes] = []
        smooth = False
        chunk = min(max(MIN_CHUNK, BLOCK * MIN_CHUNK // max(len(self.crowd), 1)), MAX_NODES)
        while not smooth and len(parts) * chunk < MAX_NODES:
            nodes = np.arange(len(parts) * chunk, (len(parts) + 1) * chunk, dtype=float)
            parts.append(self.crowd.characteristic(2 * np.pi / length * nodes))
            smooth = bool(np.abs(parts[-1][-MIN_CHUNK:]).max() <= NEGLIGIBLE)
        product = np.concatenate(parts)
        t: Floats = 2 * np.pi / length * np.arange(len(product), dtype=float)
        empty, occupied = (wave[0] for wave in self.use.characteristic(t))
        return Spectrum(length, t, product * occupied, product * empty, smooth)

    def _delta(self, spectrum: Spectrum, epsilons: Floats, b: float) -> Floats:
        if spectrum.smooth:
            return np.minimum(self._blurred_delta(spectrum, epsilons, b, 0.0), 1.0)
        finest = BLUR / spectrum.t[-1]
        fine, coarse = (self._blurred_delta(spectrum, epsilons, b, s) for s in (finest, 2 * finest))
        return np.minimum(fine + np.maximum(fine - coarse, 0.0), 1.0)

    def _blurred_delta(self, spectrum: Spectrum, epsilons: Floats, b: float, blur: float) -> Floats:
        """Return δ where a Gaussian of this standard deviation is added."""
        length, t = spectrum.length, spectrum.t
        shift = np.exp(1j * t * ((length - self.end - self.bound - self.start) / 2))
        noise = shift * np.exp(-((blur * t) ** 2) / 2) / (1 + (b * t) ** 2)
        grid = max(4 * len(t), MIN_GRID)
        above, below = [], []
        for wave in (spectrum.occupied, spectrum.empty):
            density = np.fft.irfft((noise * wave).conj(), grid) * grid / length
            rounding = DENSITY_ROUNDING * 2 * np.abs(noise * wave).sum() / length
            above.append(np.maximum(density, 0.0) + rounding)
            below.append(np.maximum(density - rounding, 0.0))
        factors = np.exp(np.minimum(epsilons, MAX_EPSILON)).tolist()
        largest = [
            max(_positive_part(above[0] - k * below[1]), _positive_part(above[1] - k * below[0]))
            for k in factors
        ]
        return length / grid * np.array(largest)


def _positive_part(gap: Floats) -> float:
    """Return Σ max(0, gap) over the grid, cut where it changes its sign between two points."""
    total = np.maximum(gap, 0.0).sum()
    before, after = gap, np.roll(gap, -1)
    crosses = (before > 0) != (after > 0)
    up, down = np.abs(before[crosses]), np.abs(after[crosses])
    positive = np.where(before[crosses] > 0, up, down)
    # the trapezoid of a linear piece that is cut at its zero, against half of its positive end
    return float(total + (positive**2 / (up + down) / 2 - positive / 2).sum())


@dataclass(frozen=True, kw_only=True)
class NoiseBySize:
    """The Laplace scale that a street of so many houses still needs for (ε, δ); in the unit of the rate."""

    epsilon: float
    delta: float
    house: int
    step: int
    sizes: Ints  # (S,)
    scale: Floats  # (S,) against the outsider
    insider: float  # what the crowd does not save: the scale for ε against one who knows the others


def noise_still_needed(
    day: Day,
    epsilon: float,
    delta: float = USUAL_DELTA,
    *,
    house: int | None = None,
    sizes: Sequence[int] = SIZES,
) -> NoiseBySize:
    """Return the noise that the same house needs at noon among ever more neighbours drawn like this street's.

    Those of a small street are the first of a large one's. Without a house it is the most visible one.
    """
    must_be_within("epsilon", epsilon, BOUNDS["epsilon"])
    must_be_within("delta", delta, DELTA)
    must_be_house("house", house, day.scenario.households)
    number = largest_gaps(day.street, 1)[0] if house is None else house
    noon = day.scenario.steps // 2
    spec = replace(day.street_day.spec, households=SIZES[-1], listed=None)
    everyone = crowd_at(spec, spec.draw(), noon)
    use, alpha = day.street.only(slice(number, number + 1)), day.market.tariff.alpha
    scales: list[float] = []
    for size in [1, *sizes]:  # alone first: a larger street needs a little less than the one before it
        among = CrowdProfile(everyone.only(_neighbours(spec, size - 1)), use)
        scales.append(among.noise_needed(epsilon, delta, near=scales[-1] if scales else None))
    insider, *outsider = (alpha * np.array(scales)).tolist()
    return NoiseBySize(
        epsilon=epsilon,
        delta=delta,
        house=number,
        step=noon,
        sizes=np.array(sizes),
        scale=np.array(outsider),
        insider=insider,
    )


def scale_text(scale: float, digits: int = 3) -> str:
    """Return the scale to so many digits, rounded up: less would not be enough."""
    with localcontext(prec=digits, rounding=ROUND_CEILING):
        return plain(float(+Decimal(scale)), digits)


def crowd_at(spec: StreetSpec, street: Street, step: int) -> Crowd:
    """Return everyone at one step, under the model that generates the day."""
    chains = spec.chains(street, 0)
    occupied, empty = chains.initial, 1 - chains.initial
    for leave, arrive in islice(chains.transitions(), step):
        occupied, empty = predict(occupied, empty, leave, arrive)
    return Crowd(occupied=occupied, use=street)


def _neighbours(spec: StreetSpec, count: int) -> Ints:
    """Return so many houses of the large street, the first of every group in its share."""
    shares = [group.share for group in spec.groups]
    starts = np.cumsum([0, *group_sizes(shares, spec.households)])
    sizes = group_sizes(shares, count)
    return np.concatenate([start + np.arange(size) for start, size in zip(starts, sizes, strict=False)])
