"""From a day's counts to numbers that say how well she does, each with its interval over days."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rtp.attack import roc
from rtp.attack.roc import Tally
from rtp.core.stats import Estimate, jackknife
from rtp.core.types import Floats


@dataclass(frozen=True, kw_only=True)
class Score:
    """How well she does from one mechanism's rates."""

    roc: Estimate  # of her belief: hit rate at each of roc.FALSE_ALARMS
    auc: Estimate
    accuracy: Estimate
    log_loss: Estimate
    advantage: Estimate  # accuracy beyond the model alone
    evidence_roc: Estimate  # of one rate alone; never above roc.ceiling
    evidence_auc: Estimate


def score(days: Sequence[Tally], model: Sequence[Tally]) -> Score:
    """From counts to numbers, each with its interval over days."""
    belief, evidence = np.array([day.belief for day in days]), np.array([day.evidence for day in days])
    sums = np.array([(d.moments, d.right, m.right, d.loss) for d, m in zip(days, model, strict=True)])
    return Score(
        roc=jackknife(belief, roc.curve, 0, 1),
        auc=jackknife(belief, roc.area, 0, 1),
        accuracy=jackknife(sums, _accuracy, 0, 1),
        log_loss=jackknife(sums, _log_loss, 0),
        advantage=jackknife(sums, _advantage, -1, 1),
        evidence_roc=jackknife(evidence, roc.curve, 0, 1),
        evidence_auc=jackknife(evidence, roc.area, 0, 1),
    )


# The sums of a day: (moments, right, right by the model alone, loss).


def _accuracy(sums: Floats) -> float:
    return float(sums[1] / sums[0])


def _advantage(sums: Floats) -> float:
    return float((sums[1] - sums[2]) / sums[0])


def _log_loss(sums: Floats) -> float:
    return float(sums[3] / sums[0])
