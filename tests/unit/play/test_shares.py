"""Shares with intervals against published ones and repetition; what the noise costs against the lab."""

import numpy as np
import pytest

from rtp import simulate
from rtp.core.stats import Range
from rtp.play import Round, street_scenario
from rtp.play.scores import costs, less, share_interval


def test_the_difference_of_two_shares_has_newcombes_interval() -> None:
    """Newcombe (1998), table II, 56 of 70 against 48 of 80, method 10, from Wilson's intervals of both."""
    fell = less(Range(0.8, 0.6918, 0.8773), Range(0.6, 0.4905, 0.7002))
    assert fell == pytest.approx((0.2, 0.0524, 0.3339), abs=2e-4)


@pytest.mark.parametrize("together", [0.0, 0.9])
def test_an_interval_holds_as_often_as_it_says(together: float) -> None:
    """Also where guesses that read the same price are right or wrong together."""
    rng = np.random.default_rng(1)
    price = np.repeat(np.arange(24), 4)
    held, tries = 0, 400
    for _ in range(tries):
        alike = rng.random(24)[price] < 0.7
        right = np.where(rng.random(24)[price] < together, alike, rng.random(96) < 0.7)
        held += share_interval(right.astype(float), price).covers(0.7)
    assert held / tries > 0.95 - 3.3 * np.sqrt(0.95 * 0.05 / tries) - 0.015, "a design effect is estimated"
    assert share_interval(np.ones(96), price).low == pytest.approx(24 / (24 + 2.0687**2), abs=1e-4), (
        "24 prices"
    )


def test_what_noise_costs_is_what_a_simulated_street_pays() -> None:
    """Of four houses over a month of hours; what the observer learns is in `test_street`."""
    played = Round(players=25)
    short, crowd, long = costs(played)
    days = simulate(street_scenario(played, 0).replace(days=31)).release["blowfish"].error_percent / 100
    squares = days**2
    error = squares.std() / np.sqrt(len(squares))
    assert short.missed**2 == pytest.approx(squares.mean(), abs=3.3 * error)
    assert short.missed > crowd.missed > 10 * long.missed
    assert short.private >= crowd.private >= long.private > 0.5
