"""What was drawn from known chances is found again; where there is nothing to tell, that is said."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import rtp
from rtp.meters import Readings, learn
from rtp.meters.grouping import sort_by_habit
from rtp.meters.house_fit import by_hour
from rtp.meters.learned import Learned, period_of_steps
from rtp.meters.learning import decode
from rtp.meters.replaying import groups_of
from rtp.meters.words import (
    COARSE_READINGS,
    chances_frame,
    correlation_words,
    faint,
    heterogeneity_words,
    learned_verdict,
    weekend_words,
)
from rtp.scenario import PAPER_PERIODS, Scenario, ScenarioError
from rtp.simulation.setup import schedule_of
from tests.help.sentence import exactly
from tests.unit.meters.streets import Known, as_readings, known_street, paper_chances

pytestmark = pytest.mark.slow


NOTHING_LEARNED = (
    "The readings do not show two states that follow the clock, so no habits can be learned from them."
)


def test_without_two_states_it_says_so() -> None:
    """The same law in both states: occupancy leaves no trace."""
    street = known_street(8, 28, 60, 5, empty_share=(1.0, 1.0))
    learned = learn(street.readings, resamples=0)
    assert learned.can_be_occupancy.mean() < 0.2
    assert learned.houses.separable.mean() < 0.2
    hardly = "Beyond what the states explain, two readings in a row are hardly alike."
    assert correlation_words(learned) == hardly
    if not learned.groups:
        with pytest.raises(ScenarioError, match=exactly(NOTHING_LEARNED)):
            learned.models()


def test_use_that_is_only_autocorrelated_shows_no_second_state() -> None:
    """Eight houses in one state whose use goes up and down slowly: readings taken as independent would show
    two states in all of them."""
    learned = learn(known_street(8, 28, 60, 5, empty_share=(1.0, 1.0), correlation=0.7).readings, resamples=0)
    assert learned.houses.separable.sum() <= 1
    assert np.abs(learned.houses.model.correlation - 0.7).max() < 0.15
    assert "a house is 0.6 in the middle one" in correlation_words(learned)


def counted(street: Known) -> Readings:
    """Readings that say who is at home, so that nothing has to be fitted."""
    return as_readings(street.readings.power, 60, street.occupied.astype(np.int8))


def test_given_occupancy_is_counted() -> None:
    """Chances are departures over chances to depart, to the last digit; unknown states are passed over."""
    street = known_street(4, 14, 60, 1)
    occupied = street.occupied.astype(np.int8)
    occupied[0, 100:110] = -1
    readings = as_readings(street.readings.power, 60, occupied)
    learned = learn(readings, resamples=2)
    np.testing.assert_array_equal(
        decode(readings, learned, 0)[1], np.where(occupied[0] < 0, np.nan, occupied[0])
    )
    period = period_of_steps(PAPER_PERIODS, 60, 14)[:-1]
    now, after = occupied[:, :-1], occupied[:, 1:]
    both = (now >= 0) & (after >= 0)
    for k in range(4):
        here = both & (period == k)
        out = (here & (now == 1) & (after == 0)).sum() / (here & (now == 1)).sum()
        back = (here & (now == 0) & (after == 1)).sum() / (here & (now == 0)).sum()
        assert learned.groups[0].leave.value[k] == pytest.approx(np.clip(out, 1e-6, 1 - 1e-6))
        assert learned.groups[0].arrive.value[k] == pytest.approx(np.clip(back, 1e-6, 1 - 1e-6))
    assert learned.counted
    assert len(learned.groups[0].bootstrap) == 2


def lazy(minutes: int) -> Known:
    """Out at noon on working days, at home on Saturdays and Sundays."""
    leave, arrive = paper_chances(minutes)
    at_home = leave.copy()
    at_home[1] = leave[2]
    return known_street(8, 35, minutes, 6, chances=(np.append(leave, at_home), np.tile(arrive, 2)))


def test_steps_that_do_not_fill_an_hour_count_by_their_part_of_it() -> None:
    """Of 45 minutes: the first hour has all of step 0 and a third of step 1, the second two thirds of it."""
    values = np.arange(14 * 32, dtype=float)[:, None] % 32
    assert by_hour(values, 32)[:4, 0] == pytest.approx([0.25, 1.5, 2.75, 4.25])
    assert learn(known_street(3, 14, 45, 2).readings, resamples=0).minutes == 45


@pytest.mark.long
def test_weekends_are_learned_apart() -> None:
    """Of 16 intervals of 95 % fewer than 12 hold with a chance of 0.1 %; those of noon are apart."""
    street = lazy(30)
    (group,) = learn(street.readings, resamples=0).groups
    hits = [
        (told.low <= known) & (known <= told.high)
        for told, known in ((group.leave, street.leave), (group.arrive, street.arrive))
    ]
    assert np.sum(hits) >= 12
    assert group.leave.high[5] < group.leave.low[1]


def test_every_learned_model_has_its_weekend() -> None:
    """And so has the street that lives by them."""
    street = lazy(60)
    learned = learn(counted(street), resamples=1)
    scenario = learned.scenario(rtp.Scenario(), 1.0, 0.5)
    assert scenario.has_weekends
    for model in scenario.models:
        assert model.habits[0].weekend is not None
        assert model.habits[0].weekend[1].leave < 0.3 < 0.8 < model.habits[0].periods[1].leave
    assert weekend_words(learned) == "Weekends have habits of their own, learned from 10 days of them."
    assert chances_frame(learned)["Period"].tolist()[5] == "Noon, weekend"


def test_few_weekends_are_not_learned_apart() -> None:
    learned = learn(counted(lazy(60)).only_days(0, 14), resamples=0)
    assert not learned.scenario(rtp.Scenario(), 1.0, 0.5).has_weekends
    assert weekend_words(learned) == (
        "The readings have 4 days of weekends, too few to learn their habits apart (at least 8): they are "
        "taken to be those of the other days."
    )


def test_given_weekends_are_counted() -> None:
    """From a Wednesday on, to the last digit; and the street's own calendar has the same days."""
    street = lazy(60)
    readings = counted(street).only_days(2, 30)
    group = learn(readings, resamples=0).groups[0]
    days = street.occupied[:, 2 * 24 : 32 * 24].reshape(8, 30, 24)
    weekend = np.isin((np.arange(30) + 2) % 7, (5, 6))
    for apart, chosen in ((0, ~weekend), (4, weekend)):
        noon, after = days[:, chosen, 8:16], days[:, chosen, 9:17]
        assert group.leave.value[1 + apart] == pytest.approx((noon & ~after).sum() / noon.sum())
    habits = rtp.Scenario().models[0].habits[0]
    cycle = schedule_of(habits.replace(weekend=habits.periods), week_from="Wednesday", step_minutes=60).period
    own = period_of_steps(PAPER_PERIODS, 60, 30, weekend)
    assert np.array_equal(own, np.resize(cycle, len(own)))


