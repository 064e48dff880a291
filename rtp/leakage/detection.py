"""How well scores tell a secret from an ordinary life: areas under the ROC curve, hits at few false alarms.

Repetitions are counted in batches; the intervals come from leaving out one batch at a time. An area of ½ is
guessing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rtp.attack import roc
from rtp.core.stats import Estimate, jackknife
from rtp.core.types import Floats

BATCHES = 20
FEW_ALARMS = 0.05
LEVELS = 400  # quantiles of all scores by which they are counted


@dataclass(frozen=True, kw_only=True)
class Detection:
    """How well one observer tells the secret from one mechanism's rates, after each horizon; (H,)."""

    days: tuple[int, ...]
    area: Estimate
    hits: Estimate  # at 5 % false alarms


def detection(days: Sequence[int], pairs: Sequence[tuple[Estimate, Estimate]]) -> Detection:
    area, hits = (
        Estimate(
            **{end: np.array([getattr(pair[k], end) for pair in pairs]) for end in ("value", "low", "high")}
        )
        for k in (0, 1)
    )
    return Detection(days=tuple(days), area=area, hits=hits)


def judge(scores: Floats) -> tuple[Estimate, Estimate]:
    """(area, hits at 5 % false alarms) of scores (2, R), ordinary lives first."""
    levels = np.linspace(0, 1, LEVELS + 1)[1:-1]
    edges = np.unique(np.quantile(scores, levels, method="nearest"))
    bins = np.searchsorted(edges, scores, side="left")
    batch = np.arange(scores.shape[1]) % BATCHES
    cell = (2 * batch + np.array([[0], [1]])) * (len(edges) + 1) + bins
    shape = BATCHES, 2, len(edges) + 1
    counts = np.bincount(cell.ravel(), minlength=BATCHES * 2 * (len(edges) + 1)).reshape(shape).astype(float)
    return jackknife(counts, roc.area, 0, 1), jackknife(counts, _hits, 0, 1)


def _hits(counts: Floats) -> float:
    return float(np.interp(FEW_ALARMS, roc.FALSE_ALARMS, roc.curve(counts)))
