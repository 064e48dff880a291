"""What rates can prove, on so few of them that every number is worked out by hand."""

from math import exp, inf, isnan, log, nan, sqrt

import numpy as np
import pytest
from numpy.random import default_rng
from scipy.special import bdtri, gammaincinv

from rtp.audit.checks import (
    Event,
    IndependenceTest,
    RepeatTest,
    cell_width,
    choose_event,
    detectable_loss,
    distribution_test,
    fresh_rates,
    independence_test,
    massart,
    proved_loss,
    repeat_test,
    scale_test,
)
from rtp.core.stats import clopper_pearson

NOISE = np.array([[0.5, -1.5, nan], [1.0, -0.5, nan]])
FULL = np.array([[True, True, True], [True, False, True]])
NOTHING = np.full((2, 3), nan)


def share(n: int, level: float) -> float:
    return float(gammaincinv(n, level) / gammaincinv(n, 0.999))


@pytest.mark.parametrize(
    ("level", "proved", "steps"), [(0.9, True, [0]), (0.58, True, []), (0.57, False, [])]
)
def test_the_width_of_four_rates(level: float, proved: bool, steps: list[int]) -> None:
    """Three of them at full use, of size 1 on average: Γ(3, 1) is below 3 with 1 − 8.5·e⁻³ = 0.577. The first
    two, 0.75 on average: Γ(2, 1) is below 1.5 with 1 − 2.5·e^−1.5 = 0.442, the others with 0.594."""
    found = scale_test(NOISE, FULL, False, level)
    assert found.ratio == 1.0
    assert found.by_step[:2].tolist() == [0.75, 1.0]
    assert isnan(found.by_step[2])
    assert (found.proved, found.steps.tolist()) == (proved, steps)
    assert (found.detectable, found.detectable_at_a_step) == (share(3, level), share(2, level / 2))


def test_where_rates_are_clipped_only_noise_above_zero_has_a_width() -> None:
    found = scale_test(np.array([[0.5, -1.5], [1.0, 0.0]]), np.ones((2, 2), dtype=bool), True, 0.01)
    assert (found.ratio, found.by_step[0]) == (0.75, 0.75)
    assert isnan(found.by_step[1])
    assert found.detectable == found.detectable_at_a_step == share(2, 0.01)
    once = scale_test(np.array([[0.5, -1.5], [1.0, 0.3]]), np.ones((2, 2), dtype=bool), True, 0.01)
    assert (once.by_step[1], once.detectable_at_a_step) == (0.3, share(1, 0.005))


def test_where_no_noise_is_needed_no_width_is_found() -> None:
    found = scale_test(NOTHING, FULL, False, 0.01)
    assert isnan(found.ratio)
    assert (found.proved, len(found.steps), found.detectable, found.detectable_at_a_step) == (
        False,
        0,
        0.0,
        0.0,
    )
    at_less = scale_test(NOISE, np.zeros_like(FULL), False, 0.01)  # full use at none of the rates
    assert isnan(at_less.ratio)
    assert (at_less.proved, at_less.detectable, at_less.detectable_at_a_step) == (False, 0.0, share(2, 0.005))


@pytest.mark.parametrize(("level", "proved"), [(0.25, True), (0.24, False)])
def test_two_of_three_rates_are_small(level: float, proved: bool) -> None:
    """Laplace noise is within 0.2 with 1 − e^−0.2, so ⅔ are too many by 0.485, or by luck with 0.243."""
    noise = np.array([[3.0, -0.2, nan], [0.1, 7.0, nan]])
    found = distribution_test(noise, noise != 7.0, False, level)
    assert (found.size, found.share, found.proved) == (0.2, 2 / 3, proved)
    assert found.expected == pytest.approx(1 - exp(-0.2), rel=1e-15)
    assert found.detectable == pytest.approx((sqrt(log(1 / level)) + sqrt(log(1000))) / sqrt(6), rel=1e-12)
    assert massart(50, exp(-4)) == pytest.approx(0.2, rel=1e-15)


def test_of_no_noise_there_is_no_distribution() -> None:
    found = distribution_test(NOTHING, FULL, False, 0.01)
    assert all(map(isnan, found[:3]))
    assert found[3:] == (False, inf)


def test_three_days_of_which_two_have_the_same_noise() -> None:
    days = np.array([[0.5, 1.0, nan, 2.0], [0.9, -3.0, nan, 4.0], [0.5, 1.0, nan, 2.0]])
    width = cell_width(3, 3, 1e-6)
    assert width == pytest.approx(2 * (1e-6 / 3) ** (1 / 3), rel=1e-12)
    found = repeat_test(days, 0.0, 1e-6)
    assert (found.days, found.pairs) == ((0, 2), 1)
    assert found.detectable == pytest.approx(3 / log(1000), rel=1e-12)
    assert repeat_test(days, 0.499 * width, 1e-6) == found
    assert repeat_test(days, 0.5 * width, 1e-6) == RepeatTest(None, 0, 0.0)  # two draws are not told apart
    assert repeat_test(days[:, :2], 0.0, 1e-6).days == (0, 2)  # of two steps both
    assert repeat_test(days + [0, 0, 0, 1] * np.array([[0], [0], [1]]), 0.0, 1e-6).days is None


