"""Exposure of a long street against exact linear theory, which knows of no beliefs, filters or drawn days.

What a house's state at a step means for every reading of the day, and the covariance of all readings, follow
from the model in closed form. The best linear test of the two answers then lies d standard deviations apart,
and is right Φ(d/√2) of the time. In a crowd of 180 next to nothing is gained by a test that is not linear.
"""

import numpy as np
import pytest
from scipy.special import ndtr

from rtp.core.types import Floats
from rtp.exposure import exposure
from rtp.exposure.secrets import Record, records
from rtp.scenario import PRESETS

FEEDER = PRESETS["feeder"]
RAREST = 0.05
BEYOND = 0.02  # what a test that is not linear may gain or lose here


@pytest.mark.long
def test_a_long_street_is_read_as_well_as_linear_theory_says_and_at_the_worst_place() -> None:
    found = exposure(FEEDER, "moment", "outsider", rarest=RAREST).by_group
    best = [_linear_areas(record) for record in records(FEEDER, "moment", FEEDER.seed)]
    for number, group in enumerate(FEEDER.groups):
        expected = max(areas[number] for areas in best)
        area = found[group.name].at("optimal")
        assert area.covers(expected, BEYOND), (group.name, area, expected)


def _linear_areas(record: Record) -> Floats:
    """The largest area of each group, over its houses and open steps, without noise."""
    occupied, chains = record.occupied, record.chains
    (if_empty, if_occupied), (v0, v1) = record.street.moments(record.houses)
    gap = if_occupied - if_empty
    states = _covariance(occupied * (1 - occupied), (1 - chains.leave - chains.arrive)[chains.row])
    readings = states @ gap**2 + np.diag((occupied * v1 + (1 - occupied) * v0).sum(axis=1))
    solved = np.linalg.inv(readings)
    variance = np.einsum("tti->ti", states)
    moved = states / np.maximum(variance, 1e-12)[:, None] * gap  # of every reading, by the state at each step
    told = np.einsum("ati,ab,bti->ti", moved.swapaxes(0, 1), solved, moved.swapaxes(0, 1), optimize=True)
    d2 = told / (1 - variance * told)  # the state itself is no longer uncertain
    area = np.where(record.open_to(RAREST), ndtr(np.sqrt(d2 / 2)), 0.0)
    group = record.street.group[record.houses]
    return np.array([area[:, group == g].max() for g in np.unique(group)])


def _covariance(variance: Floats, persistence: Floats) -> Floats:
    """Cov of every house's states at any two steps, (T, T, n): a chain forgets by its persistence."""
    steps = len(variance)
    result = np.zeros((steps, *variance.shape))
    for first in range(steps):
        result[first, first] = variance[first]
        for later in range(first + 1, steps):
            result[first, later] = result[later, first] = result[first, later - 1] * persistence[later - 1]
    return result