def test_groups_are_found_by_their_days() -> None:
    """Eight houses that leave at noon and five that never do."""
    stay = paper_chances(60)[0].copy()
    stay[1] = 0.001
    away, home = known_street(8, 28, 60, 1), known_street(5, 28, 60, 2, chances=(stay, paper_chances(60)[1]))
    power = np.concatenate([home.readings.power, away.readings.power])
    learned = learn(as_readings(power, 60), resamples=1)
    found = [set(g.houses.tolist()) for g in learned.groups]
    assert found[0] < set(range(5, 14))
    assert found[1] < set(range(6))
    assert sum(map(len, found)) >= 10
    scenario = learned.scenario(rtp.Scenario(), 1.0, 0.5)
    assert scenario.households == 13
    assert [m.name for m in scenario.models] == ["Learned", "Other weeks 1"]
    away_at_noon, home_at_noon = (h.periods[1].leave for h in scenario.models[0].habits)
    assert away_at_noon > 0.8 > 0.3 > home_at_noon


@cache
def identical(seed: int = 11) -> Learned:
    """Eight hundred houses that live alike, asked for in two groups; the readings say who is at home."""
    return learn(counted(known_street(800, 28, 60, seed)), groups=2, resamples=0)


def test_groups_that_are_none_have_intervals_that_hold() -> None:
    """Sorted and learned on the same weeks, luck looks like habits: 77 of 96 hold. Of 96 intervals of 95 %
    fewer than 84 hold with a chance of 0.1 %."""
    leave, arrive = (np.tile(each, 2) for each in paper_chances(60))
    hits = [
        (told.low <= known) & (known <= told.high)
        for seed in (11, 12, 13)
        for group in identical(seed).groups
        for told, known in ((group.leave, leave), (group.arrive, arrive))
    ]
    assert np.size(hits) == 96
    assert np.sum(hits) >= 84


def test_more_groups_than_the_readings_show_are_said() -> None:
    learned = identical()
    assert (len(learned.groups), learned.groups_shown) == (2, 1)
    assert any("show one group of houses, not 2**" in sentence for sentence in learned_verdict(learned))


