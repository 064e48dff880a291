"""What rates can prove against a mechanism: small noise, noise used again, a house told apart.

Each check is wrong about a kept promise with probability `level` at most; all of them together, at the sum.

* Narrow noise. |noise|/b of Laplace noise is exponential, so the sum over n rates is gamma distributed,
  Γ(n, 1), if the noise is as wide as is needed, and larger if it is wider. A sum below the level's quantile
  proves narrower noise: over all rates at once, which sees a little everywhere, and step by step, which sees
  much at one. Where rates are clipped at 0 only noise above 0 is whole: half of it, as exponential.
* Noise too often small. The same sizes are nowhere more often below x than 1 − e^{−x}: wider noise is less
  often so, and noise that is missing at some rates, or has lighter tails than Laplace's, more often. Of n
  rates the empirical distribution exceeds the true one by √(ln(1/p)/2n) somewhere with probability p at most
  (Dvoretzky, Kiefer and Wolfowitz; Massart, 1990).
* Noise used at two steps. Noise is as often positive as negative, and independent from rate to rate: two
  rates' signs agree like a fair coin. Of n releases, agreements less disagreements exceed √(2n·ln(2/p)) with
  probability p at most (Hoeffding). Each step is also compared with "always positive", so that fixed noise is
  found.
* Noise used on two days. Two draws fall into the same of cells of width δ with probability δ/2 at most, as
  Laplace's density is nowhere above ½, and independent steps do so one by one. That two of n days agree at m
  of T steps has probability at most C(n, 2)·C(T, m)·(δ/2)ᵐ: δ is where that is the level.
* A house told apart. Where a rate is above (or not above) a threshold with probability p on one street and q
  on its neighbour, ε ≥ ln(p/q). The event is chosen on held-out releases; of fresh ones p is bounded from
  below and q from above (Clopper–Pearson). Over several steps and streets p and q are means: each p is at
  most e^ε of its q, so the means are, and the bounds, exact for equal probabilities, hold for unequal ones
  all the more (Hoeffding, 1956). Nothing is assumed of the noise here.
"""

from dataclasses import dataclass
from math import comb
from typing import NamedTuple

import numpy as np

from rtp.core.stats import clopper_pearson
from rtp.core.types import Bools, Floats, Ints

DETECTION_POWER = 0.999  # "would find" means: this often
HELD_OUT = 4  # one release in so many, of every street, is for choosing the event
CANDIDATES = 400  # thresholds that are looked at
MAX_EXCESS_LOSS = 50.0  # above ε, which no audit would miss if it could prove any
STEPS_ALIKE = 3  # at which two days have the same noise before it counts as used again


class ScaleTest(NamedTuple):
    """Noise found ÷ noise needed, over all rates and step by step; 1 or more where the promise is kept."""

    ratio: float  # NaN where no noise is needed
    proved: bool  # over all rates
    steps: Ints  # at which it is proved
    detectable: float  # the widest noise that would be found too narrow, over all rates; 0: none would
    detectable_at_a_step: float


def scale_test(noise: Floats, full: Bools, positive_only: bool, level: float) -> ScaleTest:
    """Return how wide noise, (n, T) in the unit of what is needed, is; NaN where none is needed."""
    from scipy.special import gammainc

    size = _sizes(noise, positive_only)
    counts, sums = np.count_nonzero(~np.isnan(size), axis=0), np.nansum(size, axis=0, dtype=float)
    whole = full & ~np.isnan(size)
    n, total = int(whole.sum()), float(size[whole].sum(dtype=float))
    asked = counts > 0
    each = level / max(int(np.count_nonzero(asked)), 1)
    return ScaleTest(
        ratio=total / n if n else np.nan,
        proved=bool(gammainc(n, total) < level),  # NaN where there are no rates
        steps=np.flatnonzero(gammainc(counts, sums) < each),
        detectable=detectable_share(n, level),
        detectable_at_a_step=detectable_share(int(counts[asked].min()), each) if asked.any() else 0.0,
    )


def _sizes(noise: Floats, positive_only: bool) -> Floats:
    """|noise|, or where rates are clipped only that of noise above 0."""
    return np.where(noise > 0, noise, np.nan) if positive_only else np.abs(noise)


