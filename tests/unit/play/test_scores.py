"""What a round taught: a score table checked by hand, the same round under another rate, the sentence."""

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest

from rtp import simulate
from rtp.core.stats import Range
from rtp.core.types import Floats
from rtp.output.play import CLEARLY, learned_words
from rtp.play import Guess, Round, Scores, play_street, replay, reveal, street_scenario
from rtp.play.round import shared_street
from rtp.play.scores import COIN, Points, class_share, costs, count_points, less, share_interval

HOME, AWAY = True, False
#            step, player, house, guess
ANSWERED = [(0, 0, 1, AWAY), (0, 1, 2, HOME), (0, 2, 0, AWAY), (1, 0, 2, AWAY), (1, 1, 0, AWAY)]
THREE = Round(
    players=3,
    per_street=3,
    steps=2,
    choices=((1, 0, 1), (0, 0, 1)),
    guesses=tuple(Guess(step=t, player=p, house=h, at_home=g) for t, p, h, g in ANSWERED),
)


def test_a_score_table_is_as_counted_by_hand() -> None:
    """House 0 is at home then away, 1 away twice, 2 at home twice: three of five guesses are right."""
    scores = reveal(THREE)
    np.testing.assert_array_equal(scores.at_home, [[True, False, True], [False, False, True]])
    class_right = class_share(THREE, scores.at_home)
    assert class_right is not None
    assert class_right.value == 0.6
    assert scores.observer.value == scores.unprotected_right == counted(scores.belief, scores)
    assert scores.private_right == counted(scores.private_belief, scores)
    exact, private = scores.optimal[:, 0], play_street(THREE, 0, "blowfish").price
    off = 100 * (private - exact) / exact
    assert scores.missed_percent == pytest.approx(sqrt((off[0] ** 2 + off[1] ** 2) / 2))


def counted(belief: Floats, scores: Scores) -> float:
    """The share of right guesses: half a one where both states are as likely."""
    return float(np.where(belief == 0.5, 0.5, (belief > 0.5) == scores.at_home).mean())


def test_a_replay_keeps_choices_and_guesses() -> None:
    before = reveal(THREE)
    after = replay(THREE, "naive", 2.0)
    np.testing.assert_array_equal(after.at_home, before.at_home)
    np.testing.assert_array_equal(after.optimal, before.optimal)
    assert after.round.guesses == THREE.guesses
    assert after.unprotected_right == before.unprotected_right
    assert (after.round.mechanism, after.round.private, after.round.epsilon) == ("naive", "naive", 2.0)
    assert after.observer.value == after.private_right
    twice = replay(THREE, "naive", 1.0)
    np.testing.assert_allclose(twice.optimal, after.optimal)
    assert twice.missed_percent == pytest.approx(2 * after.missed_percent)


@pytest.mark.parametrize("mechanism", ["optimal", "naive"])
@pytest.mark.parametrize("per_street", [5, 20])
def test_a_verdict_needs_a_tenth_and_an_interval(mechanism: str, per_street: int) -> None:
    """On short streets the noise hides, on one of twenty the crowd. What cannot be told from a coin is
    the noise at work, and without noise too few steps."""
    played = Round(steps=1, players=20, per_street=per_street, mechanism=mechanism)
    scores = replace(reveal(played), unprotected_right=0.8 if per_street == 5 else 0.59)
    below, above, sure, coin, hidden = (
        learned_words(replace(scores, observer=Range(*ends))).partition(":")[0]
        for ends in (
            (COIN + CLEARLY - 1e-9, 0.55, 0.85),
            (COIN + CLEARLY + 1e-9, 0.55, 0.85),
            (1.0, 0.9, 1.0),
            (0.7, 0.45, 0.9),
            (0.55, 0.51, 0.65),
        )
    )
    assert below != above == sure, "a tenth"
    short = mechanism == "naive" and per_street == 5
    assert coin != above, "an interval"
    assert (coin != below) == (hidden != below) == short, "less than from the optimal rate"


def test_points_are_as_counted_by_hand() -> None:
    """At step 0 the guess about house 0 is wrong. At step 1 nobody guesses about 1, and 2, about which the
    guess is wrong, guesses nothing."""
    at_home = reveal(THREE).at_home
    assert count_points(THREE, at_home, 0) == {}
    assert count_points(THREE, at_home, 1) == {0: Points(1, 1, 1), 1: Points(1, 1, 0), 2: Points(1, 0, 0)}
    assert count_points(THREE, at_home, 2) == {0: Points(2, 1, 1), 1: Points(2, 2, 0), 2: Points(1, 0, 0)}
    answered = THREE.replace(guesses=(*THREE.guesses, Guess(step=1, player=2, house=1, at_home=HOME)))
    won = {0: Points(2, 1, 1), 1: Points(2, 2, 1), 2: Points(2, 0, 1)}
    assert count_points(answered, at_home, 2) == won, "who guesses, too, hides"


@pytest.mark.parametrize("players", [5, 13, 25])
def test_who_is_alone_or_idle_wins_nothing(players: int) -> None:
    """Of a class in which every third never answers, nobody lives without a neighbour who guesses."""
    per_street, steps = shared_street(players, 4), 6
    played = Round(players=players, per_street=per_street, steps=steps)
    assert all(len([h for h in street if h < players]) > 1 for street in played.streets)
    guesses = [
        Guess(step=t, player=p, house=played.asked_about(p, t), at_home=t % 2 == 0)
        for t in range(steps)
        for p in range(players)
        if p % 3
    ]
    at_home = reveal(played).at_home
    points = count_points(played.replace(guesses=tuple(guesses)), at_home, steps)
    by_step = {(each.step, each.house): each for each in guesses}
    for player in range(players):
        own = [each for each in guesses if each.player == player]
        right = sum(each.at_home == at_home[each.step, each.house] for each in own)
        about = [by_step.get((each.step, player)) for each in own]
        hidden = sum(each is not None and each.at_home != at_home[each.step, player] for each in about)
        assert points[player] == Points(len(own), right, hidden)
    assert all(points[player].total == 0 for player in range(0, players, 3))


# Shares with intervals against published ones and repetition; what the noise costs against the lab


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
