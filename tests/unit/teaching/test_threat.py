"""What is at stake: whose house is watched, and where habits have told all of it already."""

from dataclasses import replace

import numpy as np
import pytest

from rtp import PRESETS, Scenario, simulate
from rtp.teaching.threat import STORY_HOUSES, beliefs_at, stake, story_street


def test_the_house_is_of_the_group_and_its_neighbour_of_the_commonest() -> None:
    """Mansions are 2 % of their street: two houses drawn from all of it would be ordinary ones."""
    mansions = PRESETS["mansions"]
    assert [group.name for group in story_street(mansions).groups] == ["Mansions", "Houses"]
    assert [group.name for group in story_street(mansions, 1).groups] == ["Houses"]
    for street in (story_street(mansions), story_street(PRESETS["mixed street"], 1)):
        day = simulate(street)
        assert street.households == STORY_HOUSES
        assert day.street.group[stake(day, 0).house] == 0


@pytest.mark.parametrize("habit", [0.0, 1.0])
def test_where_habits_settle_the_state_there_is_nothing_to_hide(habit: float) -> None:
    day = simulate(story_street(Scenario()))
    own = stake(day)
    assert beliefs_at(day, replace(own, guess=np.full_like(own.guess, habit)), 72) is None
    assert beliefs_at(day, own, 72) is not None
