"""The tour's stops: each opens as its link says, and what its sentence claims is so."""

import numpy as np
import pytest

from rtp import Scenario, simulate
from rtp.core.formatting import whole_percent
from rtp.exposure import exposure
from rtp.figures.bend import nothing_more
from rtp.mechanisms import FEATURED
from rtp.output.exposure import visibility
from rtp.output.story import budgets_words
from rtp.scenario.share import read_link
from rtp.teaching.tour import LOOSE, STOPS, STRICT, private_belief, stake, story_street
from rtp.tradeoff.curves import errors

HABITS, OBSERVER, NOISE = (stop.words for stop in STOPS[1:4])


def test_two_houses_are_betrayed_by_the_price_and_less_by_noise() -> None:
    shares = []
    for epsilon in (LOOSE, STRICT):
        day = simulate(story_street(Scenario(epsilon=epsilon)))
        own = stake(day)
        shares.append(own.right(private_belief(day, own)))
    assert own.right(own.unprotected) == 1
    assert whole_percent(own.right(own.guess)) in HABITS
    told = dict(zip((LOOSE, STRICT), shares, strict=True))
    assert budgets_words(told, own.right(own.guess)) == NOISE
    assert "as much as" not in budgets_words(told, 0.5)


def test_on_five_houses_the_price_still_tells_more_than_habits() -> None:
    own = stake(simulate(read_link(STOPS[2].scenario).scenario))
    for belief in (own.unprotected, own.guess):
        assert whole_percent(own.right(belief)) in OBSERVER


def test_noise_hides_more_and_costs_more_until_it_hides_nothing_more() -> None:
    day, budgets = simulate(Scenario()), np.geomspace(10, 0.01, 31).tolist()
    told = exposure(day.scenario, "moment", "insider").over(FEATURED, budgets).value
    (error,) = errors(day, [FEATURED], budgets).values()
    assert (told[1:] <= told[:-1]).all()
    assert (error[1:] > error[:-1]).all()
    assert nothing_more(error, [told]) is not None


@pytest.mark.slow
def test_a_moment_is_blurred_and_a_week_away_visible_to_an_insider() -> None:
    """On fewer houses than the story's: an insider knows what all others use."""
    street = Scenario(households=100)
    seen = [exposure(street, secret, "insider").at(FEATURED, STRICT) for secret in ("moment", "week")]
    assert [visibility(area) for area in seen] == ["blurred", "visible"]
