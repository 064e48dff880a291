"""The tour's stops: each opens as its link says, and what its sentence claims is so."""

import pytest
from rtp.teaching.exposure import exposure
from rtp.teaching.threat import private_belief, right_share, stake, story_street

from rtp import Scenario, simulate
from rtp.core.formatting import whole_percent
from rtp.leakage.overview import overview, visibility_word
from rtp.mechanisms import FEATURED
from rtp.output.story import budgets_words
from rtp.scenario.share import read_link
from rtp.teaching.tour import LOOSE, STOPS, STRICT

HABITS, OBSERVER, NOISE = (stop.words for stop in STOPS[1:4])


def test_two_houses_are_betrayed_by_the_price_and_less_by_noise() -> None:
    shares = []
    for epsilon in (LOOSE, STRICT):
        day = simulate(story_street(Scenario(epsilon=epsilon)))
        own = stake(day, 0)
        shares.append(right_share(private_belief(day, own), own.occupied))
    assert right_share(own.unprotected, own.occupied) == 1
    assert whole_percent(right_share(own.guess, own.occupied)) in HABITS
    told = dict(zip((LOOSE, STRICT), shares, strict=True))
    assert budgets_words(told, right_share(own.guess, own.occupied)) == NOISE
    assert "as much as" not in budgets_words(told, 0.5)


def test_on_five_houses_the_price_still_tells_more_than_habits() -> None:
    own = stake(simulate(read_link(STOPS[2].scenario).scenario), 0)
    for belief in (own.unprotected, own.guess):
        assert whole_percent(right_share(belief, own.occupied)) in OBSERVER


def test_the_averages_of_habits_and_of_noise_are_so() -> None:
    found = exposure(Scenario(epsilon=STRICT))
    assert whole_percent(found.habits.value) in HABITS
    assert found.verdict == "hidden", "the optimal rate betrays more than habits, noise takes that back"


@pytest.mark.slow
def test_a_moment_is_blurred_and_a_weeks_holiday_visible_to_an_insider() -> None:
    found = overview(Scenario(), FEATURED, 72)
    moment, holiday = (found.areas[name, "insider"].value for name in ("moment", "holiday"))
    assert visibility_word(moment) == "blurred"
    assert visibility_word(holiday) == "visible"
