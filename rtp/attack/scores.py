"""How good is a guess? ROC curves and averages from counts, which add up over independent days.

Moments within a day are far from independent, days are: intervals leave out one day at a time. Guesses are
counted in bins of their log-odds, per day and truth, which is all that a curve needs and does not grow with
the street.

Two kinds of curve. *Belief*: how well her probability separates occupied from empty moments, habits
included. *Evidence*: what one rate alone adds. For it, a moment at which she thought the house occupied with
probability p counts 1 − p if it was and p if it was not, so that both sides are made of the same situations;
then, and only then, `roc_ceiling` holds: evidence within ±ε cannot separate better. (Rates read together with
earlier ones may carry more than ε: see `joint_filter`.)

*How far is the Gaussian adversary off?* Measured where the exact one can judge her: on a street of
`REFERENCE_HOUSES` houses drawn from the same scenario, over `REFERENCE_DAYS` days. The exact belief q is the
probability of the truth given the rates, so the log-loss that a belief p can expect is the cross entropy of q
and p, without the luck of any one day. Of the exact adversary's gain over the model alone, p keeps

    1 − Σ KL(q ‖ p)/Σ KL(q ‖ model alone).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log, log10
from typing import NamedTuple

import numpy as np

from rtp.attack.adversary import Inference, posterior
from rtp.core.stats import Estimate, jackknife
from rtp.core.types import Bools, Floats
from rtp.scenario import Scenario, edit
from rtp.simulation import simulate

FALSE_ALARMS = np.linspace(0.0, 1.0, 101)
MIN_BELIEF = 1e-12  # a belief further from certainty costs no more
# Edges of bins: of log-odds, equal ones; of evidence, 30 to a decade of its size, either sign.
ODDS_EDGES = np.linspace(-16.0, 16.0, 641)
EVIDENCE_SIZES = np.logspace(-9, 2, 331)
EVIDENCE_EDGES = np.concatenate([-EVIDENCE_SIZES[::-1], [0.0], EVIDENCE_SIZES])
REFERENCE_HOUSES = 8
REFERENCE_DAYS = 2
REFERENCE_BUDGETS = (1.0, 2.0, 5.0, 10.0)  # times a power of ten: those at which she is measured


@dataclass(frozen=True, kw_only=True)
class BinnedScores:
    """One day's guesses, counted."""

    belief: Floats  # (2, bins): moments by truth (empty, occupied) and by the log-odds she gave
    evidence: Floats  # (2, bins): the same by the evidence of the step's rate, weighed
    right: float  # moments at which the likelier state was the true one
    loss: float  # Σ −ln of the probability she gave to the truth
    moments: int
    largest: float  # evidence of any one rate on any house


def bin_scores(occupied: Bools, belief: Floats, prior: Floats, log_likelihood_ratio: Floats) -> BinnedScores:
    """Return a day's guesses, counted; all arguments are (T, n)."""
    sure = np.clip(belief, MIN_BELIEF, 1 - MIN_BELIEF)
    odds = np.log(sure) - np.log1p(-sure)
    weight = np.where(occupied, 1 - prior, prior)
    return BinnedScores(
        belief=_count(occupied, odds, ODDS_EDGES, np.ones_like(odds)),
        evidence=_count(occupied, log_likelihood_ratio, EVIDENCE_EDGES, weight),
        right=right_guesses(occupied, belief),
        loss=float(-np.log(np.where(occupied, sure, 1 - sure)).sum()),
        moments=occupied.size,
        largest=float(np.abs(log_likelihood_ratio).max()),
    )


def right_guesses(occupied: Bools, belief: Floats) -> float:
    """Return at how many moments the likelier state was the true one; where both are as likely, half."""
    return float(np.where(belief == 0.5, 0.5, (belief > 0.5) == occupied).sum())


def _count(occupied: Bools, score: Floats, edges: Floats, weight: Floats) -> Floats:
    """Return the moments in each bin by truth, weighed, (2, bins); the first and the last bin are open."""
    bins = len(edges) + 1
    cell = np.searchsorted(edges, score, side="right") + bins * occupied
    counts = np.bincount(cell.ravel(), weight.ravel(), minlength=2 * bins)
    return counts.astype(float).reshape(2, bins)


