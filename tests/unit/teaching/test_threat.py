"""What is at stake: on few houses the unprotected price betrays them, and its words are its numbers."""

from dataclasses import replace

import numpy as np
import pytest

from rtp import PRESETS, Scenario, simulate
from rtp.attack.adversary import largest_gap, posterior
from rtp.core.time import when
from rtp.mechanisms import FEATURED, UNPROTECTED
from rtp.scenario import House, edit
from rtp.simulation import Day
from rtp.street.simulate import replay_houses
from rtp.teaching.threat import (
    STORY_HOUSES,
    Threat,
    beliefs_at,
    of_100,
    price_words,
    showing_group,
    stake,
    story_street,
    threat,
    watched_house,
    worst_case_line,
)


def told(scenario: Scenario) -> tuple[Day, Threat]:
    day = simulate(scenario)
    return day, threat(day, stake(day))


@pytest.fixture(scope="module")
def first() -> tuple[Day, Threat]:
    """What a stranger sees."""
    return told(story_street(Scenario()))


def test_listed_houses_give_a_story_on_few_of_them() -> None:
    house = House(name="Mill Lane 1", group="Households", occupied=1.0, empty=0.5)
    few = edit.with_houses(Scenario(), [house, house.replace(name="Mill Lane 2")])
    many = edit.with_houses(few, [house.replace(name=f"Mill Lane {n}") for n in range(5)])
    assert story_street(few.replace(days=3)) == few
    assert (story_street(many).households, story_street(many).houses, story_street(many).groups) == (
        STORY_HOUSES,
        None,
        many.groups,
    )


def test_the_house_is_of_the_group_and_its_neighbour_of_the_commonest() -> None:
    """Mansions are 2 % of their street: two houses drawn from all of it would be ordinary ones."""
    mansions, mixed = PRESETS["mansions"], PRESETS["mixed street"]
    assert showing_group(mansions) == 0
    assert [group.name for group in story_street(mansions).groups] == ["Mansions", "Houses"]
    assert [group.name for group in story_street(mansions, 1).groups] == ["Houses"]
    assert [group.name for group in story_street(mixed).groups] == ["Shift", "Office"]
    for street in (story_street(mansions), story_street(mixed, 1)):
        day = simulate(street)
        assert street.households == STORY_HOUSES
        assert day.street.group[stake(day, 0).house] == 0
        assert street.models[0].habits[0] in (mansions.models[0].habits[0], mixed.models[0].habits[1])


def test_of_a_group_the_house_that_shows_most_is_watched() -> None:
    day = simulate(PRESETS["mixed street"].replace(households=40))
    for group in range(3):
        house = watched_house(day.street, group)
        own = np.flatnonzero(day.street.group == group)
        gaps = np.abs(day.street.occupied_bound - day.street.empty_bound)
        assert house in own
        assert gaps[house] == gaps[own].max()
    assert watched_house(day.street, None) == largest_gap(day.street)


@pytest.mark.slow
def test_the_unprotected_price_betrays_and_the_private_hardly_does() -> None:
    """Mean shares of 12 days: a share's standard error is at most √(¼/12) days, far less as steps agree."""
    days = [told(story_street(Scenario(seed=seed)))[1] for seed in range(12)]
    means = np.mean(
        [[f.accuracy(b) for b in (f.stake.unprotected, f.private, f.stake.guess)] for f in days], axis=0
    )
    assert means[0] - means[2] > 0.08
    assert abs(means[1] - means[2]) < 0.03


def test_epsilon_changes_nothing_but_the_private_half(first: tuple[Day, Threat]) -> None:
    day, found = first
    loud = simulate(day.scenario.replace(epsilon=0.05))
    again = stake(loud)
    for name in ("occupied", "guess", "unprotected"):
        np.testing.assert_array_equal(getattr(again, name), getattr(found.stake, name))
    assert not np.allclose(threat(loud, again).private, found.private)


def test_the_house_and_the_truth_are_the_days_own(first: tuple[Day, Threat]) -> None:
    day, found = first
    assert found.stake.house == largest_gap(day.street)
    truth = replay_houses(day.street_day.spec, day.street, [found.stake.house])[0][:, 0]
    np.testing.assert_array_equal(found.stake.occupied, truth)
    np.testing.assert_array_equal(found.belief[UNPROTECTED], found.stake.unprotected)


def test_the_street_at_hand_is_read_by_the_attackers_filter() -> None:
    day, found = told(Scenario(households=300))
    seen = posterior(day, FEATURED, house=found.stake.house, inference="smoothing")
    np.testing.assert_array_equal(found.private, seen.belief[:, 0])


def test_chances_are_said_for_the_house_and_for_the_promise(first: tuple[Day, Threat]) -> None:
    day, found = first
    here = beliefs_at(day, found.stake, 72)
    assert here is not None
    words = price_words(found, day, 72, here)
    assert words == (
        f"At 18:00 **{of_100(here.empty)}** of 100 possible prices would make an observer believe house 1 "
        f"is occupied while it is empty, **{of_100(here.occupied)}** while it is occupied."
    )
    assert worst_case_line(1.0) == (
        "At worst **27** of 100 prices call an empty house occupied, **73** an occupied one."
    )


def test_where_habits_settle_the_state_there_is_nothing_to_hide() -> None:
    day, found = told(story_street(PRESETS["quiet night"]))
    asleep = int(np.flatnonzero(found.stake.guess == 0)[0])
    assert beliefs_at(day, found.stake, asleep) is None
    house, at = found.stake.house, when(asleep)
    assert price_words(found, day, asleep, None) == (
        f"At {at} habits alone settle that house {house} is empty: there is nothing to hide."
    )
    sure = replace(found.stake, guess=np.ones_like(found.stake.guess))
    assert beliefs_at(day, sure, asleep) is None
    assert price_words(replace(found, stake=sure), day, asleep, None) == (
        f"At {at} habits alone settle that house {house} is occupied: there is nothing to hide."
    )
