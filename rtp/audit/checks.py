"""What rates can prove against a mechanism: narrow noise, noise used again, a house told apart.

Each check is wrong about a kept promise with probability `level` at most; all of them together, at the sum.

* Narrow noise. |noise|/b of Laplace noise is exponential, so the sum over n rates is gamma distributed,
  Γ(n, 1), if the noise is as wide as is needed, and larger if it is wider. A sum below the level's quantile
  proves narrower noise: over all rates at once, which sees a little everywhere, and step by step, which sees
  much at one. Where rates are clipped at 0 only noise above 0 is whole: half of it, as exponential.
* Noise used again. Noise is as often positive as negative, and independent from rate to rate: two rates'
  signs agree like a fair coin. Of n releases, agreements less disagreements exceed √(2n·ln(2/p)) with
  probability p at most (Hoeffding). Each step is also compared with "always positive", so that fixed noise is
  found.
* A house told apart. Where a rate is above (or not above) a threshold with probability p on one street and q
  on its neighbour, ε ≥ ln(p/q). The event is chosen on held-out releases; of fresh ones p is bounded from
  below and q from above (Clopper–Pearson). Over several steps and streets p and q are means: each p is at
  most e^ε of its q, so the means are, and the bounds, exact for equal probabilities, hold for unequal ones
  all the more (Hoeffding, 1956). Nothing is assumed of the noise here.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rtp.core.stats import clopper_pearson, clopper_pearson_each
from rtp.core.types import Bools, Floats, Ints

POWER = 0.999  # "would find" means: this often
HELD_OUT = 4  # one release in so many, of every street, is for choosing the event
CANDIDATES = 400  # thresholds that are looked at


class ScaleTest(NamedTuple):
    """Noise found ÷ noise needed, over all rates and step by step; 1 or more where the promise is kept."""

    ratio: float  # NaN where no noise is needed
    by_step: Floats  # (T,)
    proved: bool  # over all rates
    steps: Ints  # at which it is proved
    detectable: float  # the widest noise that would be found too narrow, over all rates; 0: none would
    detectable_at_a_step: float


def scale_test(noise: Floats, full: Bools, positive_only: bool, level: float) -> ScaleTest:
    """noise and full are (n, T); noise in the unit of what is needed, NaN where none is."""
    from scipy.special import gammainc

    size = np.where(noise > 0, noise, np.nan) if positive_only else np.abs(noise)
    counts, sums = np.count_nonzero(~np.isnan(size), axis=0), np.nansum(size, axis=0, dtype=float)
    whole = full & ~np.isnan(size)
    n, total = int(whole.sum()), float(size[whole].sum(dtype=float))
    asked = counts > 0
    each = level / max(int(np.count_nonzero(asked)), 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        by_step = sums / counts
    return ScaleTest(
        ratio=total / n if n else np.nan,
        by_step=by_step,
        proved=n > 0 and bool(gammainc(n, total) < level),
        steps=np.flatnonzero(asked & (gammainc(np.maximum(counts, 1), sums) < each)),
        detectable=detectable_share(n, level),
        detectable_at_a_step=detectable_share(int(counts[asked].min()), each) if asked.any() else 0.0,
    )


def detectable_share(n: int, level: float) -> float:
    """Return the share of the needed noise that n rates find too narrow with probability POWER."""
    from scipy.special import gammaincinv

    return float(gammaincinv(n, level) / gammaincinv(n, POWER)) if n else 0.0


class IndependenceTest(NamedTuple):
    """Two steps whose noise goes together; −1 stands for "always the same", None for no such pair."""

    pair: tuple[int, int] | None
    detectable: float  # the share of releases with reused noise that would be found; above 1: none would


def independence_test(noise: Floats, level: float) -> IndependenceTest:
    """noise is (n, T), NaN where none is needed."""
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
    pair = (names[min(one, other)], names[max(one, other)]) if excess.max() > 0 else None
    n = float(together[0, 1:].min())
    return IndependenceTest(pair, float((coin(np.array(n), each) + coin(np.array(n), 2 * (1 - POWER))) / n))


def coin(n: Floats, probability: float) -> Floats:
    """By how much heads and tails of n fair throws differ with that probability at most (Hoeffding)."""
    return np.asarray(np.sqrt(2 * n * np.log(2 / probability)))


def proved_loss(empty: Floats, occupied: Floats, level: float) -> float:
    """Return a loss that is surely given away, but for the level; positions are (n, T), NaN where unknown."""
    sides = [(side, np.arange(len(side)) % HELD_OUT == 0) for side in (empty, occupied)]
    held_out = [_informative(side[chosen]) for side, chosen in sides]
    fresh = [_informative(side[~chosen]) for side, chosen in sides]
    if not all(len(side) for side in (*held_out, *fresh)):
        return 0.0
    event = choose_event(held_out, 1 - level)
    counts = [(event.count(fresh[side]), len(fresh[side])) for side in (event.likelier, not event.likelier)]
    low, _ = clopper_pearson(*counts[0], 1 - level)
    _, high = clopper_pearson(*counts[1], 1 - level)
    return max(float(np.log(low / high)), 0.0) if low > 0 else 0.0


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
    """The threshold event that proves most."""
    sizes = [len(side) for side in sides]
    values = np.unique(np.quantile(np.concatenate(sides), np.linspace(0, 1, CANDIDATES)))
    thresholds = (values + np.append(values[1:], values[-1])) / 2  # between them: two heaps are told apart
    above = [len(side) - np.searchsorted(np.sort(side), thresholds, side="right") for side in sides]
    below = [size - counts for size, counts in zip(sizes, above, strict=True)]
    best, chosen = -np.inf, Event(threshold=float(thresholds[0]), above=True, likelier=True)
    for is_above, counts in ((True, above), (False, below)):
        for one, other in ((1, 0), (0, 1)):
            gaps = _gap(counts[one], sizes[one], counts[other], sizes[other], confidence)
            if gaps.max() > best:
                best = float(gaps.max())
                at = float(thresholds[gaps.argmax()])
                chosen = Event(threshold=at, above=is_above, likelier=bool(one))
    return chosen


def _gap(one: Ints, of_one: int, other: Ints, of_other: int, confidence: float) -> Floats:
    """ln of the ratio of two probabilities, as far as these counts prove it; −∞ where nothing is."""
    low, _ = clopper_pearson_each(one, of_one, confidence)
    _, high = clopper_pearson_each(other, of_other, confidence)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(low) - np.log(high))
