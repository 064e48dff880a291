"""What is at stake: on few houses the unprotected price betrays them, and ε changes the private half only."""

from dataclasses import replace

import numpy as np
import pytest

from rtp import PRESETS, Scenario, simulate
from rtp.simulation import Day
from rtp.street.simulate import replay_houses
from rtp.teaching.threat import STORY_HOUSES, Stake, beliefs_at, private_belief, stake, story_street


def told(scenario: Scenario) -> tuple[Day, Stake]:
    day = simulate(scenario)
    return day, stake(day)


def test_the_house_is_of_the_group_and_its_neighbour_of_the_commonest() -> None:
    """Mansions are 2 % of their street: two houses drawn from all of it would be ordinary ones."""
    mansions = PRESETS["mansions"]
    assert [group.name for group in story_street(mansions).groups] == ["Mansions", "Houses"]
    assert [group.name for group in story_street(mansions, 1).groups] == ["Houses"]
    for street in (story_street(mansions), story_street(PRESETS["mixed street"], 1)):
        day = simulate(street)
        assert street.households == STORY_HOUSES
        assert day.street.group[stake(day, 0).house] == 0


def test_epsilon_changes_nothing_but_the_private_half() -> None:
    (day, found), (other, loud) = (told(story_street(Scenario(epsilon=epsilon))) for epsilon in (0.5, 0.05))
    for name in ("occupied", "guess", "unprotected"):
        np.testing.assert_array_equal(getattr(loud, name), getattr(found, name))
    assert not np.allclose(private_belief(other, loud), private_belief(day, found))
    truth = replay_houses(day.street_day.spec, day.street, [found.house])[0][:, 0]
    np.testing.assert_array_equal(found.occupied, truth)


@pytest.mark.parametrize("habit", [0.0, 1.0])
def test_where_habits_settle_the_state_there_is_nothing_to_hide(habit: float) -> None:
    day, found = told(story_street(Scenario()))
    sure = replace(found, guess=np.full_like(found.guess, habit))
    assert beliefs_at(day, sure, 72) is None
    assert beliefs_at(day, found, 72) is not None
