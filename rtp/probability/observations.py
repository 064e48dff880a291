"""Readings as a hidden Markov model sees them: each by the bin of its house that it falls into.

Real use is autocorrelated: a kettle or a laundry lasts longer than a step. Taken as independent, a run of
high use looks like a visit, and moves come out several times too often. So a house has a correlation ρ with
the reading before (an autoregressive HMM, Juang and Rabiner 1985): while the level stays, the normal scores
z = Φ⁻¹(rank within the level) of two readings in a row are jointly normal with correlation ρ (a Gaussian
copula: the histograms stay what they are), so a bin of score z after one of score z′ has the probability
∝ f·exp((2ρzz′ − ρ²(z² + z′²)) / 2(1 − ρ²)). After a change of level use starts afresh.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rtp.core.types import Bools, Floats, Ints

BINS = 12  # of a house's readings
MAX_CORRELATION = 0.93
MAX_STEP = 0.15  # of a correlation in a round
TAIL = 1e-3  # ranks stay so far from 0 and 1


@dataclass(frozen=True)
class Observations:
    """What is seen of n houses over T steps."""

    bins: NDArray[np.int8]  # (T, n); BINS is a missing reading
    period: Ints  # (T,) which period each step is in
    weight: Floats | None = None  # (T,) how often each step counts

    @property
    def houses(self) -> int:
        return int(self.bins.shape[1])

    @property
    def weights(self) -> Floats:
        return np.ones(len(self.period)) if self.weight is None else self.weight

    @cached_property
    def emission_index(self) -> Ints:
        """(T, n): house·(BINS + 1) + bin."""
        return np.arange(self.houses) * (BINS + 1) + self.bins

    @cached_property
    def pair_index(self) -> Ints:
        """(T − 1, n): (house·(BINS + 1) + bin before)·(BINS + 1) + bin."""
        return self.emission_index[:-1] * (BINS + 1) + self.bins[1:]

    @cached_property
    def count(self) -> Floats:
        """(n, BINS + 1): how often each bin counts."""
        return self._sums(self.emission_index, self.weights[:, None], 1)[:, 0]

    @property
    def own_histogram(self) -> Floats:
        """(n, BINS): how often each bin is seen, whatever the state; never quite 0."""
        count = self.count[:, :-1] + 0.1
        return np.asarray(count / count.sum(axis=1, keepdims=True))

    def readings_in(self, share: Floats) -> Floats:
        """(n, BINS): the readings in every bin of which this share, (T, n), counts."""
        return self._sums(self.emission_index, share * self.weights[:, None], 1)[:, 0, :BINS]

    def pairs(self, share: Floats) -> Floats:
        """(n, BINS + 1, BINS + 1): how often a bin comes after a bin, of pairs that count so much, (T − 1,
        n)."""
        return self._sums(self.pair_index, share * self.weights[1:, None], BINS + 1)

    def _sums(self, index: Ints, weight: Floats, rows: int) -> Floats:
        weights = np.broadcast_to(weight, index.shape).ravel()
        total = np.bincount(index.ravel(), weights, minlength=self.houses * rows * (BINS + 1))
        return np.asarray(total, dtype=float).reshape(self.houses, rows, BINS + 1)

    def select(self, houses: Ints | Bools) -> "Observations":
        """Those of some houses."""
        return replace(self, bins=self.bins[:, houses])


def quantile_edges(power: NDArray[np.float32]) -> Floats:
    """(n, BINS + 1): from 0 to the largest reading of each house, by quantiles. Edges may coincide."""
    edges = np.zeros((len(power), BINS + 1))
    for own, values in zip(edges, power, strict=True):
        present = np.sort(values[np.isfinite(values)])
        if len(present):
            own[1:] = present[np.ceil(np.arange(1, BINS + 1) / BINS * len(present)).astype(int) - 1]
    return edges


def to_bins(power: NDArray[np.float32], edges: Floats) -> NDArray[np.int8]:
    """(T, n): the bin of every reading, none above the last edge; one more where it is missing."""
    result = np.full(power.shape[::-1], BINS, dtype=np.int8)
    for house, (values, own) in enumerate(zip(power, edges, strict=True)):
        present = np.isfinite(values)
        result[present, house] = np.searchsorted(own[1:], values[present], side="left")
    return result


def conditional_emission(emission: Floats, correlation: Floats) -> Floats:
    """Return the probability of each bin after each bin, while the level stays, (L, n, BINS + 1, BINS + 1); a
    missing reading comes with probability 1 and leaves the next one to itself."""
    from scipy.special import ndtri

    score = ndtri(np.clip(np.cumsum(emission, axis=2) - emission / 2, TAIL, 1 - TAIL))
    before, now = score[..., None], score[..., None, :]
    rho = correlation[..., None, None]
    exponent = (2 * rho * before * now - rho**2 * (before**2 + now**2)) / (2 * (1 - rho**2))
    own = emission[..., None, :] * np.exp(exponent)
    result = np.ones((*emission.shape[:2], BINS + 1, BINS + 1))
    result[..., :BINS, :BINS] = own / own.sum(axis=3, keepdims=True)
    result[..., BINS, :BINS] = emission
    return result


def climb_correlation(pairs: Floats, emission: Floats, start: Floats, most: float) -> Floats:
    """Return correlations one Newton step further up the log-likelihood of pairs of bins,
    (L, n, BINS + 1, BINS + 1): one for every level, or one for all as `start` has them."""
    apart = 0.02
    heights = [
        (pairs * np.log(conditional_emission(emission, start + offset))).sum(axis=(2, 3))
        for offset in (-apart, 0.0, apart)
    ]
    low, here, high = (each.reshape(len(start), -1, each.shape[1]).sum(axis=1) for each in heights)
    slope, bend = (high - low) / (2 * apart), (low - 2 * here + high) / apart**2
    step = -slope / np.minimum(bend, -1e-9)  # where it bends upwards, as far as a step may go
    return np.asarray(np.clip(start + np.clip(step, -MAX_STEP, MAX_STEP), -MAX_CORRELATION, most))
