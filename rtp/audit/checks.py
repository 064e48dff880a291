"""What rates can prove against a mechanism: noise too small, a house told apart.

Each check is wrong about a kept promise with probability `level` at most; all of them together, at the sum.

* Narrow noise. |noise|/b of Laplace noise is exponential, so the sum over n rates is gamma distributed,
  Γ(n, 1), if the noise is as wide as is needed, and larger if it is wider. A sum below the level's quantile
  proves narrower noise: over all rates at once, which sees a little everywhere, and step by step, which sees
  much at one. Where rates are clipped at 0 only noise above 0 is whole: half of it, as exponential.
* Noise too often small, or too rarely large. The same sizes are nowhere more often below x than 1 − e^{−x}:
  wider noise is less often so, and noise that is missing at some rates, or has lighter tails than Laplace's,
  more often. How many of n sizes are below x is at most binomially distributed; it is counted at the x of
  which a half, a quarter, an eighth … of Laplace noise stays below, and of which as much lies beyond.
* A house told apart. Where a rate is above (or not above) a threshold with probability p on one street and q
  on its neighbour, ε ≥ ln(p/q). The event is chosen on held-out releases; of fresh ones p is bounded from
  below and q from above (Clopper–Pearson). Over several steps and streets p and q are means: each p is at
  most e^ε of its q, so the means are, and the bounds, exact for equal probabilities, hold for unequal ones
  all the more (Hoeffding, 1956). Nothing is assumed of the noise here.
"""

from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from rtp.core.stats import clopper_pearson
from rtp.core.types import Bools, Floats, Ints

DETECTION_POWER = 0.999  # "would find" means: this often
HELD_OUT = 4  # one release in so many, of every street, is for choosing the event
THRESHOLDS = 400  # that are looked at
MAX_EXCESS_LOSS = 50.0  # above ε, which no audit would miss if it could prove any
FINEST = 20  # the smallest share that is counted is 2 to the minus that
ROUNDINGS = 16  # of a rate's last digit: how far off noise may be read

What = TypeVar("What")


class Finding(NamedTuple, Generic[What]):
    """What a check found, and the smallest flaw that it would find."""

    what: What | None  # where or what the flaw is; None where none is proved
    detectable: float

    @property
    def proved(self) -> bool:
        return self.what is not None


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


def distribution_test(
    noise: Floats, full: Bools, positive_only: bool, resolution: float, level: float
) -> Finding[bool]:
    """Return whether sizes of noise, (n, T) in the unit of what is needed, are more often small, or less
    often large, than Laplace noise's; and the share of rates without noise that would be found, above 1:
    none."""
    from scipy.special import bdtrik, betaincinv

    sizes = np.sort(_informative(_sizes(noise, positive_only)[full]))
    n = len(sizes)
    if not n:
        return Finding(None, np.inf)
    share = 2.0 ** -np.arange(1, FINEST + 1)
    rest = share[share * n > 1]  # beyond which fewer than one is expected
    each = level / (len(share) + len(rest))
    rounding = ROUNDINGS * resolution
    small, large = -np.log1p(-share), -np.log(rest)
    few = -np.expm1(-(small + rounding))
    too_small = chance_of_as_many(np.searchsorted(sizes, small, side="right"), n, few)
    reached = np.searchsorted(sizes, large, side="right")
    too_few_large = chance_of_as_many(reached, n, -np.expm1(-(large + rounding)))
    enough = np.floor(bdtrik(1 - each, n, few)) + 2  # the number that is proof
    missing = betaincinv(enough, np.maximum(n - enough + 1, 1), DETECTION_POWER)
    return Finding(
        True if min(too_small.min(), too_few_large.min(initial=1.0)) < each else None,
        float(np.where(enough <= n, missing, np.inf).min()),
    )


def chance_of_as_many(counts: Ints, n: int, probability: Floats) -> Floats:
    """Return the probability that of n events with this probability so many happen, or more."""
    from scipy.special import betainc

    return np.where(counts > 0, betainc(np.maximum(counts, 1), n - counts + 1, probability), 1.0)


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
    values = np.unique(np.quantile(np.concatenate(sides), np.linspace(0, 1, THRESHOLDS)))
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
