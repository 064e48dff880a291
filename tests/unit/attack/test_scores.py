"""Curves of hits against false alarms, their ceiling, and the intervals over days."""

from math import log

import numpy as np
import pytest
from numpy.random import default_rng

from rtp.attack.scores import (
    FALSE_ALARMS,
    REFERENCE_HOUSES,
    auc,
    bin_scores,
    reference_scenario,
    roc_ceiling,
    score_days,
)
from rtp.scenario import House, Scenario, edit


def test_area_is_the_chance_to_rank_a_pair_right() -> None:
    """Sizes a tenth of a decade apart, of both signs, silence and proof: no two share a bin, so that the area
    is the chance to rank a pair right; and so it is for log-odds."""
    rng = default_rng(5)
    sizes = 10.0 ** np.arange(-8.95, 2, 0.1)
    evidence = rng.permutation(np.concatenate([-sizes, sizes, [0.0, np.inf, -np.inf]]))[:, None]
    occupied = rng.random(evidence.shape) < 0.5
    odds = rng.permutation(np.linspace(-15.9, 15.9, len(evidence)))[:, None]
    counted = bin_scores(occupied, 1 / (1 + np.exp(-odds)), np.full(evidence.shape, 0.5), evidence)
    for counts, told in ((counted.evidence, evidence), (counted.belief, odds)):
        pairs = told[occupied][:, None] > told[~occupied]
        assert auc(counts) == pytest.approx(pairs.mean(), abs=1e-12)


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 2.0, 20.0])
def test_the_ceiling_is_what_randomised_response_reaches(epsilon: float) -> None:
    """An answer that is true with odds e^ε: the corner of its curve lies on the ceiling."""
    truthful = 1 / (1 + np.exp(-epsilon))
    ceiling = roc_ceiling(epsilon, np.array([0.0, 1 - truthful, 0.5, 1.0]))
    assert ceiling[0] == 0
    assert ceiling[1] == pytest.approx(truthful)
    assert ceiling[2] == pytest.approx(1 - np.exp(-epsilon) / 2)
    assert ceiling[3] == 1
    curve = roc_ceiling(epsilon, FALSE_ALARMS)
    assert (np.diff(curve) >= -1e-12).all()
    assert (curve >= FALSE_ALARMS - 1e-12).all()


def test_scores_of_two_days_by_hand() -> None:
    """Four guesses, right, undecided, wrong and sure, and on another day the first two again."""
    occupied = np.array([[True, False], [True, False]])
    belief, prior = np.array([[0.75, 0.5], [0.25, 0.0]]), np.array([[0.5, 0.5], [0.5, 0.1]])
    ratio, even = np.array([[1.0, 0.0], [-1.0, -np.inf]]), np.full((2, 2), 0.5)
    days = [bin_scores(occupied[:n], belief[:n], prior[:n], ratio[:n]) for n in (2, 1)]
    model = [bin_scores(occupied[:n], even[:n], even[:n], 0 * even[:n]) for n in (2, 1)]
    assert [(day.right, day.moments, day.largest) for day in days] == [(2.5, 4, np.inf), (1.5, 2, 1.0)]
    found = score_days(days, model)
    assert found.accuracy.value == pytest.approx(4 / 6)
    assert found.advantage.value == pytest.approx(1 / 6)
    assert found.log_loss.value == pytest.approx((2 * log(4 / 3) + 2 * log(2) + log(4)) / 6)
    assert found.auc.value == pytest.approx((2 * 3 + 1 * 1) / 9)
    assert found.evidence_auc.value == pytest.approx((1.0 * 1.1 + 0.5 * 0.1) / (1.5 * 1.1))
    one = score_days(days[:1], model[:1]).advantage
    assert (float(one.low), float(one.high)) == (-1, 1), "one day has no interval"
    np.testing.assert_allclose(score_days(model, model).roc.value, FALSE_ALARMS, atol=1e-12)
    assert auc(np.zeros((2, 5))) == 0.5
    assert auc(np.array([[1.0, 2.0], [0.0, 4.0]])) == pytest.approx((1 + 2 / 2) / 3), "of a tie half"


def test_a_listed_street_is_measured_on_a_few_drawn_houses() -> None:
    houses = [House(name=f"H{i}", group="Households", occupied=1, empty=0.1) for i in range(40)]
    few = reference_scenario(edit.with_houses(Scenario(), houses))
    assert (few.households, few.houses) == (REFERENCE_HOUSES, None)
