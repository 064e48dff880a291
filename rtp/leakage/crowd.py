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

The crowd of a day's own street, and of streets like it from five houses to a hundred thousand.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from rtp.attack.adversary import largest_gap
from rtp.core.types import Floats, Ints
from rtp.probability.laplace_uniform import Complexes
from rtp.scenario import BOUNDS, Bounds, must_be_house, must_be_within
from rtp.simulation import Day
from rtp.street.draw import BLOCK, StreetSpec, Use, group_sizes
from rtp.street.prior_marginals import PriorMarginals, support_classes
from rtp.street.simulate import Progress

if TYPE_CHECKING:
    import pandas as pd


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


class CrowdProfile:
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
        if self.use.distributions is not None:
            return bool((self.use.distributions.mass[0] == self.use.distributions.mass[1]).all())
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


SIZES = (5, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000)
BUDGETS = np.geomspace(0.01, 10.0, 61)
DELTA = Bounds(1e-12, 0.5, "δ — how often the promise may fail")
USUAL_DELTA = 1e-6


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

    @property
    def enough(self) -> int | None:
        """The smallest of the sizes whose crowd hides the house without any noise."""
        free = np.flatnonzero(self.scale == 0)
        return int(self.sizes[free[0]]) if len(free) else None


def noise_still_needed(
    day: Day,
    epsilon: float,
    delta: float = USUAL_DELTA,
    *,
    house: int | None = None,
    step: int | None = None,
    sizes: Sequence[int] = SIZES,
    progress: Progress | None = None,
) -> NoiseBySize:
    """The same house among ever more neighbours drawn like this street's; those of a small street are the
    first of a large one's."""
    must_be_within("epsilon", epsilon, BOUNDS["epsilon"])
    must_be_within("delta", delta, DELTA)
    number, at = _chosen(day, house, step)
    spec = replace(day.life.spec, households=SIZES[-1], listed=None)
    pool = _at(_drawn(spec), at)
    use, alpha, scale = _use(day, number), day.market.tariff.alpha, []
    for i, size in enumerate(sizes):
        hidden = CrowdProfile(pool.only(_neighbours(spec, size - 1)), use)
        scale.append(alpha * hidden.noise_needed(epsilon, delta))
        if progress is not None:
            progress((i + 1) / len(sizes))
    alone = CrowdProfile(pool.only([]), use)
    return NoiseBySize(
        epsilon=epsilon,
        delta=delta,
        house=number,
        step=at,
        sizes=np.array(sizes),
        scale=np.array(scale),
        insider=alpha * alone.noise_needed(epsilon, delta),
    )


def noise_frame(found: NoiseBySize) -> "pd.DataFrame":
    """One row per size of the street."""
    import pandas as pd

    return pd.DataFrame(
        {
            "households": found.sizes,
            "epsilon": found.epsilon,
            "delta": found.delta,
            "scale_against_outsider": found.scale,
            "scale_against_insider": found.insider,
        }
    )


def _chosen(day: Day, house: int | None, step: int | None) -> tuple[int, int]:
    scenario, street = day.scenario, day.street
    must_be_house("house", house, scenario.households)
    if step is not None:
        must_be_within("step", step, Bounds(0, scenario.steps - 1, "Step"))
    if house is None:
        house = largest_gap(street)
    return house, min(scenario.steps // 2, scenario.steps - 1) if step is None else step


def _use(day: Day, house: int) -> Use:
    return day.street.use(slice(house, house + 1))


def _drawn(spec: StreetSpec) -> PriorMarginals:
    street = spec.draw()
    return PriorMarginals(spec, street, support_classes(spec, street))


def _at(beforehand: PriorMarginals, step: int) -> Crowd:
    """Everyone at one step, under the model that generates the day."""
    chance = next(row[0] for i, row in enumerate(beforehand.marginals()) if i == step)
    street = beforehand.street
    return Crowd(occupied=chance, use=street.use(slice(None)))


def _neighbours(spec: StreetSpec, count: int) -> Ints:
    """So many houses of the large street, the first of every group in its share."""
    shares = [group.share for group in spec.groups]
    starts = np.cumsum([0, *group_sizes(shares, spec.households)])
    sizes = group_sizes(shares, count)
    return np.concatenate([start + np.arange(size) for start, size in zip(starts, sizes, strict=False)])
