"""Published against ours: verdicts follow from numbers, and no published number is left out."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.random import default_rng

from rtp import simulate
from rtp.core.stats import LEVEL, Range, spread
from rtp.output.paper import JUDGED, agreement_words
from rtp.paper import comparison, published
from rtp.paper.comparison import (
    PAPER,
    PaperDays,
    probability_apart,
    rmse,
)
from rtp.paper.published import Printed, figure2, printed
from rtp.scenario.habits import step_probabilities
from tests.help.paper import paper_days


@pytest.fixture(scope="module")
def days() -> PaperDays:
    return paper_days()


def row(rows: list[comparison.ComparisonRow], quantity: str) -> comparison.ComparisonRow:
    return next(r for r in rows if r.quantity == quantity)


@pytest.mark.parametrize("explained", [False, True])
def test_a_verdict_follows_from_range_digit_and_reason(explained: bool) -> None:
    for high, verdict in ((3.46, "agrees"), (3.44, "explained" if explained else "open")):
        ours = Range(3.0, 2.0, high)
        found = comparison.ComparisonRow("Results", "", printed("3.5"), ours, "g", "average", (), explained)
        assert found.verdict == verdict


def test_every_published_number_is_in_the_table(days: PaperDays) -> None:
    rows = comparison.table(days)
    numbers = [value for value in vars(published).values() if isinstance(value, Printed)]
    numbers += [number for pair in published.PERIOD_PROBABILITIES.values() for number in pair]
    numbers += published.PERIOD_STARTS.values()
    said = [r.number.text for r in rows]
    for number in numbers:
        assert said.count(number.text) >= sum(other.text == number.text for other in numbers), number
    assert len({r.quantity for r in rows}) == len(rows)
    assert {r.section for r in rows} == set(JUDGED)


def test_figure_rows_hold_the_digitised_curves(days: PaperDays) -> None:
    rows = comparison.figures(days)
    _, *theirs = published.figure2()
    steps = (0, 28, 32, 64, 92, 95)  # midnight, where the periods begin, and the last one
    curves = zip(theirs, (days.occupancy, days.consumption), strict=True)
    expected = [(curve[step], spread(ours[:, step])) for curve, ours in curves for step in steps]
    assert [(r.number.value, r.ours) for r in rows] == expected
    assert row(rows, "2a, mean occupancy at 07:00").verdict == "explained"  # where the curve is steep
    assert row(rows, "2a, mean occupancy at 08:00").verdict == "agrees"
    late = comparison.figures(replace(days, occupancy=np.roll(days.occupancy, 1, axis=1)))
    assert row(late, "2a, mean occupancy at 08:00").verdict == "open"  # no quarter of a step explains a step


def test_a_reading_may_be_a_quarter_step_off() -> None:
    """A step of height 8 between two steps: a reading beside it may have taken 2 of it, and no more."""
    low, high = comparison.reading_range(np.tile([0.0, 0.0, 8.0, 8.0, 4.0], (3, 1)))
    assert low.tolist() == [0.0, 0.0, 6.0, 7.0, 4.0]
    assert high.tolist() == [0.0, 2.0, 8.0, 8.0, 5.0]
    assert comparison.steps_inside(np.array([0.0, 2.1, 8.0, 6.9, 5.0]), (low, high)) == 3


def test_habits_that_are_not_the_papers_are_open(days: PaperDays) -> None:
    """Every chance 50 %, and twice the shift that differing households explain."""
    chances = days.period_probabilities
    even = comparison.habits(replace(days, period_probabilities=np.full_like(chances, 0.5)))
    assert {r.verdict for r in even} == {"open"}
    stated = np.array([[number.value for number in pair] for pair in published.PERIOD_PROBABILITIES.values()])
    further = comparison.habits(replace(days, period_probabilities=chances + (chances.mean(axis=0) - stated)))
    assert row(further, "Noon: chance to come home").verdict == "open"


def test_the_mean_over_spread_is_that_of_many_houses() -> None:
    steps, sd, n = 32, 0.01, 100_000
    number = published.PERIOD_PROBABILITIES["Noon"][1]
    _, per_step = step_probabilities(PAPER.models[0].habits[0].periods[1], steps)
    chances = 1 - (1 - np.clip(per_step + sd * default_rng(6).standard_normal(n), 1e-6, 1)) ** steps
    assert abs(comparison.mean_over_spread(number, steps, sd) - chances.mean()) < 4 * chances.std() / n**0.5
    assert comparison.mean_over_spread(number, steps, 0.0) == pytest.approx(number.value)


def test_a_setting_is_not_counted_and_a_changed_one_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not any(r.is_result for r in comparison.settings())
    assert {r.verdict for r in comparison.settings()} == {"agrees"}
    monkeypatch.setattr(comparison, "PAPER", PAPER.replace(epsilon=0.49, households=1001))
    changed = [r.quantity.split()[0] for r in comparison.settings() if r.verdict == "open"]
    assert changed == ["Households", "Privacy", "Naive"]


def test_only_results_are_counted_and_how_surely(days: PaperDays) -> None:
    """Twelve readings of the figure, two errors, their difference and a claim: what is put in proves nothing.
    The interval of forty days holds the count of forty others and of both."""
    first, others = (
        comparison.table(PaperDays(**{name: array[part] for name, array in vars(days).items()}))
        for part in (slice(40), slice(40, 80))
    )
    results = [each for each in first if each.is_result]
    assert len(results) == 16
    assert not {each.section for each in results} & {"Habits", "Settings"}
    count = comparison.agreeing(first)
    assert count.value == sum(each.verdict == "agrees" for each in results)
    assert count.low < count.high, "another draw of the days may count one more or less"
    for rows in (others, comparison.table(days)):
        assert count.low <= comparison.agreeing(rows).value <= count.high
    assert f"{count.low:.0f} to {count.high:.0f}" in agreement_words(first)


# The paper's own day, once and many times: its figure, its errors, and how far one day scatters


def test_expected_occupancy_is_the_published_figure() -> None:
    """And mean consumption, over ten streets: one street's scatter is about as large as the tolerance."""
    _, occupancy, consumption = figure2()
    assert rmse(simulate(PAPER).expected_occupancy, occupancy) <= 0.015
    ours = np.mean([simulate(PAPER.replace(seed=seed)).consumption for seed in range(10)], axis=0)
    assert rmse(ours, consumption) <= 0.006


