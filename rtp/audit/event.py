"""The event by which two neighbouring streets are told apart: a rate above, or not above, a threshold.

If a rate falls into it with chance p on one street and q on the other, the rate gives away ln(p/q) at least.
The event is chosen on held-out releases; of fresh ones p is bounded from below and q from above
(Clopper–Pearson). Over several steps and streets p and q are means: each p is at most e^ε of its q, so the
means are, and the bounds, exact for equal chances, hold for unequal ones all the more (Hoeffding, 1956).
"""

from dataclasses import dataclass

import numpy as np

from rtp.core.stats import clopper_pearson_each
from rtp.core.types import Floats, Ints

CANDIDATES = 400  # thresholds that are looked at


@dataclass(frozen=True, kw_only=True)
class Event:
    threshold: float
    above: bool
    likelier: bool  # on which side: occupied or empty

    def count(self, rates: Floats) -> int:
        above = int(np.count_nonzero(rates > self.threshold))
        return above if self.above else len(rates) - above


def choose(sides: list[Floats], confidence: float) -> Event:
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
    """ln of the ratio of two chances, as far as these counts prove it; −∞ where nothing is."""
    low, _ = clopper_pearson_each(one, of_one, confidence)
    _, high = clopper_pearson_each(other, of_other, confidence)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(low) - np.log(high))