def detectable_share(n: int, level: float) -> float:
    """Return the share of the needed noise that n rates find too narrow with probability DETECTION_POWER."""
    from scipy.special import gammaincinv

    return float(gammaincinv(n, level) / gammaincinv(n, DETECTION_POWER)) if n else 0.0


class DistributionTest(NamedTuple):
    """Whether noise is more often small than Laplace noise of the needed scale."""

    proved: bool
    detectable: float  # the share of rates by which too many are small that would be found; above 1: none


def distribution_test(noise: Floats, full: Bools, positive_only: bool, level: float) -> DistributionTest:
    """Return whether noise, (n, T) in the unit of what is needed, is too often small."""
    sizes = np.sort(_informative(_sizes(noise, positive_only)[full]))
    n = len(sizes)
    if not n:
        return DistributionTest(False, np.inf)
    excess = np.arange(1, n + 1) / n + np.expm1(-sizes)
    return DistributionTest(
        proved=bool(excess.max() > massart(n, level)),
        detectable=massart(n, level) + massart(n, 1 - DETECTION_POWER),
    )


def massart(n: int, probability: float) -> float:
    """Return by how much an empirical distribution of n exceeds the true one with that probability."""
    return float(np.sqrt(np.log(1 / probability) / (2 * n)))


class RepeatTest(NamedTuple):
    """Days that have the same noise."""

    days: tuple[int, int] | None  # the first two of them
    detectable: float  # noise drawn from so many sequences, or fewer, would be found


def repeat_test(noise: Floats, resolution: float, level: float) -> RepeatTest:
    """Return which days share their noise, (n, T); it was read to within `resolution`."""
    n, steps = len(noise), int(np.count_nonzero(~np.isnan(noise).all(axis=0)))
    width = cell_width(n, steps, level)
    if width <= 2 * resolution:  # too coarse to tell two draws apart, or not two days to compare
        return RepeatTest(None, 0.0)
    cells = np.floor(noise / width)
    cells[np.abs(noise) <= width] = np.nan  # no noise is no noise used again
    both = []
    for column in cells.T:
        order = np.argsort(column, kind="stable")
        same = np.flatnonzero(np.diff(column[order]) == 0)
        both.append(order[same] * n + order[same + 1])
    pairs, counts = np.unique(np.concatenate(both), return_counts=True)
    pairs = pairs[counts >= min(STEPS_ALIKE, steps)]
    first = divmod(int(pairs[0]), n) if len(pairs) else None
    return RepeatTest(first, n * (n - 1) / 2 / -np.log(1 - DETECTION_POWER))


def cell_width(n: int, steps: int, level: float) -> float:
    """Return δ at which two of n days agree at STEPS_ALIKE steps by luck with probability `level` at most."""
    alike = min(STEPS_ALIKE, steps)
    ways = comb(n, 2) * comb(steps, alike)
    return 2 * float((level / ways) ** (1 / alike)) if ways and alike else 0.0


class IndependenceTest(NamedTuple):
    """Two steps whose noise goes together; −1 stands for "always the same", None for no such pair."""

    pair: tuple[int, int] | None
    detectable: float  # the share of releases with reused noise that would be found; above 1: none would


def independence_test(noise: Floats, level: float) -> IndependenceTest:
    """Return the two steps whose noise, (n, T), agrees most in its signs, if that proves anything."""
    steps = np.flatnonzero(~np.isnan(noise).all(axis=0))
    if not len(steps):
        return IndependenceTest(None, np.inf)
    some = noise[:, steps]
    signs = np.where(np.isnan(some), 0, np.where(some > 0, 1, -1)).astype(np.float32)
    signs = np.column_stack([np.ones(len(signs), dtype=np.float32), signs])
    informative = np.abs(signs)
    agree, together = np.abs(signs.T @ signs), informative.T @ informative
    np.fill_diagonal(agree, 0)
    each = level / (len(signs.T) * (len(signs.T) - 1) / 2)
    excess = agree - coin(together, each)
    one, other = np.unravel_index(int(excess.argmax()), excess.shape)
    names = [-1, *steps.tolist()]
    pair = (names[one], names[other]) if excess.max() > 0 else None
    n = float(together[0, 1:].min())
    return IndependenceTest(
        pair, float((coin(np.array(n), each) + coin(np.array(n), 2 * (1 - DETECTION_POWER))) / n)
    )


