"""How good is a guess? Curves and averages from counts, which add up over independent days.

Moments within a day are far from independent, days are: intervals leave out one day at a time. Guesses are
counted in bins of their log-odds, per day and truth, which is all that a curve needs and does not grow with
the street.

Two kinds of curve. *Belief*: how well her probability separates occupied from empty moments, habits
included. *Evidence*: what one rate alone adds. For it, a moment at which she thought the house occupied with
chance p counts 1 − p if it was and p if it was not, so that both sides are made of the same situations;
then, and only then, `ceiling` is a law: evidence within ±ε cannot separate better. (Rates read together with
earlier ones may carry more than ε: see `joint_filter`.)
"""

from dataclasses import dataclass

import numpy as np

from rtp.arrays import Bools, Floats

FALSE_ALARMS = np.linspace(0.0, 1.0, 101)
LEAST = 1e-12  # a belief further from certainty costs no more
ODDS = np.linspace(-16.0, 16.0, 641)
EVIDENCE = np.concatenate([-np.logspace(2, -9, 331), [0.0], np.logspace(-9, 2, 331)])


@dataclass(frozen=True, kw_only=True)
class Tally:
    """One day's guesses, counted."""

    belief: Floats  # (2, bins): moments by truth (empty, occupied) and by the log-odds she gave
    evidence: Floats  # (2, bins): the same by the evidence of the step's rate, weighed
    right: float  # moments at which the likelier state was the true one
    loss: float  # Σ −ln of the chance she gave to the truth
    moments: int
    largest: float  # evidence of any one rate on any house


def tally(occupied: Bools, belief: Floats, prior: Floats, log_evidence: Floats) -> Tally:
    """Count a day; all arguments (T, n)."""
    sure = np.clip(belief, LEAST, 1 - LEAST)
    odds = np.log(sure) - np.log1p(-sure)
    weight = np.where(occupied, 1 - prior, prior)
    right = np.where(belief == 0.5, 0.5, (belief > 0.5) == occupied)
    return Tally(
        belief=_count(occupied, odds, ODDS, np.ones_like(odds)),
        evidence=_count(occupied, log_evidence, EVIDENCE, weight),
        right=float(right.sum()),
        loss=float(-np.log(np.where(occupied, sure, 1 - sure)).sum()),
        moments=occupied.size,
        largest=float(np.abs(log_evidence).max()),
    )


def _count(occupied: Bools, score: Floats, edges: Floats, weight: Floats) -> Floats:
    bins = len(edges) + 1
    cell = np.searchsorted(edges, score, side="right") + bins * occupied
    counts = np.bincount(cell.ravel(), weights=weight.ravel(), minlength=2 * bins)
    return counts.astype(float).reshape(2, bins)


def curve(counts: Floats) -> Floats:
    """Hit rate at each of `FALSE_ALARMS`; within a bin guesses count as equal, and the curve is straight."""
    alarms, hits = (np.concatenate([[0.0], np.cumsum(side[::-1])]) for side in counts)
    if alarms[-1] == 0 or hits[-1] == 0:  # nothing to tell apart
        return FALSE_ALARMS
    moved = np.concatenate([[True], (np.diff(alarms) > 0) | (np.diff(hits) > 0)])
    return np.asarray(np.interp(FALSE_ALARMS, (alarms / alarms[-1])[moved], (hits / hits[-1])[moved]))


def area(counts: Floats) -> float:
    """AUC: the chance that an occupied moment scores above an empty one; ties count half."""
    empty, occupied = counts
    pairs = empty.sum() * occupied.sum()
    below = np.cumsum(empty) - empty / 2
    return float(occupied @ below / pairs) if pairs > 0 else 0.5


def ceiling(epsilon: float, false_alarm: Floats) -> Floats:
    """The best hit rate any test can have where the log-likelihood ratio lies within ±ε."""
    likelier = float(np.exp(min(epsilon, 700.0)))
    return np.minimum(likelier * false_alarm, 1 - (1 - false_alarm) / likelier)
