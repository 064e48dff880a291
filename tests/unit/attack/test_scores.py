"""Curves of hits against false alarms, their ceiling, and the intervals over days."""

import numpy as np
import pytest
from numpy.random import default_rng
from scipy.special import bdtr, bdtrc, stdtrit

from rtp.attack.scores import FALSE_ALARMS, auc, bin_scores, roc_ceiling, roc_curve
from rtp.core.stats import jackknife


def test_area_is_the_chance_to_rank_a_pair_right() -> None:
    rng = default_rng(0)
    empty, occupied = rng.integers(0, 6, 40), rng.integers(2, 8, 30)
    counts = np.array([np.bincount(empty, minlength=9), np.bincount(occupied, minlength=9)], dtype=float)
    pairs = np.sign(occupied[:, None] - empty) / 2 + 0.5
    assert auc(counts) == pytest.approx(pairs.mean(), abs=1e-12)


def test_evidence_and_odds_are_counted_in_their_order() -> None:
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


def test_curve_counts_hits_at_every_false_alarm_rate() -> None:
    """Ten empty moments and ten occupied ones: the curve is a staircase whose corners can be counted."""
    empty, occupied = [0, 1, 2, 3, 4, 5, 6, 7, 8, 15], [9, 10, 11, 12, 13, 14, 16, 17, 18, 19]
    counts = np.zeros((2, 20))
    counts[0, empty] = counts[1, occupied] = 1
    found = dict(zip(FALSE_ALARMS.round(2).tolist(), roc_curve(counts).tolist(), strict=True))
    assert found[0.1] == pytest.approx(1.0)
    assert found[0.05] == pytest.approx(
        0.4
    )  # four moments score above the false alarm; a tie is a straight line
    assert found[1.0] == 1.0
    assert auc(counts) == pytest.approx(0.94)


def test_where_nothing_can_be_told_apart_the_curve_is_the_diagonal() -> None:
    np.testing.assert_array_equal(roc_curve(np.zeros((2, 5))), FALSE_ALARMS)
    assert auc(np.zeros((2, 5))) == 0.5
    one_bin = np.zeros((2, 5))
    one_bin[:, 2] = (30, 12)
    np.testing.assert_allclose(roc_curve(one_bin), FALSE_ALARMS, atol=1e-12)
    assert auc(one_bin) == 0.5


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


def test_without_a_promise_the_ceiling_is_perfection() -> None:
    for epsilon in (1e4, np.inf):
        np.testing.assert_allclose(roc_ceiling(epsilon, np.array([0.0, 0.01, 1.0])), [0, 1, 1])


def test_of_a_mean_the_jackknife_is_students_interval() -> None:
    days = default_rng(1).normal(3, 2, size=12)
    counted = np.column_stack([days, np.ones(12)])
    found = jackknife(counted, lambda total: total[0] / total[1])
    half = stdtrit(11, 0.975) * days.std(ddof=1) / np.sqrt(12)
    assert found.value == pytest.approx(days.mean())
    assert found.low == pytest.approx(days.mean() - half)
    assert found.high == pytest.approx(days.mean() + half)


@pytest.mark.slow
def test_intervals_cover_the_truth_as_often_as_they_say() -> None:
    """AUC of normal scores one apart is Φ(1/√2) = 0.76025; days of uneven size. 400 intervals at 95 %.

    How many cover is binomial: a coverage of 95 % falls below the first line, one of 98 % above the second,
    once in 10,000.
    """
    rng, trials = default_rng(2), 400
    edges = np.linspace(-5, 6, 400)
    covered = 0
    for _ in range(trials):
        days = np.array(
            [
                [np.histogram(rng.normal(side, 1, rng.integers(20, 60)), edges)[0] for side in (0, 1)]
                for _ in range(15)
            ],
            dtype=float,
        )
        found = jackknife(days, auc)
        covered += bool(found.low <= 0.76025 <= found.high)
    assert bdtr(covered, trials, 0.95) > 1e-4
    assert bdtrc(covered - 1, trials, 0.98) > 1e-4


def test_one_day_has_no_interval() -> None:
    found = jackknife(np.ones((1, 2)), lambda n: n[0] / n[1], 0, 1)
    assert [float(end) for end in (found.low, found.value, found.high)] == [0, 1, 1]
