"""What was drawn from known chances is found again; where there is nothing to tell, that is said."""

from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest

import rtp
from rtp.core.types import Floats
from rtp.meters import Learned, Readings, answer, learn, real_home, watch
from rtp.meters.house_fit import APPLIANCE, AT_NIGHT, ENDED, FOLLOWS, VACANT
from rtp.meters.learned import law_of, with_laws
from rtp.meters.learning import decode, training_readings
from rtp.meters.readings import period_of_steps
from rtp.meters.replaying import groups_of, replay
from rtp.output.meters import doubt_words, groups_words, houses_frame, learned_words, verdicts_words
from rtp.scenario import Scenario, ScenarioError
from rtp.simulation.setup import schedule_of
from tests.unit.meters.streets import PAPER_STARTS, Known, as_readings, known_street, paper_chances


@pytest.mark.slow
@pytest.mark.parametrize("correlation", [0.0, 0.7])
def test_without_two_states_it_says_so(correlation: float) -> None:
    """The same law in both states: occupancy leaves no trace. Where use goes up and down slowly, readings
    taken as independent would show two states in all houses."""
    street = known_street(8, 28, 60, 5, empty_share=(1.0, 1.0), correlation=correlation)
    learned = learn(street.readings, resamples=0)
    assert learned.can_be_occupancy.mean() < 0.2
    assert learned.houses.separable.sum() <= 1
    assert np.median(learned.houses.correlation) == pytest.approx(correlation, abs=0.15)
    if not learned.groups:
        with pytest.raises(ScenarioError, match="two states"):
            learned.models()


def counted(street: Known) -> Readings:
    """Readings that say who is at home, so that nothing has to be fitted."""
    return as_readings(street.readings.power, 60, street.occupied.astype(np.int8))


@pytest.mark.slow
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
    period = period_of_steps(PAPER_STARTS, 60, 14)[:-1]
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


@pytest.mark.slow
def test_given_weekends_are_counted() -> None:
    """From a Wednesday on, to the last digit; and the street's own calendar has the same days."""
    street = lazy(60)
    readings = counted(street).only_days(2, 30)
    learned = learn(readings, resamples=0)
    group = learned.groups[0]
    assert learned.scenario(rtp.Scenario(), 1.0, 0.5).has_weekends
    few = learn(readings.only_days(0, 14), resamples=0)
    assert not few.scenario(rtp.Scenario(), 1.0, 0.5).has_weekends
    days = street.occupied[:, 2 * 24 : 32 * 24].reshape(8, 30, 24)
    weekend = np.isin((np.arange(30) + 2) % 7, (5, 6))
    for apart, chosen in ((0, ~weekend), (4, weekend)):
        noon, after = days[:, chosen, 8:16], days[:, chosen, 9:17]
        assert group.leave.value[1 + apart] == pytest.approx((noon & ~after).sum() / noon.sum())
    habits = rtp.Scenario().models[0].habits[0]
    cycle = schedule_of(habits.replace(weekend=habits.periods), week_from="Wednesday", step_minutes=60).period
    own = period_of_steps(PAPER_STARTS, 60, 30, weekend)
    assert np.array_equal(own, np.resize(cycle, len(own)))


@cache
def identical(seed: int = 11) -> Learned:
    """Eight hundred houses that live alike, asked for in two groups; the readings say who is at home."""
    return learn(counted(known_street(800, 28, 60, seed)), groups=2, resamples=0)


@pytest.mark.slow
@pytest.mark.long
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


@pytest.mark.slow
def test_more_groups_than_the_readings_show_are_said() -> None:
    learned = identical()
    assert (len(learned.groups), learned.groups_shown) == (2, 1)
    assert "show 1" in groups_words(learned)[0]


@pytest.mark.slow
def test_as_many_groups_are_learned_as_other_weeks_show() -> None:
    """Houses of two habits are two groups, without being asked for; those of one are one."""
    leave, arrive = paper_chances(60)
    home = known_street(6, 28, 60, 1, chances=(0.02 * leave, arrive))
    away = known_street(6, 28, 60, 2)
    occupied = np.concatenate([home.occupied, away.occupied])
    both = learn(as_readings(occupied.astype(float), 60, occupied.astype(np.int8)), resamples=0)
    assert sorted(group.houses.tolist() for group in both.groups) == [list(range(6)), list(range(6, 12))]
    alike = learn(as_readings(occupied[6:].astype(float), 60, occupied[6:].astype(np.int8)), resamples=0)
    assert len(alike.groups) == 1