def roc_curve(counts: Floats) -> Floats:
    """Return the hit rate at each of `FALSE_ALARMS`; within a bin it is a straight line."""
    alarms, hits = (np.concatenate([[0.0], np.cumsum(side[::-1])]) for side in counts)
    if alarms[-1] == 0 or hits[-1] == 0:  # nothing to tell apart
        return FALSE_ALARMS
    return np.asarray(np.interp(FALSE_ALARMS, alarms / alarms[-1], hits / hits[-1]))


def auc(counts: Floats) -> float:
    """Return the probability that an occupied moment scores above an empty one; ties count half."""
    empty, occupied = counts
    pairs = empty.sum() * occupied.sum()
    below = np.cumsum(empty) - empty / 2
    return float(occupied @ below / pairs) if pairs > 0 else 0.5


def roc_ceiling(epsilon: float, false_alarm: Floats) -> Floats:
    """Return the best hit rate any test can have where the log-likelihood ratio lies within ±ε."""
    likelier = float(np.exp(min(epsilon, 700.0)))
    return np.minimum(likelier * false_alarm, 1 - (1 - false_alarm) / likelier)


@dataclass(frozen=True, kw_only=True)
class Score:
    """How well she does from one mechanism's rates."""

    roc: Estimate  # of her belief: hit rate at each of FALSE_ALARMS
    auc: Estimate
    accuracy: Estimate
    log_loss: Estimate
    advantage: Estimate  # accuracy beyond the model alone
    evidence_roc: Estimate  # of one rate alone; never above roc_ceiling
    evidence_auc: Estimate


def score_days(days: Sequence[BinnedScores], model: Sequence[BinnedScores]) -> Score:
    """Return the scores of the days, each with its interval over days."""
    belief, evidence = np.array([day.belief for day in days]), np.array([day.evidence for day in days])
    sums = np.array([(d.moments, d.right, m.right, d.loss) for d, m in zip(days, model, strict=True)])
    return Score(
        roc=jackknife(belief, roc_curve, 0, 1),
        auc=jackknife(belief, auc, 0, 1),
        accuracy=jackknife(sums, lambda of: of[1] / of[0], 0, 1),
        log_loss=jackknife(sums, lambda of: of[3] / of[0], 0),
        advantage=jackknife(sums, lambda of: (of[1] - of[2]) / of[0], -1, 1),
        evidence_roc=jackknife(evidence, roc_curve, 0, 1),
        evidence_auc=jackknife(evidence, auc, 0, 1),
    )


class ApproximationError(NamedTuple):
    """How far the Gaussian adversary's beliefs are from the exact ones."""

    kept: float | None  # share of the exact gain in log-loss; None where the rates tell next to nothing
    off: float  # |belief − exact belief|, on average


def reference_scenario(scenario: Scenario) -> Scenario:
    """Return the few houses on which she is measured, at the nearest of a few budgets."""
    power = 10.0 ** floor(log10(scenario.epsilon))
    budget = min(
        (power * step for step in REFERENCE_BUDGETS), key=lambda each: abs(log(each / scenario.epsilon))
    )
    few = edit.of_size(scenario, REFERENCE_HOUSES)
    return few.replace(days=REFERENCE_DAYS, epsilon=round(budget, 12))


def approximation_error(
    scenario: Scenario, mechanism: str, inference: Inference = "filtering"
) -> ApproximationError:
    """Return how far the Gaussian adversary is off on a few houses of the same kind, under the true model."""
    day = simulate(edit.of_size(scenario, REFERENCE_HOUSES).replace(days=REFERENCE_DAYS))
    model = day.scenario.model_names[0]
    exact = posterior(day, mechanism, model=model, inference=inference)
    approximate = posterior(day, mechanism, model=model, inference=inference, method="gaussian").belief
    return compare_beliefs(exact.belief, approximate, exact.model_only)


def compare_beliefs(exact: Floats, approximate: Floats, model_only: Floats) -> ApproximationError:
    """Return how far a belief is from the exact one, beside the model's."""
    gain = divergence(exact, model_only)
    kept = 1 - divergence(exact, approximate) / gain if gain > MIN_BELIEF else None
    return ApproximationError(kept, float(np.abs(approximate - exact).mean()))


def divergence(exact: Floats, belief: Floats) -> float:
    """Return the mean of KL(exact ‖ belief): the log-loss that is given away."""
    q, p = (np.clip(belief, MIN_BELIEF, 1 - MIN_BELIEF) for belief in (exact, belief))
    return float((q * np.log(q / p) + (1 - q) * np.log((1 - q) / (1 - p))).mean())
