"""ROC curves from counts."""

import numpy as np

from rtp.core.types import Floats

FALSE_ALARMS = np.linspace(0.0, 1.0, 101)


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