@pytest.mark.slow
def test_a_house_that_ended_early_is_left_out() -> None:
    """Its readings end before the days learned from: it must not learn that it uses nothing."""
    street = known_street(4, 120, 60, 3)
    power, occupied = street.readings.power.copy(), street.occupied.astype(np.int8)
    power[1, 24 * 20 :], occupied[1, 24 * 20 :] = np.nan, -1
    learned = learn(as_readings(power, 60, occupied), resamples=0)
    assert (learned.left_out, learned.which.tolist()) == (("h1",), [0, 2, 3])
    assert (learned.days, learned.span) == (91, ("2024-06-04", "2024-09-02"))
    assert any("91 of 120 days" in sentence for sentence in learned_words(learned))


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["h{}", "NMI:6001_{}", "🏠{}", "a name that is far too long for any scenario {}"]
)
def test_a_written_scenario_keeps_who_belongs_where(name: str) -> None:
    """Houses of two kinds, mixed in the file: a replay under the JSON sorts them as learning did."""
    leave, arrive = paper_chances(60)
    home = known_street(4, 28, 60, 1, chances=(0.02 * leave, arrive))
    away = known_street(4, 28, 60, 2, chances=(leave, 0.02 * arrive))
    power = np.stack([home.readings.power, away.readings.power], axis=1).reshape(8, -1)
    occupied = np.stack([home.occupied, away.occupied], axis=1).reshape(8, -1).astype(np.int8)
    readings = replace(
        as_readings(power, 60, occupied), houses=tuple(name.format(house) for house in range(8))
    )
    learned = learn(readings, groups=2, resamples=0)
    written = learned.scenario(Scenario(), 1.0, 0.5, readings.houses)
    group = groups_of(readings.houses, Scenario.from_json(written.to_json()), None)
    assert group.tolist() == learned.group_of_houses().tolist()
    assert sorted(np.bincount(group).tolist()) == [4, 4]


