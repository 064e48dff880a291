"""Many days of the paper's scenario: what is measured, how one day scatters, what the finding says."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.random import default_rng

from rtp import PRESETS, simulate
from rtp.core.stats import LEVEL, spread
from rtp.paper import published
from rtp.paper.reproduction import (
    MECHANISMS,
    PAPER,
    PaperDays,
    as_printed,
    finding,
    many_days,
    mean_period_probabilities,
    measure_day,
    probability_apart,
    rmse,
)
from rtp.street.draw import Street
from rtp.street.schedule import personal_habits
from rtp.street.simulate import replay_houses
from tests.help.paper import paper_days
from tests.help.sentence import exactly


@pytest.fixture(scope="module")
def days() -> PaperDays:
    return paper_days()


def test_the_papers_scenario_is_the_preset_with_independent_noise() -> None:
    assert PAPER.independent_noise
    assert PAPER.replace(independent_noise=False) == PRESETS["paper"]


def test_printed_numbers_know_their_last_digit() -> None:
    for text, value, half_unit in (("1.089e-3", 1.089e-3, 0.5e-6), ("5.5 %", 0.055, 0.5e-3), ("96", 96, 0.5)):
        number = published.printed(text)
        assert number.text == text
        assert number.value == value
        assert number.half_unit == pytest.approx(half_unit)


def test_every_row_is_the_simulated_day_of_its_seed(days: PaperDays) -> None:
    for k in (0, 7):
        day = simulate(PAPER.replace(seed=k))
        for column, name in enumerate(MECHANISMS):
            release = day.release[name]
            assert days.rmsre[k, column] == days.errors(name)[k] == release.rmsre
            assert days.expected[k, column] == release.expected_rmsre
            assert days.scale[k, column] == release.scale.mean()
        assert days.occupancy[k].tolist() == day.occupancy.tolist()
        assert days.consumption[k].tolist() == day.consumption.tolist()
        assert days.largest_bound[k] == max(day.street.occupied_bound.max(), day.street.empty_bound.max())
        both = day.release["naive"], day.release["blowfish"]
        assert days.excess()[k] == both[0].rmsre / both[1].rmsre - 1
        assert days.expected_excess()[k] == both[0].expected_rmsre / both[1].expected_rmsre - 1


def test_days_are_reported_as_they_come_and_can_be_stopped() -> None:
    seen: list[tuple[float, int]] = []
    kept: list[PaperDays] = []

    class Enough(Exception):
        pass

    def report(done: float, so_far: PaperDays) -> None:
        seen.append((done, len(so_far)))
        kept.append(so_far)
        if len(so_far) == 3:
            raise Enough

    with pytest.raises(Enough):
        many_days(PAPER, 10, report)
    assert seen == [(0.1, 1), (0.2, 2), (pytest.approx(0.3), 3)]
    whole = many_days(PAPER, 3)
    for name in PaperDays.__dataclass_fields__:
        assert getattr(kept[-1], name).tolist() == getattr(whole, name).tolist()
    with pytest.raises(ValueError, match=exactly("count is 0; it must be at least 1.")):
        many_days(PAPER, 0)


def test_seeds_wrap_at_their_bound() -> None:
    last = PAPER.replace(seed=2**31 - 1, households=5)
    assert many_days(last, 2).rmsre[1].tolist() == many_days(last.replace(seed=0), 1).rmsre[0].tolist()


def test_the_expected_error_is_the_root_mean_square(days: PaperDays) -> None:
    ratio = (days.rmsre / days.expected) ** 2
    error = ratio.std(axis=0, ddof=1) / len(days) ** 0.5
    assert (np.abs(ratio.mean(axis=0) - 1) < 4 * error).all()


def test_the_range_holds_95_percent_of_the_days(days: PaperDays) -> None:
    values = days.errors("naive")
    span = spread(values)
    assert span.value == values.mean()
    assert np.mean((values >= span.low) & (values <= span.high)) == pytest.approx(LEVEL, abs=1 / len(values))
    assert span.covers(span.low)
    assert not span.covers(span.low * 0.999)
    assert span.covers(span.low * 0.999, slack=span.low * 0.002)


def test_probability_apart_is_counted_over_all_pairs() -> None:
    values = default_rng(1).uniform(1, 2, 57)
    pairs = [max(a, b) >= 1.055 * min(a, b) for i, a in enumerate(values) for b in values[:i]]
    assert probability_apart(values, 0.055).value == pytest.approx(np.mean(pairs))
    assert probability_apart(np.array([1.0, 1.0, 1.0]), 0.055) == (0.0, 0.0, 0.0)
    assert probability_apart(np.array([1.0, 1.055]), 0.055).value == 1.0
    with pytest.raises(ValueError, match=exactly("values has 1 entries; a pair needs two.")):
        probability_apart(np.array([1.0]), 0.055)


def test_the_interval_of_pairs_covers_as_often_as_stated() -> None:
    """Of two exponentials the larger is k times the smaller or more with chance 2/(1 + k)."""
    rng, trials = default_rng(2), 400
    truth = 2 / (1 + 1.5)
    hits = sum(probability_apart(rng.exponential(size=100), 0.5).covers(truth) for _ in range(trials))
    assert hits / trials == pytest.approx(LEVEL, abs=4 * (LEVEL * (1 - LEVEL) / trials) ** 0.5)


def test_two_runs_differ_as_often_as_the_noise_alone_says(days: PaperDays) -> None:
    """Independent of `PaperDays`: one street, many draws of the naive noise."""
    naive = simulate(PAPER).release["naive"]
    noise = naive.scale * default_rng(3).laplace(size=(1000, len(naive.rate)))
    alone = probability_apart(np.sqrt(((noise / naive.optimal) ** 2).sum(axis=1)), published.NAIVE_EXCESS)
    ours = probability_apart(days.errors("naive"), published.NAIVE_EXCESS)
    wide = (alone.high - alone.low) / 2 + (ours.high - ours.low) / 2
    assert abs(alone.value - ours.value) < 2 * wide


def test_period_probabilities_are_those_of_the_simulated_houses() -> None:
    """Houses in one state when a period begins, and whether they change it before it ends."""
    day = simulate(PAPER)
    states, _ = replay_houses(day.street_day.spec, day.street, range(PAPER.households))
    plan = day.street_day.spec.schedules[0][0]
    leave, arrive = personal_habits(plan, day.street.habit_draws, PAPER.habit_spread, PAPER.habit_clip)
    for period, kind, start, steps in ((1, 0, 32, 32), (2, 1, 64, 28), (2, 0, 64, 28)):
        chance = 1 - (1 - (leave, arrive)[kind][period]) ** steps
        assert mean_period_probabilities(day)[period, kind] == pytest.approx(chance.mean())
        there = states[start] == (kind == 0)
        moved = (states[start : start + steps + 1, there] != states[start, there]).any(axis=0)
        sd = np.sqrt((chance[there] * (1 - chance[there])).sum())
        assert abs(moved.sum() - chance[there].sum()) < 4 * sd


def test_with_nobody_dropped_mechanisms_differ_by_the_largest_bound(days: PaperDays) -> None:
    assert not days.dropping.any()
    assert (days.smaller == PAPER.steps).all()
    assert days.expected_excess() == pytest.approx(1 / days.largest_bound - 1, rel=1e-9)


def test_noise_for_the_largest_bound_drawn_is_not_smaller() -> None:
    alike = measure_day(simulate(PAPER.replace(households=5, naive_bound="realised")))
    assert (float(alike["smaller"]), float(alike["dropping"])) == (0.0, 0.0)


def test_numbers_are_said_as_the_paper_prints_them() -> None:
    assert as_printed(0.001089, ".3e") == "1.089e-3"
    assert as_printed(0.055, ".1%") == "5.5 %"
    assert as_printed(-1e-9, ".2%") == "0.00 %"


def test_rmse_by_hand() -> None:
    assert rmse(np.array([1.0, 2.0]), np.array([1.0, 4.0])) == pytest.approx(2**0.5)


def test_the_finding_is_made_of_the_numbers(days: PaperDays) -> None:
    text = finding(days)
    for name in ("naive", "blowfish"):
        span = spread(days.errors(name))
        assert f"{as_printed(span.low, '.3e')} to {as_printed(span.high, '.3e')}" in text
    apart = probability_apart(days.errors("naive"), published.NAIVE_EXCESS)
    assert f"in {as_printed(apart.value, '.0%')} of all pairs of days" in text
    assert f"{as_printed(spread(days.expected_excess()).value, '.2%')} above Blowfish's" in text
    assert "both lie inside" in text
    assert "must protect every house" in text
    assert "within the scatter of single days" in text


def test_the_finding_turns_with_the_numbers(days: PaperDays) -> None:
    better = np.array([1.055, 1.0, 1.0])
    own = finding(replace(days, rmsre=days.rmsre * better, expected=days.expected * better))
    assert "the mechanisms' own" in own
    flat = np.tile(np.linspace(0.99e-3, 1.01e-3, len(days))[:, None], 3)
    certain = finding(replace(days, rmsre=flat, dropping=np.ones(len(days))))
    assert "do not both lie inside" in certain
    assert "must protect every house" not in certain
    assert "it stays open" in certain


def test_a_street_is_drawn_anew_for_every_day(days: PaperDays) -> None:
    assert isinstance(simulate(PAPER).street, Street)
    assert len(set(days.largest_bound.tolist())) == len(days)
