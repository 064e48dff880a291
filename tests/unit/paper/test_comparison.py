"""Published against ours: verdicts follow from numbers, and no published number is left out."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.random import default_rng

from rtp.core.stats import Range, spread
from rtp.paper import comparison, published
from rtp.paper.choices import NOISE_QUESTION
from rtp.paper.comparison import (
    JUDGED,
    ComparisonRow,
    figures,
    habits,
    mean_over_spread,
    reading_range,
    results,
    settings,
    table,
)
from rtp.paper.published import Printed, printed
from rtp.paper.reproduction import PAPER, PaperDays, many_days
from rtp.scenario.habits import step_probabilities
from tests.help.paper import paper_days


@pytest.fixture(scope="module")
def days() -> PaperDays:
    return paper_days()


def row(rows: list[ComparisonRow], quantity: str) -> ComparisonRow:
    return next(r for r in rows if r.quantity == quantity)


def verdict(number: Printed, ours: Range, explained: bool = False) -> str:
    return ComparisonRow("Results", "", number, ours, "g", "", explained).verdict


def test_the_verdict_follows_from_range_last_digit_and_reason() -> None:
    ours = Range(2.0, 1.0, 3.0)
    assert verdict(Printed("1", 1.0, 0.0), ours) == "agrees"
    assert verdict(printed("3.5"), Range(3.0, 2.0, 3.46)) == "agrees"
    assert verdict(printed("3.5"), Range(3.0, 2.0, 3.44)) == "open"
    assert verdict(printed("4"), ours, explained=True) == "explained"
    assert verdict(printed("2"), ours, explained=True) == "agrees"


def test_every_published_number_is_in_the_table(days: PaperDays) -> None:
    rows = table(days)
    numbers = [value for value in vars(published).values() if isinstance(value, Printed)]
    numbers += [number for pair in published.PERIOD_PROBABILITIES.values() for number in pair]
    numbers += published.PERIOD_STARTS.values()
    said = [r.number.text for r in rows]
    for number in numbers:
        assert said.count(number.text) >= sum(other.text == number.text for other in numbers), number
    assert [r.section for r in rows] == sorted([r.section for r in rows], key=list(JUDGED).index)
    assert len({r.quantity for r in rows}) == len(rows)


def test_results_are_the_days_own(days: PaperDays) -> None:
    rows = results(days)
    for quantity, name in (("RMSRE, Blowfish", "blowfish"), ("RMSRE, naive", "naive")):
        assert row(rows, quantity).ours == spread(days.errors(name))
        assert row(rows, quantity).verdict == "agrees"
    excess = row(rows, "Naive error above Blowfish's")
    assert excess.ours == spread(days.expected_excess())
    assert excess.verdict == "explained"
    printed = row(rows, "The same, from the two printed errors")
    assert printed.ours.value == pytest.approx(1.149 / 1.089 - 1)
    assert (printed.verdict, printed.range()) == ("agrees", "")


def test_an_error_beyond_one_days_range_is_open(days: PaperDays) -> None:
    rows = results(replace(days, rmsre=days.rmsre * 2))
    assert row(rows, "RMSRE, naive").verdict == "open"
    flat = replace(days, rmsre=days.expected)
    assert row(results(flat), "Naive error above Blowfish's").verdict == "open"


def test_the_claim_of_less_noise_is_judged_by_dropping(days: PaperDays) -> None:
    quantity = "Steps in which Blowfish drops houses and needs less noise"
    claim = row(results(days), quantity)
    assert (claim.value(), claim.verdict) == ("0", "open")
    assert f"smaller at {PAPER.steps} steps" in claim.why
    assert NOISE_QUESTION in claim.why
    assert row(results(replace(days, dropping=days.dropping + 5)), quantity).verdict == "agrees"


def test_figure_rows_hold_the_digitised_curves(days: PaperDays) -> None:
    hour, occupancy, consumption = published.figure2()
    rows = figures(days)
    for name, theirs, ours in (
        ("2a, mean occupancy", occupancy, days.occupancy),
        ("2b, mean consumption", consumption, days.consumption),
    ):
        for clock in ("00:00", "07:00", "08:00", "16:00", "23:00", "23:45"):
            step = int(np.flatnonzero(hour == int(clock[:2]) + int(clock[3:]) / 60)[0])
            found = row(rows, f"{name} at {clock}")
            assert found.number.text == f"{theirs[step]:.4f}"
            assert found.ours == spread(ours[:, step])
    edge = row(rows, "2a, mean occupancy at 07:00")  # where the street wakes up, and the curve is steep
    assert edge.verdict == "explained"
    assert row(rows, "2a, mean occupancy at 16:00").verdict == "agrees"


def test_a_reading_may_be_a_quarter_step_off() -> None:
    """A step of height 8 between two steps: a reading beside it may have taken 2 of it, and no more."""
    curves = np.tile([0.0, 0.0, 8.0, 8.0, 4.0], (3, 1))
    low, high = reading_range(curves)
    assert low.tolist() == [0.0, 0.0, 6.0, 7.0, 4.0]
    assert high.tolist() == [0.0, 2.0, 8.0, 8.0, 5.0]


def test_a_figure_read_too_far_off_is_open(days: PaperDays) -> None:
    """Ours shifted by a step: at the steep edge no quarter of a step explains it."""
    late = replace(days, occupancy=np.roll(days.occupancy, 1, axis=1))
    assert row(figures(late), "2a, mean occupancy at 08:00").verdict == "open"
    assert row(figures(days), "2a, mean occupancy at 08:00").verdict == "agrees"


def test_stated_chances_agree_exactly_where_households_are_alike(days: PaperDays) -> None:
    varied = habits(days)
    assert row(varied, "Noon: chance to come home").verdict == "explained"
    assert row(varied, "Noon: chance to leave").verdict == "agrees"
    alike = habits(many_days(PAPER.replace(habit_spread=0.0), 2))
    for r in alike:
        assert r.verdict == "agrees", r
        assert r.ours.value == pytest.approx(r.number.value)
    assert [r.quantity for r in varied][-2:] == ["Night: chance to go to sleep", "Night: chance to get up"]


def test_habits_that_are_not_the_papers_are_open(days: PaperDays) -> None:
    """Every chance 50 %, in the houses or in the scenario they are drawn from: nothing explains that."""
    assert {
        r.verdict
        for r in habits(replace(days, period_probabilities=np.full_like(days.period_probabilities, 0.5)))
    } == {"open"}
    own = PAPER.models[0].habits[0]
    evenly = own.replace(periods=tuple(p.replace(matrix=((0.5, 0.5), (0.5, 0.5))) for p in own.periods))
    other = PAPER.replace(models=(PAPER.models[0].replace(habits=(evenly,)),))
    assert {r.verdict for r in habits(many_days(other, 5))} == {"open"}
    # The reason must be of the right size, too: twice the shift is not explained by it.
    stated = np.array([[number.value for number in pair] for pair in published.PERIOD_PROBABILITIES.values()])
    further = replace(
        days,
        period_probabilities=days.period_probabilities + (days.period_probabilities.mean(axis=0) - stated),
    )
    assert row(habits(further), "Noon: chance to come home").verdict == "open"


def test_the_mean_over_spread_is_that_of_many_houses() -> None:
    steps, sd, n = 32, 0.01, 100_000
    number = published.PERIOD_PROBABILITIES["Noon"][1]
    _, per_step = step_probabilities(PAPER.models[0].habits[0].periods[1], steps)
    chances = 1 - (1 - np.clip(per_step + sd * default_rng(6).standard_normal(n), 1e-6, 1)) ** steps
    assert abs(mean_over_spread(number, steps, sd) - chances.mean()) < 4 * chances.std() / n**0.5
    assert mean_over_spread(number, steps, 0.0) == pytest.approx(number.value)


def test_only_what_was_computed_is_counted_as_such(days: PaperDays) -> None:
    kinds = {r.quantity: r.kind for r in table(days)}
    assert {q for q, kind in kinds.items() if kind == "setting"} == {r.quantity for r in settings()}
    assert [q for q, kind in kinds.items() if kind == "arithmetic"] == [
        "The same, from the two printed errors"
    ]


def test_settings_are_the_scenarios_and_a_changed_one_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    assert all(r.verdict == "agrees" for r in settings())
    monkeypatch.setattr(comparison, "PAPER", PAPER.replace(epsilon=0.49, households=1001))
    assert {r.quantity for r in settings() if r.verdict == "open"} == {
        "Households N",
        "Privacy budget ε",
        "Naive noise scale α·u_max/ε",
    }


def test_the_naive_scale_is_slope_times_bound_over_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in (("ALPHA", "3"), ("OCCUPIED_MAX", "2"), ("EPSILON", "0.5")):
        monkeypatch.setattr(published, name, printed(text))
    changed = PAPER.groups[0].replace(occupied_max=2.0)
    monkeypatch.setattr(comparison, "PAPER", PAPER.replace(alpha=3.0, groups=(changed,)))
    scale = row(settings(), "Naive noise scale α·u_max/ε")
    assert (scale.number.text, scale.ours.value, scale.verdict) == ("12", 12.0, "agrees")
