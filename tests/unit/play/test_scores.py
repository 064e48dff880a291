"""What a round taught: a score table checked by hand, the same round under another rate, the sentence."""

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings

from rtp import Scenario
from rtp.core.types import Floats
from rtp.play import Guess, PlayerScore, Round, Scores, play_street, replay, reveal
from rtp.play.scores import CLEARLY, player_scores, price_name, share_right, words
from tests.unit.play.rounds import rounds, twin_states

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
    assert scores.players == (
        PlayerScore(house=0, answered=2, right=1),
        PlayerScore(house=1, answered=2, right=2),
        PlayerScore(house=2, answered=1, right=0),
    )
    assert scores.class_right == 0.6
    assert scores.habits_right == 0.5
    assert scores.observer_right == scores.unprotected_right == counted(scores.belief, scores)
    assert scores.private_right == counted(scores.private_belief, scores)
    off = [
        100 * (private - exact) / exact
        for private, exact in zip(scores.private_price[:, 0], scores.optimal[:, 0], strict=True)
    ]
    assert scores.missed_percent == pytest.approx(sqrt((off[0] ** 2 + off[1] ** 2) / 2))


def counted(belief: Floats, scores: Scores) -> float:
    """The share of right guesses, one by one."""
    right = 0.0
    for t in range(2):
        for house in range(3):
            if belief[t, house] == 0.5:
                right += 0.5
            elif (belief[t, house] > 0.5) == scores.at_home[t, house]:
                right += 1
    return right / 6


def test_without_guesses_the_class_has_no_share() -> None:
    scores = reveal(THREE.replace(guesses=()))
    assert scores.class_right is None
    assert {(player.answered, player.right) for player in scores.players} == {(0, 0)}


@settings(max_examples=15)
@given(rounds(most=7, longest=4))
def test_players_are_scored_as_one_would_count(played: Round) -> None:
    truth = np.hstack([twin_states(played, street) for street in range(len(played.streets))])
    for score in player_scores(played, truth):
        own = [guess for guess in played.guesses if guess.player == score.house]
        assert score.answered == len(own)
        assert score.right == sum(guess.at_home == truth[guess.step, guess.house] for guess in own)


def test_a_round_revealed_is_its_streets_side_by_side() -> None:
    played = Round(players=7, steps=3, choices=((1, 0) * 4,))
    scores = reveal(played)
    for street, houses in enumerate(played.streets):
        exact, private = play_street(played, street), play_street(played, street, "blowfish")
        here = slice(houses.start, houses.stop)
        np.testing.assert_array_equal(scores.at_home[:, here], exact.at_home)
        np.testing.assert_array_equal(scores.belief[:, here], exact.belief)
        np.testing.assert_array_equal(scores.private_belief[:, here], private.belief)
        np.testing.assert_array_equal(scores.price[:, street], exact.price)
        np.testing.assert_array_equal(scores.private_price[:, street], private.price)


def test_a_replay_keeps_choices_and_guesses() -> None:
    before = reveal(THREE)
    after = replay(THREE, "naive", 2.0)
    np.testing.assert_array_equal(after.at_home, before.at_home)
    np.testing.assert_array_equal(after.optimal, before.optimal)
    assert after.players == before.players
    assert after.unprotected_right == before.unprotected_right
    assert (after.round.mechanism, after.round.private, after.round.epsilon) == ("naive", "naive", 2.0)
    assert after.observer_right == after.private_right
    twice = replay(THREE, "naive", 1.0)
    np.testing.assert_allclose(twice.price - twice.optimal, 2 * (after.price - after.optimal))


def test_the_sentence_says_what_was_learned() -> None:
    scores = replace(
        reveal(Round(steps=1, players=4)), observer_right=0.784, unprotected_right=0.784, habits_right=0.5
    )
    right = "the observer is right {} of the time, habits alone 50 %."
    assert words(scores) == f"The exact price gives people away: {right.format('78 %')}"
    few = replace(scores, observer_right=0.55)
    assert words(few) == f"The exact price hardly helped: {right.format('55 %')}"
    crowd = replace(few, round=Round(players=20, per_street=20))
    assert words(crowd) == f"20 houses hide each other: {right.format('55 %')}"
    private = replace(scores, round=scores.round.replace(mechanism="blowfish"), observer_right=0.54)
    assert words(private) == (
        "The Blowfish price at ε = 0.5 hides people: the observer is right 54 % of the time, from the exact "
        "price 78 %."
    )
    lucky = replace(private, observer_right=0.7)
    told = "the observer is right 70 % of the time, from the exact price 78 %."
    assert words(lucky) == f"The Blowfish price at ε = 0.5 was read for too few steps to tell: {told}"
    long = replace(lucky, at_home=np.zeros((12, 20), bool))
    assert words(long) == f"The Blowfish price at ε = 0.5 still gives people away: {told}"
    forecast = replace(lucky, round=scores.round.replace(mechanism="forecast"), observer_right=0.54)
    assert words(forecast) == f"The Forecast price hides people: {told.replace('70', '54')}"


def test_a_tenth_more_gives_people_away_and_a_street_has_as_many_sizes() -> None:
    """The limits themselves: a tenth above habits, as much as luck allows, and five houses of five sizes."""
    scores = replace(
        reveal(Round(steps=1, players=5, per_street=5)), at_home=np.zeros((5, 5), bool), habits_right=0.0
    )
    tenth, less = (replace(scores, observer_right=right) for right in (CLEARLY, CLEARLY - 1e-9))
    assert words(tenth).split(":")[0] == "The exact price gives people away"
    assert words(less).split(":")[0] == "The exact price hardly helped"
    six = replace(less, round=less.round.replace(per_street=6))
    assert words(six).split(":")[0] == "6 houses hide each other"
    hidden = scores.round.replace(mechanism="naive")
    leads = [
        words(replace(scores, round=hidden, observer_right=right)).split(":")[0]
        for right in (CLEARLY - 1e-9, CLEARLY, 0.2 - 1e-9, 0.2)
    ]
    luck = "The Naive price at ε = 0.5 was read for too few steps to tell"
    assert leads == [
        "The Naive price at ε = 0.5 hides people",
        luck,
        luck,
        "The Naive price at ε = 0.5 still gives people away",
    ]

    sure = replace(scores, round=hidden, at_home=np.zeros((10, 10), bool), observer_right=CLEARLY)
    assert words(sure).split(":")[0] == leads[-1], "a tenth is no luck over a hundred moments"


def test_a_price_is_called_by_its_rate_and_the_budget_it_depends_on() -> None:
    assert [price_name(name) for name in ("optimal", "naive")] == ["Exact price", "Naive price"]
    told = [price_name(name, 0.5) for name in ("optimal", "naive", "forecast")]
    assert told == ["Exact price", "Naive price at ε = 0.5", "Forecast price"]


def test_forecast_teaches_nothing_whatever_the_budget() -> None:
    scores = replay(Round(players=4, scenario=Scenario(seed=4)), "forecast", 0.5)
    np.testing.assert_array_equal(scores.belief, scores.habits)
    assert scores.unprotected_right == share_right(scores.at_home, scores.unprotected_belief) > 0.6
