"""The tour's stops: each opens as its link says, and what its sentence claims is so."""

import numpy as np
import pytest

from rtp import PRESETS, Scenario, simulate
from rtp.core.formatting import percent
from rtp.leakage.overview import overview, visibility_word
from rtp.mechanisms import FEATURED, YARDSTICK
from rtp.scenario import LIBRARY
from rtp.scenario.share import read_link
from rtp.teaching.headline import average, private_days, public_days
from rtp.teaching.threat import right_share, stake, story_street, threat, whole_percent
from rtp.teaching.tour import LOOSE, MAX_WORDS, STOPS, STRICT

PRICE, HABITS, OBSERVER, NOISE, ALGORITHM, MANSIONS, COST, OVER_TIME, RECAP = (stop.words for stop in STOPS)


def test_nine_stops_of_one_sentence_each() -> None:
    assert len(STOPS) == 9
    assert len({stop.screen for stop in STOPS}) >= 6
    assert len({stop.title for stop in STOPS}) == 9
    for stop in STOPS:
        assert len(stop.words.split()) <= MAX_WORDS
        assert stop.words.count(". ") == 0
        assert stop.words.endswith(".")
        assert not {"she", "her"} & {*stop.words.split()}, "an observer is called so"
        assert not read_link(stop.scenario).damaged
        assert not read_link(stop.scenario).unknown


def test_the_price_of_two_houses_gives_the_day_away_and_habits_do_not() -> None:
    day = simulate(story_street(Scenario()))
    own = stake(day, 0)
    assert day.scenario.households == 2
    assert right_share(own.unprotected, own.occupied) == 1
    assert "knows all day" in PRICE
    assert f"right {whole_percent(right_share(own.guess, own.occupied))} of this day" in HABITS


def test_on_five_houses_the_price_still_tells_more_than_habits() -> None:
    day = simulate(read_link(STOPS[2].scenario).scenario)
    own = stake(day, 0)
    assert day.scenario.households == 5
    assert f"right {whole_percent(right_share(own.unprotected, own.occupied))} of this day" in OBSERVER
    assert f"alone {whole_percent(right_share(own.guess, own.occupied))}." in OBSERVER


def test_a_smaller_epsilon_takes_from_the_observer_on_this_day() -> None:
    assert PRESETS["paper"].epsilon == STRICT
    shares = []
    for epsilon in (STRICT, LOOSE):
        day = simulate(story_street(Scenario(epsilon=epsilon)))
        found = threat(day, stake(day, 0))
        shares.append(whole_percent(found.accuracy(found.private)))
    assert f"right {shares[0]} of this day, not {shares[1]};" in NOISE
    assert f"Lower ε from {LOOSE:g} to {STRICT:g}:" in NOISE


@pytest.mark.slow
def test_the_averages_of_habits_and_of_both_epsilons_are_so() -> None:
    street = story_street(Scenario())
    public = public_days(street, 0)
    habits = average(public.habits).value
    strict, loose = (
        average(private_days(street.replace(epsilon=epsilon), 0).private).value for epsilon in (STRICT, LOOSE)
    )
    assert f"and {whole_percent(habits)} on average" in HABITS
    assert f"on average {whole_percent(strict)}, not {whole_percent(loose)}." in NOISE
    assert average(public.public).value > habits + 0.05, RECAP
    assert abs(strict - habits) < 0.02, "noise takes that back"


def test_at_night_nobody_is_protected_and_no_noise_added() -> None:
    release = simulate(read_link(STOPS[4].scenario).scenario).release[FEATURED]
    night = slice(4, 24)  # 1:00 to 6:00
    assert not release.protected[night].any()
    assert not release.scale[night].any()
    assert (release.protected[40:80] == 1000).all()
    assert "protects none and adds no noise" in ALGORITHM


def test_only_algorithm_1_needs_less_noise_while_mansions_are_certain() -> None:
    street = LIBRARY[STOPS[5].scenario["preset"]].scenario
    assert street.groups[0].occupied_max == 5 * street.groups[1].occupied_max
    release = simulate(street).release
    assert np.ptp(release[FEATURED].scale) > 0
    assert np.ptp(release[YARDSTICK].scale) == 0
    assert "five times" in MANSIONS


def test_the_smaller_epsilon_the_further_the_price_misses() -> None:
    for epsilon in (1.0, 0.1):
        error = simulate(Scenario(epsilon=epsilon)).release[FEATURED].expected_error
        assert f"{percent(error, 2)} at ε = {epsilon:g}" in COST


@pytest.mark.slow
def test_a_moment_is_blurred_and_a_weeks_holiday_visible_to_an_insider() -> None:
    found = overview(Scenario(), FEATURED, 72)
    moment, holiday = (found.areas[name, "insider"].value for name in ("moment", "holiday"))
    assert visibility_word(moment) == "blurred"
    assert visibility_word(holiday) == "visible"
    assert "moment stays blurred" in OVER_TIME
    assert "nearly always" in OVER_TIME
