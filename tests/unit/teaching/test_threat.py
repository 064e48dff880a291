"""What is at stake: on few houses the unprotected price betrays them, and its words are its numbers."""

import numpy as np
import pytest

from rtp import PRESETS, Scenario, simulate
from rtp.attack.adversary import largest_gap, posterior
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
    question,
    stake,
    story_street,
    threat,
    threat_headline,
    worst_case_line,
    worst_case_words,
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


def test_the_first_screen_shows_a_house_betrayed_and_protected(first: tuple[Day, Threat]) -> None:
    day, found = first
    assert day.scenario.households == STORY_HOUSES
    unprotected, private, guess = (
        found.accuracy(belief) for belief in (found.stake.unprotected, found.private, found.stake.guess)
    )
    assert unprotected > 0.95 > 0.75 > private
    assert abs(private - guess) < 0.05
    assert question(found, day, own=False).endswith(
        "**Is house 1 occupied?** Your scenario on 2 houses, so few that the unprotected price betrays them."
    )
    error = np.sqrt(np.mean((day.release[FEATURED].rate / day.release[FEATURED].optimal - 1) ** 2))
    assert threat_headline(found, day) == (
        f"Unprotected, she is right **{100 * unprotected:.0f} %** of the day; with the private price "
        f"**{100 * private:.0f} %**; guessing **{100 * guess:.0f} %**. The private price misses by "
        f"**{100 * error:.2g} %**."
    )


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
    assert "The street at hand (300 houses): here even the unprotected price tells little." in question(
        found, day, own=True
    )
    betrayed = told(Scenario(households=3, seed=9))
    assert question(betrayed[1], betrayed[0], own=True).endswith(
        "(3 houses): the unprotected price betrays it."
    )


def test_chance_is_named_where_noise_seems_to_help_her() -> None:
    day, found = told(story_street(Scenario(seed=4)))
    better = Threat(stake=found.stake, private=found.stake.occupied.astype(float))
    worse = Threat(stake=found.stake, private=(~found.stake.occupied).astype(float))
    assert found.accuracy(found.stake.unprotected) < 1
    assert "**100 %**, by chance on this day;" in threat_headline(better, day)
    assert "**0 %**; guessing" in threat_headline(worse, day)


def test_chances_are_said_for_the_house_and_for_the_promise(first: tuple[Day, Threat]) -> None:
    day, found = first
    here = beliefs_at(day, found.stake, 72)
    assert here is not None
    words = price_words(found, day, 72, here)
    assert words == (
        f"At 18:00, of 100 possible prices **{of_100(here.empty)}** would make an observer believe house 1 "
        f"is occupied while it is empty, **{of_100(here.occupied)}** while it is occupied. The worst that "
        "ε = 0.5 allows: **38** and **62**."
    )
    assert worst_case_words(1.0) == "The worst that ε = 1 allows: **27** and **73**."
    assert worst_case_line(1.0).startswith(
        "At worst, of 100 prices **27** say “occupied” while a house is empty"
    )


def test_where_habits_settle_the_state_there_is_nothing_to_hide() -> None:
    day, found = told(story_street(PRESETS["quiet night"]))
    asleep = int(np.flatnonzero(found.stake.guess == 0)[0])
    assert beliefs_at(day, found.stake, asleep) is None
    assert "habits alone settle that house" in price_words(found, day, asleep, None)
    assert "is empty: there is nothing to hide. The worst" in price_words(found, day, asleep, None)