def coin(n: Floats, probability: float) -> Floats:
    """Return by how much heads and tails of n fair throws differ with that probability (Hoeffding)."""
    return np.asarray(np.sqrt(2 * n * np.log(2 / probability)))


def proved_loss(empty: Floats, occupied: Floats, level: float) -> float:
    """Return a loss that is surely given away, but for the level; positions are (n, T), NaN where unknown."""
    held_out, fresh = zip(*(_split(side) for side in (empty, occupied)), strict=True)
    if not all(len(side) for side in (*held_out, *fresh)):
        return 0.0
    event = choose_event(list(held_out), 1 - level)
    likelier, other = fresh[event.likelier], fresh[not event.likelier]
    counts = event.count(likelier), len(likelier), event.count(other), len(other)
    return max(float(_proved_log_ratio(*counts, 1 - level)), 0.0)


def fresh_rates(empty: Floats, occupied: Floats) -> int:
    """Return how many rates a side are left to count the event in."""
    return min(len(_split(side)[1]) for side in (empty, occupied))


def _split(positions: Floats) -> tuple[Floats, Floats]:
    """Those for choosing the event, and those to count it in."""
    chosen = np.arange(len(positions)) % HELD_OUT == 0
    return _informative(positions[chosen]), _informative(positions[~chosen])


def detectable_loss(epsilon: float, n: int, level: float) -> float:
    """Return the smallest loss that n fresh rates a side prove to be above ε in DETECTION_POWER of cases.

    Of a house that uses its bound or nothing, behind Laplace noise that gives the loss ℓ away, by the event
    that a rate is above the bound: its probabilities are ½ and ½·e^{−ℓ}. Infinite where none would be proved.
    """
    from scipy.optimize import brentq
    from scipy.special import bdtrik

    if not n or not 0 < epsilon < np.inf:
        return np.inf

    def proved(loss: float) -> float:
        likelier = int(bdtrik((1 - DETECTION_POWER) / 2, n, 0.5))
        other = bdtrik(1 - (1 - DETECTION_POWER) / 2, n, np.exp(-loss) / 2)  # NaN below 0
        return float(_proved_log_ratio(likelier, n, int(np.ceil(np.nan_to_num(other))), n, 1 - level))

    most = epsilon + MAX_EXCESS_LOSS
    if proved(most) <= epsilon:
        return np.inf
    return float(brentq(lambda loss: proved(loss) - epsilon, epsilon, most, xtol=1e-4 * epsilon))


def _informative(positions: Floats) -> Floats:
    return positions[~np.isnan(positions)]


@dataclass(frozen=True, kw_only=True)
class Event:
    threshold: float
    above: bool
    likelier: bool  # on which side: occupied or empty

    def count(self, rates: Floats) -> int:
        above = int(np.count_nonzero(rates > self.threshold))
        return above if self.above else len(rates) - above


def choose_event(sides: list[Floats], confidence: float) -> Event:
    """Return the threshold event that proves most."""
    sizes = [len(side) for side in sides]
    values = np.unique(np.quantile(np.concatenate(sides), np.linspace(0, 1, CANDIDATES)))
    thresholds = (values + np.append(values[1:], values[-1])) / 2  # between them: two heaps are told apart
    above = [len(side) - np.searchsorted(np.sort(side), thresholds, side="right") for side in sides]
    below = [size - counts for size, counts in zip(sizes, above, strict=True)]
    best, chosen = -np.inf, Event(threshold=float(thresholds[0]), above=True, likelier=True)
    for is_above, counts in ((True, above), (False, below)):
        for one, other in ((1, 0), (0, 1)):
            gaps = _proved_log_ratio(counts[one], sizes[one], counts[other], sizes[other], confidence)
            if gaps.max() > best:
                best = float(gaps.max())
                at = float(thresholds[gaps.argmax()])
                chosen = Event(threshold=at, above=is_above, likelier=bool(one))
    return chosen


def _proved_log_ratio(
    one: Ints | int, of_one: int, other: Ints | int, of_other: int, confidence: float
) -> Floats:
    """ln of the ratio of two probabilities, as far as these counts prove it; −∞ where nothing is."""
    low, _ = clopper_pearson(one, of_one, confidence)
    _, high = clopper_pearson(other, of_other, confidence)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(low) - np.log(high))
