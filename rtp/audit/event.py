"""The event by which two neighbouring streets are told apart: a rate above, or not above, a threshold."""

from dataclasses import dataclass

import numpy as np

from rtp.arrays import Floats, Ints
from rtp.statistics import normal_width

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
    """The threshold event whose frequencies differ most, less what chance may have done to them."""
    n = len(sides[0])
    thresholds = np.unique(np.quantile(np.concatenate(sides), np.linspace(0, 1, CANDIDATES)))
    above = np.array([n - np.searchsorted(np.sort(side), thresholds, side="right") for side in sides])
    width = normal_width(confidence)
    best, chosen = -np.inf, Event(threshold=float(thresholds[0]), above=True, likelier=True)
    for is_above, counts in ((True, above), (False, n - above)):
        for likelier in (True, False):
            gaps = _gap(counts[int(likelier)], counts[int(not likelier)], n, width)
            if gaps.max() > best:
                best = float(gaps.max())
                at = float(thresholds[gaps.argmax()])
                chosen = Event(threshold=at, above=is_above, likelier=likelier)
    return chosen


def _gap(one: Ints, other: Ints, n: int, width: float) -> Floats:
    """ln of the ratio of two frequencies, less so many standard errors of either."""
    p, q = (one + 0.5) / (n + 1), (other + 0.5) / (n + 1)
    return np.log(p / q) - width * (np.sqrt((1 - p) / (n * p)) + np.sqrt((1 - q) / (n * q)))
