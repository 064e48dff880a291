"""How well scores tell a secret from ordinary days: the area under the ROC curve, hits at few false alarms.

Repetitions are counted in batches; the intervals come from leaving out one batch at a time. A score ℓ that is
exactly the log-likelihood ratio of how the days were drawn says with which probability they had the secret,
1/(1 + e^{−ℓ}). So it counts as that much of a secret and as the rest of an ordinary life, whichever of the
two was drawn: the expectation is the same, and luck plays a far smaller part (Rao and Blackwell).
"""

from collections.abc import Iterable, Sequence

import numpy as np

from rtp.attack.adversary import AdversaryKind
from rtp.attack.scores import FALSE_ALARMS, auc, roc_curve
from rtp.core.stats import Estimate, Range, jackknife
from rtp.core.types import Floats
from rtp.core.workers import Progress
from rtp.leakage.hypothesis import WatchedDays, WatchedHouse
from rtp.leakage.observer import Observer, observer_of
from rtp.probability.markov import MAX_LOG_ODDS

BATCHES = 20
MAX_FALSE_ALARMS = 0.05
QUANTILES = 400  # of all scores, by which they are counted
STATES = 2**15  # repetitions × joint states that there is time to follow
ENOUGH = 50  # repetitions of an exact score, however many states there are


def followed(house: WatchedHouse, adversaries: Sequence[AdversaryKind], repetitions: int) -> int:
    """Return how many of these repetitions are followed: fewer where all joint states are."""
    if house.neighbours is None or "outsider" not in adversaries:
        return repetitions
    return min(repetitions, max(STATES >> (1 + len(house.neighbours.chains.initial)), ENOUGH))


def final_areas(
    house: WatchedHouse,
    b: Floats,
    adversaries: Sequence[AdversaryKind],
    days: Iterable[WatchedDays],
    count: int,
    progress: Progress | None = None,
    *,
    approximate: bool = False,
) -> list[Range]:
    """Return each adversary's area after all days of so many repetitions; `approximate`: in a normal crowd
    even where there is a better way. `progress` is given the fraction of the days and may raise to stop."""
    make = Observer if approximate else observer_of
    observers = [make(house, b, adversary, count) for adversary in adversaries]
    for seen in days:
        scores = [observer.watch(seen) for observer in observers]
        if progress is not None:
            progress(observers[0].step / house.steps)
    return [roc_area(score, exact=who.exact) for score, who in zip(scores, observers, strict=True)]


def roc_estimates(scores: Floats, *, exact: bool = False) -> tuple[Estimate, Estimate]:
    """Return (area, hits at 5 % false alarms) of scores (2, R), ordinary days first; `exact` where they are
    the log-likelihood ratios of how the days were drawn."""
    counts = _batch_counts(scores, exact)
    return jackknife(counts, auc, 0, 1), jackknife(counts, _hits, 0, 1)


def roc_area(scores: Floats, *, exact: bool = False) -> Range:
    """Return the area alone."""
    area = jackknife(_batch_counts(scores, exact), auc, 0, 1)
    return Range(float(area.value), float(area.low), float(area.high))


def _batch_counts(scores: Floats, exact: bool) -> Floats:
    """Return how many scores of each batch fall between which quantiles of all, (B, 2, bins)."""
    levels = np.linspace(0, 1, QUANTILES + 1)[1:-1]
    edges = np.unique(np.quantile(scores, levels, method="nearest"))
    bins = np.searchsorted(edges, scores, side="left")
    batch = np.arange(scores.shape[1]) % BATCHES
    cell = 2 * batch * (len(edges) + 1) + bins  # of the ordinary days of its batch
    drawn = np.broadcast_to(np.array([[0.0], [1.0]]), scores.shape)
    secret = 1 / (1 + np.exp(-np.clip(scores, -MAX_LOG_ODDS, MAX_LOG_ODDS))) if exact else drawn
    size = 2 * BATCHES * (len(edges) + 1)
    counts = np.bincount(cell.ravel(), (1 - secret).ravel(), size)
    counts += np.bincount((cell + len(edges) + 1).ravel(), secret.ravel(), size)
    return np.asarray(counts.reshape(BATCHES, 2, len(edges) + 1))


def _hits(counts: Floats) -> float:
    return float(np.interp(MAX_FALSE_ALARMS, FALSE_ALARMS, roc_curve(counts)))