@pytest.mark.parametrize(
    ("days", "steps", "level", "width"),
    [
        (2, 3, 0.125, 1.0),
        (2, 1, 0.125, 0.25),
        (2, 2, 0.25, 1.0),
        (3, 4, 1.5e-3, 0.1),
        (1, 3, 0.5, 0),
        (9, 0, 0.5, 0),
    ],
)
def test_days_agree_within_cells_of_a_width(days: int, steps: int, level: float, width: float) -> None:
    assert cell_width(days, steps, level) == pytest.approx(width, rel=1e-12)


def test_reuse_that_would_be_found_follows_from_days_and_pairs_of_steps() -> None:
    """Three pairs of two steps and "always"; of eight days one shows nothing at one step."""
    noise = np.array([[1.0, 1.0], [-1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]] * 2)
    found = independence_test(noise, 0.3)
    assert found.pair is None
    assert found.detectable == pytest.approx((sqrt(log(20)) + sqrt(log(1000))) / 2, rel=1e-6)
    noise[0, 0] = nan
    seven = pytest.approx((sqrt(log(20)) + sqrt(log(1000))) * sqrt(2 / 7), rel=1e-6)
    assert independence_test(noise, 0.3).detectable == seven
    assert independence_test(NOTHING, 0.3) == IndependenceTest(None, inf)


def test_noise_that_is_missing_on_every_other_day_is_not_the_same_on_all() -> None:
    noise = default_rng(1).laplace(size=(200, 4))
    noise[:, 2] = np.where(np.arange(200) % 2, 0.7, 0.0)
    assert independence_test(noise, 0.01).pair is None


@pytest.mark.parametrize(
    ("empty", "occupied", "event"),
    [
        ([0, 0], [1, 1], Event(threshold=0.5, above=True, likelier=True)),
        ([1, 1], [0, 0], Event(threshold=0.5, above=True, likelier=False)),
        ([0, 1], [1, 1], Event(threshold=0.5, above=False, likelier=False)),
        ([1, 1], [0, 1], Event(threshold=0.5, above=False, likelier=True)),
    ],
)
def test_the_event_is_the_one_that_proves_most(empty: list[int], occupied: list[int], event: Event) -> None:
    sides = [np.repeat(np.array(side, dtype=float), 100) for side in (empty, occupied)]
    assert choose_event(sides, 0.99) == event
    assert event.count(np.array([0.4, 0.5, 0.6])) == (1 if event.above else 2)


def test_a_house_told_apart_in_every_rate_proves_what_counting_can() -> None:
    """One release in four is for choosing: of eight with two rates each, twelve rates are left."""
    low, high = clopper_pearson(12, 12, 0.99)[0], clopper_pearson(0, 12, 0.99)[1]
    nothing, bound = np.zeros((8, 2)), np.ones((8, 2))
    expected = pytest.approx(float(np.log(low / high)), rel=1e-12)
    assert proved_loss(nothing, bound, 0.01) == proved_loss(bound, nothing, 0.01) == expected
    assert proved_loss(nothing, nothing, 0.01) == 0.0
    assert proved_loss(nothing[:1], bound, 0.01) == 0.0  # nothing is left to count
    assert fresh_rates(nothing, bound) == 12
    assert fresh_rates(nothing[:5], bound) == fresh_rates(bound, nothing[:5]) == 6
    assert fresh_rates(np.where(np.arange(2) > 0, nothing, nan), bound) == 6


@pytest.mark.parametrize("epsilon", [0.5, 0.02])
def test_the_smallest_loss_that_is_proved_is_where_one_count_more_is_too_many(epsilon: float) -> None:
    """At ½·e^−ℓ the count that still proves ε is exceeded with half of 0.1 %."""
    n, level = 900, 1e-6
    counts = np.arange(n)
    likelier = counts[bdtri(counts, n, 0.0005) <= 0.5][-1]
    low, high = clopper_pearson(likelier, n, 1 - level)[0], clopper_pearson(counts, n, 1 - level)[1]
    most = counts[np.log(low / high) > epsilon][-1]
    expected = -log(2 * bdtri(most, n, 0.9995))
    assert detectable_loss(epsilon, n, level) == pytest.approx(expected, abs=2e-4 * epsilon)


@pytest.mark.parametrize(("epsilon", "n"), [(0.5, 0), (0.0, 900), (inf, 900), (0.5, 10)])
def test_without_rates_or_a_promise_no_loss_is_proved(epsilon: float, n: int) -> None:
    assert detectable_loss(epsilon, n, 1e-6) == inf
