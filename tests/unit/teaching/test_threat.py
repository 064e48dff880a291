"""What is at stake: on few houses the unprotected price betrays them, and ε changes the private half only."""

from dataclasses import replace

import numpy as np
import pytest

from rtp import PRESETS, Scenario, simulate
from rtp.attack.adversary import posterior
from rtp.mechanisms import FEATURED
from rtp.simulation import Day
from rtp.street.simulate import replay_houses
from rtp.teaching.threat import STORY_HOUSES, Threat, beliefs_at, stake, story_street, threat


def told(scenario: Scenario) -> tuple[Day, Threat]:
    day = simulate(scenario)
    return day, threat(day, stake(day))


def test_the_house_is_of_the_group_and_its_neighbour_of_the_commonest() -> None:
    """Mansions are 2 % of their street: two houses drawn from all of it would be ordinary ones."""
    mansions = PRESETS["mansions"]
    assert [group.name for group in story_street(mansions).groups] == ["Mansions", "Houses"]
    assert [group.name for group in story_street(mansions, 1).groups] == ["Houses"]
    for street in (story_street(mansions), story_street(PRESETS["mixed street"], 1)):
        day = simulate(street)
        assert street.households == STORY_HOUSES
        assert day.street.group[stake(day, 0).house] == 0


@pytest.mark.slow
def test_the_unprotected_price_betrays_and_the_private_hardly_does() -> None:
    """Mean shares of 12 days: a share's standard error is at most √(¼/12) days, far less as steps agree."""
    days = [told(story_street(Scenario(seed=seed)))[1] for seed in range(12)]
    means = np.mean(
        [[f.accuracy(b) for b in (f.stake.unprotected, f.private, f.stake.guess)] for f in days], axis=0
    )
    assert means[0] - means[2] > 0.08
    assert abs(means[1] - means[2]) < 0.03


def test_epsilon_changes_nothing_but_the_private_half() -> None:
    (day, found), (_, loud) = (told(story_street(Scenario(epsilon=epsilon))) for epsilon in (0.5, 0.05))
    for name in ("occupied", "guess", "unprotected"):
        np.testing.assert_array_equal(getattr(loud.stake, name), getattr(found.stake, name))
    assert not np.allclose(loud.private, found.private)
    truth = replay_houses(day.street_day.spec, day.street, [found.stake.house])[0][:, 0]
    np.testing.assert_array_equal(found.stake.occupied, truth)


def test_the_house_that_shows_most_is_read_by_the_attackers_filter() -> None:
    day, found = told(Scenario(households=300))
    gaps = np.abs(day.street.occupied_bound - day.street.empty_bound)
    assert gaps[found.stake.house] == gaps.max()
    seen = posterior(day, FEATURED, house=found.stake.house, inference="smoothing")
    np.testing.assert_array_equal(found.private, seen.belief[:, 0])


@pytest.mark.parametrize("habit", [0.0, 1.0])
def test_where_habits_settle_the_state_there_is_nothing_to_hide(habit: float) -> None:
    day, found = told(story_street(Scenario()))
    sure = replace(found.stake, guess=np.full_like(found.stake.guess, habit))
    assert beliefs_at(day, sure, 72) is None
    assert beliefs_at(day, found.stake, 72) is not None