@pytest.mark.slow
@pytest.mark.parametrize(("minutes", "learned"), [(5, 15), (15, 15), (10, 10), (30, 30), (1, 15)])
def test_fine_readings_are_learned_from_in_quarter_hours(minutes: int, learned: int) -> None:
    """Their means; who is at home is who was when the quarter began."""
    steps = 1440 // minutes
    power = np.arange(steps, dtype=float)[None] % 6
    states = (np.arange(steps)[None] // (learned // minutes) % 2).astype(np.int8)
    own = training_readings(as_readings(power, minutes, states), np.array([0]), 0, 1)
    assert (own.minutes, own.days) == (learned, 1)
    np.testing.assert_allclose(own.power[0], power.reshape(-1, learned // minutes).mean(axis=1))
    assert own.occupied is not None
    assert own.occupied[0].tolist() == (np.arange(1440 // learned) % 2).tolist()


# A verdict for every house: at the limits between one and the next, and on shapes that real meters show


DAYS, PER_DAY = 28, 48
HOUR = np.tile(np.arange(PER_DAY) / 2, DAYS)


def cycling(low: float, high: float, rng: np.random.Generator) -> Floats:
    """A refrigerator: two levels in kWh a half-hour, on and off whatever the clock says; as kW."""
    on = np.cumsum(rng.random(len(HOUR)) < 0.35) % 2 == 1
    return 2 * np.where(on, high, low) * rng.uniform(0.9, 1.1, len(HOUR))


@pytest.mark.long
def test_every_house_has_a_verdict_with_its_reason() -> None:
    """Three homes, two appliances, a heater on the night tariff, an empty house, one that ended early. Only
    the homes teach habits, and the house that shows most is one of them: the heater's states are the furthest
    apart, and say nothing of who is at home."""
    rng = np.random.default_rng(3)
    homes = known_street(3, DAYS, 30, 2, empty_share=(0.1, 0.2)).readings.power.astype(float)
    night = (HOUR >= 23.5) | (HOUR < 6.5)
    heater = np.where(night, 2.0, 0.2) * rng.uniform(0.8, 1.2, len(HOUR))
    early = homes[0].copy()
    early[3 * PER_DAY :] = np.nan
    appliances = cycling(0.005, 0.031, rng), cycling(0.050, 0.084, rng)
    others = [*appliances, heater, rng.uniform(0.01, 0.03, len(HOUR)), early]
    readings = as_readings(np.concatenate([homes, others]), 30)
    learned = learn(readings, resamples=0)
    houses = houses_frame(readings, learned)
    assert houses["Verdict"].tolist() == [FOLLOWS] * 3 + [APPLIANCE] * 2 + [AT_NIGHT, VACANT, ENDED]
    assert houses["Why"].all()
    for count in ("3 of 8", f"{APPLIANCE} 2", f"{AT_NIGHT} 1", f"{VACANT} 1", f"{ENDED} 1"):
        assert count in verdicts_words(learned)
    assert np.concatenate([group.houses for group in learned.groups]).tolist() == [0, 1, 2]
    everyone = learn(readings, groups=1, every_house=True, resamples=0)
    assert everyone.groups[0].houses.tolist() == np.flatnonzero(everyone.houses.separable).tolist()
    assert 5 in everyone.groups[0].houses
    result = answer(readings, learned.scenario(Scenario(), 3.0, 0.5), learned)
    home = learned.houses.mean[1, :3] - learned.houses.mean[0, :3]
    assert watch(result.replay).name == result.observed.name == f"h{home.argmax()}"


@pytest.mark.long
def test_a_verdict_near_its_limits_says_so() -> None:
    """Of homes that live alike some are kept and some are not; a plain one is kept for sure."""
    plain = learn(known_street(6, DAYS, 30, 2, empty_share=(0.1, 0.2)).readings, resamples=0)
    assert (plain.houses.sureness > 0.95).all()
    near = learn(known_street(12, DAYS, 30, 3, empty_share=(0.62, 0.72)).readings, resamples=0)
    assert 0 < near.can_be_occupancy.sum() < 12
    assert near.houses.sureness.mean() < 0.9
    said = [[each for each in doubt_words(street) if "verdicts" in each] for street in (plain, near)]
    assert not said[0]
    assert f"{(near.houses.sureness < 0.95).sum()} of 12" in said[1][0]


# The learned laws of a group: the mean of its houses', as near to the truth as they are, ready to travel


@pytest.fixture(scope="module")
def street() -> Known:
    return known_street(8, 28, 60, 5, empty_share=(0.05, 0.1))


@pytest.fixture(scope="module")
def learned(street: Known) -> Learned:
    return learn(street.readings, resamples=0)


@pytest.mark.long
def test_a_groups_law_is_the_mean_of_its_houses(learned: Learned) -> None:
    """At every edge, up to the rounding of every share before it; the slow way, house by house."""
    law = law_of(learned, learned.groups[0])
    for state, masses in enumerate((law.empty, law.occupied)):
        for at, share in zip(law.edges[1:], np.cumsum(masses), strict=True):
            own = [
                np.interp(
                    at,
                    learned.houses.edges[i],
                    np.append(0, np.cumsum(learned.houses.emission[state, i])),
                )
                for i in learned.groups[0].houses
            ]
            assert share == pytest.approx(np.mean(own), abs=len(masses) * 1e-5)


def test_the_drawn_street_uses_what_the_feeder_used(street: Known, learned: Learned) -> None:
    """With a fuse for a bound uniform use would be many times as much; and a replay relies on the laws."""
    uniform = learned.scenario(rtp.Scenario(days=7), 14.5, 0.5)
    scenario = with_laws(uniform, learned)
    read = float(street.readings.power.mean())
    assert rtp.simulate(scenario).consumption.mean() == pytest.approx(read, rel=0.25)
    assert rtp.simulate(uniform).consumption.mean() > 5 * read
    day = replay(street.readings, scenario, days=1).pieces[0]
    assert day.street.distributions is not None
    assert (
        day.release["calibrated"].scale < replay(street.readings, uniform, days=1).scale("calibrated")
    ).all()


# The real home that comes with the lab is whole, and its licence with it


def test_every_reading_and_label_of_the_file_is_read() -> None:
    rows, home = pd.read_csv(real_home.FILE, comment="#"), real_home.real_home()
    assert (home.minutes, home.date(0), home.days) == (15, "2012-06-01", 71)
    np.testing.assert_allclose(home.power[0], rows["kWh"] * 4, rtol=1e-4)
    assert home.occupied is not None
    np.testing.assert_array_equal(home.occupied[0], rows["occupied"].where(rows["kWh"].notna()).fillna(-1))
    assert all(each in real_home.text()[:500] for each in ("ECO", "ETH Zurich", real_home.LICENCE))
