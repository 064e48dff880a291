"""Ranges and intervals, against the laws that define them and numbers worked out by hand."""

import numpy as np
import pytest
from numpy.random import default_rng
from scipy.special import bdtr, bdtrc, ndtr, stdtr

from rtp.core.stats import (
    clopper_pearson,
    jackknife,
    middle,
    normal_width,
    right_guesses,
    spread,
    student_width,
)
from rtp.core.types import Floats


def test_middle_and_spread_leave_as_much_below_as_above() -> None:
    values = np.column_stack([np.arange(201.0), np.arange(201.0) ** 2])  # quantile q lies at 200·q
    for low, high in (middle(values), middle(values.T, axis=1)):
        np.testing.assert_allclose(low, [5.0, 25.0])
        np.testing.assert_allclose(high, [195.0, 195.0**2])
    np.testing.assert_allclose(spread(values[:, 1]), (values[:, 1].mean(), 25.0, 195.0**2))


@pytest.mark.parametrize("samples", [2, 3, 10, 1000])
def test_widths_leave_a_fortieth_beyond_them(samples: int) -> None:
    assert stdtr(samples - 1, -student_width(samples)) == pytest.approx(0.025, rel=1e-10)
    assert ndtr(-normal_width()) == pytest.approx(0.025, rel=1e-10)


@pytest.mark.parametrize(
    ("hits", "n"), [(0, 10), (1, 10), (5, 10), (10, 10), (0, 1), (1, 1), (37, 1000), (137, 100_000)]
)
@pytest.mark.parametrize("confidence", [0.95, 0.999])
def test_clopper_and_pearson_leave_half_of_the_rest_on_each_side(
    hits: int, n: int, confidence: float
) -> None:
    """At the lower bound so many hits or more, at the upper so many or fewer, have just that chance."""
    low, high = clopper_pearson(hits, n, confidence)
    tail = pytest.approx((1 - confidence) / 2, rel=1e-9)
    assert bdtrc(hits - 1, n, low) == tail if hits else low == 0
    assert bdtr(hits, n, high) == tail if hits < n else high == 1


def ratio(total: Floats) -> Floats:
    return np.asarray(total[0] / total[1])


def test_the_jackknife_of_a_mean_is_students_interval() -> None:
    """Leaving out one day at a time gives the textbook's standard error of a mean exactly."""
    values = default_rng(1).normal(3.0, 2.0, 12)
    days = np.column_stack([values, np.ones(12)])  # each day: a sum and a count
    found = jackknife(days, ratio)
    reach = 2.200985 * values.std(ddof=1) / np.sqrt(12)
    assert found.value == pytest.approx(values.mean())
    assert found.low == pytest.approx(values.mean() - reach)
    assert found.high == pytest.approx(values.mean() + reach)


def test_one_day_says_nothing_and_an_end_is_kept() -> None:
    one, two = np.array([[0.3, 1.0]]), np.array([[0.0, 1.0], [1.0, 1.0]])
    assert (float(jackknife(one, ratio).low), float(jackknife(one, ratio).high)) == (-np.inf, np.inf)
    for days in (one, two):
        kept = jackknife(days, ratio, low=0.0, high=1.0)
        assert (float(kept.low), float(kept.high)) == (0.0, 1.0)


def test_a_guess_is_right_on_the_side_of_the_truth_and_half_right_on_neither() -> None:
    belief, occupied = np.array([0.9, 0.1, 0.6, 0.4, 0.5]), np.array([True, True, False, False, True])
    assert right_guesses(belief, occupied).tolist() == [1, 0, 0, 1, 0.5]
