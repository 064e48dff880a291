"""Real demand through every mechanism, against a hand calculation on a feeder of three houses."""

from dataclasses import replace

import numpy as np
import pytest

import rtp
from rtp.audit.exact import exact_loss
from rtp.core.formatting import plain
from rtp.leakage.moment import moment_leakage
from rtp.mechanisms import REGISTRY, UNPROTECTED
from rtp.mechanisms.calibrated import calibrate
from rtp.meters import learn
from rtp.meters.answering import replay_moments_frame, replay_words
from rtp.meters.replaying import (
    Replay,
    expected_moments,
    filled_in,
    groups_of,
    learned_distributions,
    occupancy_given,
    replay,
)
from rtp.scenario import Group, House, ScenarioError, edit
from rtp.simulation import street_spec
from rtp.street.moments import DemandMoments, block_moments
from tests.help.sentence import exactly
from tests.unit.meters.streets import as_readings, known_street

STREET = rtp.Scenario(alpha=0.5, beta=10.0, epsilon=2.0, groups=(Group(occupied_max=3.0, empty_max=1.0),))


def hourly(*houses: list[float]) -> np.ndarray:
    """A day of hours: the first values, then 1 kW."""
    return np.array([own + [1.0] * (24 - len(own)) for own in houses])


def test_rates_errors_and_bills_by_hand() -> None:
    """Three houses, a day of hours. At one o'clock they use 2 + 3 + 0.5 (5 is cut at 3): 12.75."""
    power = hourly([1.0, 2.0], [1.0, 5.0], [3.0, 0.5])  # what is at its bound is not cut
    found = replay(as_readings(power, 60), STREET)
    cut = np.minimum(power, 3.0)
    demand = np.repeat(cut.sum(axis=0), 4)
    np.testing.assert_allclose(found.demand, demand)
    optimal = 0.5 * demand + 10
    np.testing.assert_allclose(found.rate(UNPROTECTED), optimal)
    assert found.rate(UNPROTECTED)[4] == pytest.approx(12.75)
    assert (found.cut, found.cut_houses, found.filled) == (1, 1, 0.0)
    assert found.cut_energy == pytest.approx(2 / power.sum())
    leak = moment_leakage(found.pieces[0], "naive")
    assert replay_moments_frame(found).loc["Naive"].to_dict() == {
        "Worst moment, exactly": plain(leak.worst),
        "Theorem 2 allows": plain(leak.theorem_2),
    }
    for name in REGISTRY:
        rate = found.rate(name)
        assert found.error(name) == pytest.approx(np.sqrt(np.mean(((rate - optimal) / optimal) ** 2)))
        bills = [sum(rate[4 * h : 4 * h + 4].mean() * cut[i, h] for h in range(24)) for i in range(3)]
        np.testing.assert_allclose(found.paid[name], bills)
        np.testing.assert_allclose(
            found.bill_change(name),
            found.paid[name] - [sum(optimal[4 * h] * cut[i, h] for h in range(24)) for i in range(3)],
        )


def test_noise_covers_the_stated_bound_whatever_was_read() -> None:
    """The scale of Algorithm 1 is α·u/ε with the stated u; half the use changes the demand only."""
    power = hourly([0.1, 0.2], [0.3, 0.1], [0.2, 0.5])
    one, half = replay(as_readings(power, 60), STREET), replay(as_readings(power / 2, 60), STREET)
    np.testing.assert_allclose(one.scale("blowfish"), 0.5 * 3.0 / 2.0)
    for name in REGISTRY:
        assert np.array_equal(one.scale(name), half.scale(name))


def test_gaps_are_filled_with_the_houses_own_mean_at_that_hour_and_counted() -> None:
    power = np.concatenate([hourly([1.0, 2.0]), hourly([1.0, 4.0]), hourly([1.0, 1.0])], axis=1)
    power[0, 49] = np.nan
    readings = as_readings(power, 60)
    full, missing = filled_in(readings)
    assert full[0, 49] == pytest.approx(3.0)
    assert missing.sum() == 1
    assert replay(readings, STREET).filled == pytest.approx(1 / 72)


def test_an_hour_that_never_was_read_is_filled_with_the_houses_mean_and_a_silent_house_with_nothing() -> None:
    power = np.stack([np.tile(np.arange(24.0), 2), np.full(48, np.nan)])
    power[0, [3, 27, 30]] = np.nan
    full, missing = filled_in(as_readings(power, 60))
    assert full[0, [3, 27]].tolist() == pytest.approx([(2 * 276 - 3 - 3 - 6) / 45] * 2)
    assert full[0, 30] == 6.0
    assert not full[1].any()
    assert missing.sum() == 51