def test_as_many_groups_are_learned_as_other_weeks_show() -> None:
    """Houses of two habits are two groups, without being asked for; those of one are one."""
    leave, arrive = paper_chances(60)
    home = known_street(6, 28, 60, 1, chances=(0.02 * leave, arrive))
    away = known_street(6, 28, 60, 2)
    power, occupied = (
        np.concatenate([np.asarray(getattr(each, name)) for each in (home, away)])
        for name in ("occupied", "occupied")
    )
    both = learn(as_readings(power.astype(float), 60, occupied.astype(np.int8)), resamples=0)
    assert sorted(group.houses.tolist() for group in both.groups) == [list(range(6)), list(range(6, 12))]
    alike = learn(as_readings(power[6:].astype(float), 60, occupied[6:].astype(np.int8)), resamples=0)
    assert len(alike.groups) == 1


def test_a_group_per_house_at_most_and_the_largest_first() -> None:
    profile = np.array([[0.1, 0.1, 0.9, 0.1]] * 24)
    assert sort_by_habit(profile, 5).tolist() == [0, 0, 1, 0]


@pytest.mark.long
def test_every_executor_gives_the_same_numbers_and_progress_may_stop_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("rtp.meters.learning.CELLS", 2 * 14 * 24)
    readings = known_street(4, 14, 60, 3).readings
    told: list[float] = []
    here = learn(readings, resamples=1, progress=told.append)
    with ThreadPoolExecutor(2) as pool:
        there = learn(readings, resamples=1, executor=pool)
    assert np.array_equal(here.houses.model.emission, there.houses.model.emission)
    for one, other in zip(here.groups, there.groups, strict=True):
        assert np.array_equal(one.leave.low, other.leave.low)
        assert np.array_equal(one.bootstrap, other.bootstrap)
    assert told == sorted(told)
    assert told[-1] == pytest.approx(1.0)

    def stop(done: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        learn(readings, progress=stop)


@cache
def fortnight() -> Learned:
    """Of four houses."""
    return learn(known_street(4, 14, 60, 4).readings, resamples=0)


def test_the_learned_scenario_comes_back_at_the_readings_step() -> None:
    """Chances per step of the readings → over the period → per step again."""
    learned = fortnight()
    group = learned.groups[0]
    habits = learned.scenario(rtp.Scenario(), 1.0, 0.5).models[0].habits[0]
    for k, (part, steps) in enumerate(zip(habits.periods, learned.steps(), strict=True)):
        assert 1 - (1 - part.leave) ** (1 / steps) == pytest.approx(group.leave.value[k], rel=1e-6)
        assert 1 - (1 - part.arrive) ** (1 / steps) == pytest.approx(group.arrive.value[k], rel=1e-6)
    assert learned.steps() == (1, 8, 7, 8)
    sure = replace(group, leave=replace(group.leave, value=np.full_like(group.leave.value, 1 - 1e-6)))
    stated = replace(learned, groups=(sure,)).models()[0].habits[0].periods
    assert all(0 < entry < 1 for part in stated for row in part.matrix for entry in row)


def test_moves_that_readings_hardly_show_are_named() -> None:
    learned = fortnight()
    shares = np.full(4, 0.9), np.array([0.9, 0.31, 0.9, 0.5])
    (sentence,) = faint(replace(learned, groups=(replace(learned.groups[0], information_fraction=shares),)))
    assert "would**: Group A arriving in Noon (31%). " in sentence
    assert sentence.endswith(COARSE_READINGS)  # every 60 minutes
    assert not faint(
        replace(learned, groups=(replace(learned.groups[0], information_fraction=(shares[0],) * 2),))
    )
    assert [each for each in learned_verdict(learned) if "Readings show less" in each] == faint(learned)
    mixed = np.array([True, False, False, True]), np.zeros(4, dtype=bool)
    (sentence,) = heterogeneity_words(
        replace(learned, groups=(replace(learned.groups[0], heterogeneity=mixed),))
    )
    assert "more than by chance**: Group A in 2 of its 8 chances. " in sentence
    same = replace(learned, groups=(replace(learned.groups[0], heterogeneity=(mixed[1], mixed[1])),))
    assert not heterogeneity_words(same)
    assert [
        each for each in learned_verdict(learned) if "Houses of a group differ" in each
    ] == heterogeneity_words(learned)


def test_no_usable_house_is_one_sentence() -> None:
    readings = as_readings(np.zeros((2, 48)), 30)
    changing = "The readings have no house with a week of readings that change."
    with pytest.raises(ScenarioError, match=exactly(changing)):
        learn(readings.only_houses(np.array([], dtype=int)))
    latest = "The readings have no house with 7 days of them among the latest."
    with pytest.raises(ScenarioError, match=exactly(latest)):
        learn(as_readings(np.ones((2, 7 * 24 - 24)), 60))
    with pytest.raises(ScenarioError, match=exactly("groups is 9; it must be a whole number from 1 to 8.")):
        learn(readings, groups=9)


def test_a_week_can_be_learned_from_and_has_no_other_weeks() -> None:
    """Nor enough readings where one of them is missing."""
    week = counted(known_street(2, 7, 60, 1))
    power = week.power.copy()
    power[1, 3] = np.nan
    learned = learn(replace(week, power=power), resamples=2)
    assert (learned.which.tolist(), learned.left_out) == ([0], ("h1",))
    assert learned.groups[0].bootstrap == ()


@pytest.mark.parametrize(("silent", "days"), [(2, 10), (3, 8)])
def test_days_on_which_half_of_the_houses_report_are_learned_from(silent: int, days: int) -> None:
    street = counted(known_street(4, 10, 60, 1))
    power = street.power.copy()
    power[:silent, 8 * 24 :] = np.nan
    assert learn(replace(street, power=power), resamples=0).days == days


def test_a_house_that_ended_early_is_left_out_and_named() -> None:
    """Its readings end before the days learned from: it must not learn that it uses nothing."""
    street = known_street(4, 120, 60, 3)
    power, occupied = street.readings.power.copy(), street.occupied.astype(np.int8)
    power[1, 24 * 20 :], occupied[1, 24 * 20 :] = np.nan, -1
    learned = learn(as_readings(power, 60, occupied), resamples=0)
    assert learned.left_out == ("h1",)
    assert learned.which.tolist() == [0, 2, 3]
    assert "**Too few readings on these days**, so not learned from: h1." in learned_verdict(learned)


def test_a_few_late_readings_do_not_move_the_days_learned_from() -> None:
    """One house reports once, months after all others: the days stay those of the others."""
    street = known_street(3, 30, 60, 3)
    power, steps = street.readings.power, 24 * 30
    late, occupied = np.full((3, 24 * 150), np.nan, dtype=np.float32), np.full((3, 24 * 150), -1, np.int8)
    late[:, :steps], occupied[:, :steps] = power, street.occupied
    late[0, -1] = 0.5
    learned = learn(as_readings(late, 60, occupied), resamples=0)
    assert (learned.first, learned.days, learned.left_out) == (0, 30, ())
    np.testing.assert_allclose(learned.houses.edges[1:], learn(counted(street), resamples=0).houses.edges[1:])


def test_the_days_and_the_sample_of_houses_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    readings = counted(known_street(4, 100, 60, 5))
    monkeypatch.setattr("rtp.meters.learning.POOLED_HOUSES", 3)
    sentences = learned_verdict(learn(readings, resamples=0))
    assert "Learned from 91 of 100 days: 2024-05-15 to 2024-08-13." in sentences
    assert "Common habits come from a sample of the houses: Group A 3 of 4." in sentences


def test_days_are_chosen_by_date() -> None:
    readings = known_street(2, 30, 60, 5).readings
    assert readings.between("2024-05-10", "2024-05-20").days == 11
    assert readings.between(None, "2024-05-07").days == 2
    assert readings.between("2024-06-04", None).date(0) == "2024-06-04"
    span = "The readings are from 2024-05-06 to 2024-06-04; choose a first and a last day among these."
    with pytest.raises(ScenarioError, match=exactly(span)):
        readings.between("2025-01-01", None)
    date = "The date 'tomorrow' cannot be read; write it as 2024-12-31."
    with pytest.raises(ScenarioError, match=exactly(date)):
        readings.between("tomorrow", None)


def test_a_written_scenario_keeps_who_belongs_where() -> None:
    """Houses of two kinds, mixed in the file: a replay under the JSON sorts them as learning did."""
    leave, arrive = paper_chances(60)
    home = known_street(4, 28, 60, 1, chances=(0.02 * leave, arrive))
    away = known_street(4, 28, 60, 2, chances=(leave, 0.02 * arrive))
    power = np.stack([home.readings.power, away.readings.power], axis=1).reshape(8, -1)
    occupied = np.stack([home.occupied, away.occupied], axis=1).reshape(8, -1).astype(np.int8)
    readings = as_readings(power, 60, occupied)
    learned = learn(readings, groups=2, resamples=0)
    written = learned.scenario(Scenario(), 1.0, 0.5, readings.houses)
    group = groups_of(readings.houses, Scenario.from_json(written.to_json()), None)
    assert group.tolist() == learned.group_of_houses().tolist()
    assert sorted(np.bincount(group).tolist()) == [4, 4]
    by_order = groups_of(readings.houses, learned.scenario(Scenario(), 1.0, 0.5), None)
    assert by_order.tolist() != group.tolist()