def test_probability_apart_is_counted_over_all_pairs() -> None:
    values = default_rng(1).uniform(1, 2, 57)
    pairs = [max(a, b) >= 1.055 * min(a, b) for i, a in enumerate(values) for b in values[:i]]
    assert probability_apart(values, 0.055).value == pytest.approx(np.mean(pairs))
    assert probability_apart(np.array([1.0, 1.0, 1.0]), 0.055) == (0.0, 0.0, 0.0)
    assert probability_apart(np.array([1.0, 1.055]), 0.055).value == 1.0
    with pytest.raises(ValueError, match="values has 1"):
        probability_apart(np.array([1.0]), 0.055)


def test_the_interval_of_pairs_covers_as_often_as_stated() -> None:
    """Of two exponentials the larger is k times the smaller or more with chance 2/(1 + k)."""
    rng, trials = default_rng(2), 400
    truth = 2 / (1 + 1.5)
    hits = sum(probability_apart(rng.exponential(size=100), 0.5).covers(truth) for _ in range(trials))
    assert hits / trials == pytest.approx(LEVEL, abs=4 * (LEVEL * (1 - LEVEL) / trials) ** 0.5)


def test_with_nobody_dropped_mechanisms_differ_by_the_largest_bound() -> None:
    days = paper_days()
    assert not days.dropping.any()
    assert (days.smaller == PAPER.steps).all()
    assert days.expected_excess() == pytest.approx(1 / days.largest_bound - 1, rel=1e-9)