def test_a_house_that_ended_early_is_named_as_filled() -> None:
    power = np.ones((3, 4 * 24))
    power[1, 2 * 24 - 1 :] = np.nan  # less than two days of four were read
    power[2, 2 * 24 :] = np.nan  # two
    found = replay(as_readings(power, 60), STREET)
    assert found.mostly_filled == ("h1",)
    assert replay_words(found) == (
        "No reading is above its bound; 33.7 % of the readings are missing and were filled with the house's "
        "usual use. **More is filled in than was read** of h1."
    )


def test_what_is_cut_is_counted_by_readings_houses_and_energy() -> None:
    power = hourly([4.0, 5.0], [3.5], [1.0]) * np.array([[1.0], [1.0], [0.0]])
    found = replay(as_readings(power, 60), STREET)
    assert (found.cut, found.cut_houses) == (3, 2)
    assert found.cut_energy == pytest.approx(3.5 / (31.0 + 26.5))
    assert replay_words(found) == (
        "**Cut, because above the bound: 3 readings**, in 2 of the houses, 6.09 % of the energy; 0 % of the "
        "readings are missing and were filled with the house's usual use."
    )
    assert replay(as_readings(np.zeros((2, 24)), 60), STREET).cut_energy == 0.0


def test_a_small_bill_changes_by_its_own_share_and_none_by_nothing() -> None:
    power = np.array([[1e-3] * 24, [0.0] * 24])
    found = replay(as_readings(power, 60), STREET)
    small = found.paid[UNPROTECTED][0]
    assert small < 1
    assert found.bill_share("naive").tolist() == [found.bill_change("naive")[0] / small, 0.0]


def test_houses_pay_for_what_the_price_leaves_of_their_use() -> None:
    elastic = STREET.replace(elasticity=0.8)
    found = replay(as_readings(hourly([2.0], [0.5]), 60), elastic)
    (day,) = found.pieces
    left = day.market.tariff.responses(found.rate("naive"))
    assert not np.allclose(left, 1.0)
    hours = (found.rate("naive") * left).reshape(24, 4).mean(axis=1)
    np.testing.assert_allclose(found.paid["naive"], hourly([2.0], [0.5]) @ hours)


def test_a_house_that_a_scenario_does_not_list_is_of_its_first_group() -> None:
    groups = tuple(STREET.groups[0].replace(name=name, share=0.5) for name in ("First", "Second"))
    model = STREET.models[0].replace(habits=2 * STREET.models[0].habits)
    two = STREET.replace(households=3, groups=groups, models=(model,))
    listed = edit.with_houses(two, [House(name="h1", group="Second", occupied=3.0, empty=1.0)])
    assert groups_of(["h0", "h1", "h2"], listed, None).tolist() == [0, 1, 0]
    assert groups_of(["a", "b", "c", "d"], two, None).tolist() == [0, 0, 1, 1]


def test_a_step_is_occupied_where_half_of_it_is() -> None:
    states = np.array([[1, 0, 0, 0, 1, 1, -1, 1] * 6], dtype=np.int8)
    given = occupancy_given(as_readings(np.ones((1, 48)), 30, states), 60)
    assert given is not None
    np.testing.assert_array_equal(given[0, :4], [1.0, 0.0, 1.0, np.nan])
    assert occupancy_given(as_readings(np.ones((1, 48)), 30), 60) is None


def test_a_day_a_week_and_all_of_it() -> None:
    """Pieces of four weeks, each with noise of its own; a chosen day is that day."""
    power = np.tile(hourly([0.5], [0.7]), 60)
    power[:, 24 * 7 : 24 * 8] = 0.25
    readings = as_readings(power, 60)
    day = replay(readings, STREET, first=7, days=1)
    assert (day.days, day.first_date) == (1, "2024-05-13")
    np.testing.assert_allclose(day.demand, 0.5)
    told: list[float] = []
    whole = replay(readings, STREET.replace(seed=2**31 - 2), progress=told.append)
    assert told == [28 / 60, 56 / 60, 1.0]
    assert [piece.scenario.days for piece in whole.pieces] == [28, 28, 4]
    assert [piece.scenario.seed for piece in whole.pieces] == [2**31 - 2, 2**31 - 1, 0]
    assert [piece.scenario.first_weekday for piece in whole.pieces] == ["Monday"] * 3
    table = whole.frame()
    assert list(table["time"].iloc[[0, 1, -1]]) == [
        "2024-05-06 00:00",
        "2024-05-06 00:15",
        "2024-07-04 23:45",
    ]
    assert list(table)[1:4] == ["demand_kW", "optimal_rate", "optimal_scale"]
    assert len(table) == 60 * 96
    first, second = (
        piece.release["naive"].rate - piece.release["naive"].optimal for piece in whole.pieces[:2]
    )
    assert not np.array_equal(first, second)
    assert replay(readings, STREET, first=59).days == 1
    for start, days, sentence in (
        (0, 61, "days is 61; it must be a whole number from 1 to 60."),
        (7, 54, "days is 54; it must be a whole number from 1 to 53."),
        (0, 0, "days is 0; it must be a whole number from 1 to 60."),
        (60, None, "first is 60; it must be a whole number from 0 to 59."),
        (-1, None, "first is -1; it must be a whole number from 0 to 59."),
    ):
        with pytest.raises(ScenarioError, match=exactly(sentence)):
            replay(readings, STREET, first=start, days=days)


