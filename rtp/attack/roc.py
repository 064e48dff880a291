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

from rtp.core.types import Bools, Floats, Ints

FALSE_ALARMS = np.linspace(0.0, 1.0, 101)
LEAST = 1e-12  # a belief further from certainty costs no more
# Bins: of log-odds, equal ones between ±16; of evidence, 30 to a decade of its size from 1e-9 to 100.
WIDEST, ODDS_BINS = 16.0, 640
SMALLEST, DECADES, PER_DECADE = 1e-9, 11, 30
SIZES = DECADES * PER_DECADE + 2  # with one for what is smaller, and one for what is larger


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
        belief=_count(occupied, _odds_bin(odds), ODDS_BINS + 2),
        evidence=_count(occupied, _evidence_bin(log_evidence), 2 * SIZES, weight),
        right=float(right.sum()),
        loss=float(-np.log(np.where(occupied, sure, 1 - sure)).sum()),
        moments=occupied.size,
        largest=float(np.abs(log_evidence).max()),
    )


def _odds_bin(odds: Floats) -> Ints:
    """0 and the last for what lies outside; computed, which is many times faster than looked up."""
    place = np.floor((odds + WIDEST) * (ODDS_BINS / (2 * WIDEST))) + 1
    return np.asarray(np.clip(place, 0, ODDS_BINS + 1), dtype=np.intp)


def _evidence_bin(evidence: Floats) -> Ints:
    """By its size, and its sign: what speaks for empty comes first, the strongest of it at the very first."""
    with np.errstate(divide="ignore"):
        place = np.floor((np.log10(np.abs(evidence)) - np.log10(SMALLEST)) * PER_DECADE) + 1
    size = np.clip(place, 0, SIZES - 1)
    return np.asarray(np.where(evidence < 0, SIZES - 1 - size, SIZES + size), dtype=np.intp)


def _count(occupied: Bools, cell: Ints, bins: int, weight: Floats | None = None) -> Floats:
    weights = None if weight is None else weight.ravel()
    counts = np.bincount((cell + bins * occupied).ravel(), weights, minlength=2 * bins)
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