def test_expected_moments_equal_the_streets_own_for_uniform_use() -> None:
    """With means u/2 and variances u²/12 they are the moments that the drawn street has."""
    scenario = STREET.replace(households=4, habit_spread=0.0)
    spec = street_spec(scenario)
    highest = np.array([[1.0, 0.5, 0.2, 0.8], [3.0, 2.0, 1.5, 0.4]])
    street = replace(spec.draw(), empty_bound=highest[0], occupied_bound=highest[1])
    ours = expected_moments(spec.schedules[0], street, 96)
    chances = spec.transition_probabilities(street, 0, spec.blocks[0])
    theirs = block_moments(spec.schedules[0][0], *chances, highest / 2, highest**2 / 12, 96)
    for name, value in zip(DemandMoments.__dataclass_fields__, theirs, strict=True):
        np.testing.assert_allclose(getattr(ours, name)[0], value, rtol=1e-9, err_msg=name)


@pytest.mark.long
def test_learned_habits_make_the_forecast_good() -> None:
    """Stated bounds are far above what is used: a uniform law is far off, the learned one is near."""
    street = known_street(30, 28, 60, 9)
    learned = learn(street.readings, resamples=1)
    scenario = learned.scenario(STREET, 14.0, 0.5)
    blind, seeing = replay(street.readings, scenario), replay(street.readings, scenario, learned)
    assert seeing.error("forecast") < 0.3 * blind.error("forecast")
    assert seeing.error("filtered") < 0.5 * blind.error("filtered")
    assert seeing.error("naive") == blind.error("naive")
    leak = moment_leakage(seeing.pieces[0], "blowfish")
    assert 0 < leak.worst <= leak.theorem_2


@pytest.fixture(scope="module")
def learned_replay() -> Replay:
    street = known_street(6, 14, 60, 11)
    learned = learn(street.readings, resamples=0)
    assert learned.groups
    return replay(street.readings, learned.scenario(STREET, 0.9, 0.5), learned, days=1)


@pytest.mark.slow
def test_noise_for_learned_laws_keeps_its_promise_exactly_and_less_breaks_it(learned_replay: Replay) -> None:
    """Audited by the supremum for every house and step; nineteen twentieths of the scale are caught."""
    (day,) = learned_replay.pieces
    laws = day.street.distributions
    assert laws is not None
    book = exact_loss(day, "calibrated")
    assert book.kept
    assert book.spent.max() == pytest.approx(STREET.epsilon, rel=1e-6)
    b = float(day.release["calibrated"].scale.max()) / STREET.alpha
    assert laws.loss(0.95 * b).max() > STREET.epsilon * 1.01
    assert laws.edges.max() <= 0.9


def test_houses_that_were_not_learned_from_have_uniform_laws() -> None:
    """Their scale is the closed form's; equal bounds need no noise; nothing while empty is a point mass."""
    street = known_street(3, 14, 60, 11)
    readings = replace(street.readings, usable=np.array([True, False, False]))
    learned = learn(readings, resamples=0)
    highest = np.array([[0.5, 0.25, 0.0], [0.9, 1.0, 1.0]])
    laws = learned_distributions(highest, np.arange(3), learned)
    np.testing.assert_allclose(laws.mass.sum(axis=2), 1.0)
    found = laws.scale(0.5)
    assert found[1] * 0.5 == pytest.approx(0.42084, abs=1e-5)  # DESIGN's check value for (1, 0.25)
    assert found[2] == pytest.approx(calibrate(np.array([1.0]), np.array([0.0]), 0.5)[0], rel=1e-6)
