"""A round: what it holds and refuses, who is asked about whom, and its JSON."""

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings

from rtp import PRESETS, Scenario
from rtp.mechanisms import REGISTRY
from rtp.play import Guess, Round
from rtp.play.round import PLAY_BOUNDS
from tests.help.sentence import refuse
from tests.unit.play.rounds import rounds

GUESS = Guess(step=0, player=0, house=1, at_home=True)


def test_default_round_is_five_streets_of_doubling_sizes() -> None:
    played = Round()
    assert (played.players, played.steps, played.mechanism, played.epsilon) == (20, 12, "optimal", 0.5)
    assert played.streets == tuple(range(h, h + 4) for h in range(0, 20, 4))
    assert [played.size(house) for house in range(4, 8)] == [1.0, 2.0, 4.0, 8.0]
    assert [played.when(step) for step in (0, 11)] == ["07:00", "18:00"]
    assert played.private == "blowfish"
    assert played.replace(mechanism="naive").private == "naive"


@pytest.mark.parametrize(
    ("houses", "sizes"),
    [
        (3, [1, 2, 4]),
        (5, [1, 2, 4, 8, 16]),
        (8, [1, 2, 4, 8, 16, 1, 2, 4]),
    ],
)
def test_longer_streets_have_larger_houses_then_equal_ones(houses: int, sizes: list[float]) -> None:
    assert list(Round(per_street=houses).street_sizes) == sizes


def test_simulated_houses_fill_up_the_last_street() -> None:
    played = Round(players=9, per_street=4)
    assert played.houses == 12
    assert [house for house in range(12) if played.is_simulated(house)] == [9, 10, 11]
    assert Round(players=8).houses == 8
    assert Round(players=2, per_street=3).houses == 3


def test_everyone_sits_in_one_street() -> None:
    played = Round(players=20, per_street=20)
    assert played.streets == (range(20),)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"players": 0}, "players is 0; it must be a whole number from 1 to 100."),
        ({"per_street": 2}, "per_street is 2; it must be a whole number from 3 to 200."),
        ({"steps": 25}, "steps is 25; it must be a whole number from 1 to 24."),
        ({"first_hour": 24}, "first_hour is 24; it must be a whole number from 0 to 23."),
        ({"steps": True}, "steps is True; input should be a valid integer."),
        ({"steps": 2.5}, "steps is 2.5; input should be a valid integer."),
        (
            {"mechanism": "magic"},
            f"mechanism is 'magic'; it must be one of {', '.join(REGISTRY)}.",
        ),
        ({"habits": "none"}, "habits is 'none'; input should be 'coin' or 'scenario'."),
        ({"sizes": ()}, "sizes is (); tuple should have at least 1 item after validation, not 0."),
        ({"sizes": (1.0, -1.0)}, "sizes[1] is -1.0; input should be greater than or equal to 0.01."),
        (
            {"sizes": (1.0, 1.0 + 1e-9)},
            "sizes is (1.0, 1.000000001); it must differ within six digits where they differ.",
        ),
        ({"sizes": (1000.1,)}, "sizes[0] is 1000.1; input should be less than or equal to 1000."),
        (
            {"sizes": tuple(map(float, range(1, 10)))},
            "sizes is (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, ...); tuple should have at most 8 items after "
            "validation, not 9.",
        ),
        ({"choices": ((0,),)}, "choices[0] is '1 entries'; it must have one for each of 20 houses."),
        ({"choices": ((2,) * 20,)}, "choices[0][0] is 2; input should be less than or equal to 1."),
        ({"steps": 1, "choices": ((0,) * 20,) * 2}, "choices is '2 steps'; it must have at most 1."),
        (
            {"guesses": (GUESS.replace(step=12),)},
            "guesses[0].step is 12; it must be a whole number from 0 to 11.",
        ),
        (
            {"guesses": (GUESS.replace(player=20),)},
            "guesses[0].player is 20; it must be a whole number from 0 to 19.",
        ),
        (
            {"guesses": (GUESS.replace(house=0),)},
            "guesses[0].house is 0; it must be another house of the player's street.",
        ),
        (
            {"guesses": (GUESS.replace(house=4),)},
            "guesses[0].house is 4; it must be another house of the player's street.",
        ),
        ({"guesses": (GUESS, GUESS)}, "guesses have two of one player at one step; each may have one."),
        (
            {"habits": "scenario", "scenario": PRESETS["unsure curator"]},
            "models[1].habits[0].periods[3].start is 23.75; with a price every 60 minutes a period must "
            "start with one of them.",
        ),
        (
            {"speed": 1},
            "speed is not a field of Round; known are scenario, players, per_street, sizes, steps, "
            "first_hour, mechanism, habits, choices, guesses.",
        ),
    ],
)
def test_a_round_refuses_in_one_sentence(changes: dict[str, Any], sentence: str) -> None:
    assert refuse(lambda: Round(**changes)) == sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"scenario": {"epsilon": 0}}', "epsilon is 0; it must be a number from 0.0001 to 10,000."),
        ('{"scenario": {"version": 99}}', "version is 99, newer than this lab; it reads versions 1 to 2."),
        ('{"scenario": 1}', "scenario is 1; input should be a valid dictionary or instance of Scenario."),
        ('{"guesses": [{"step": 0}]}', "guesses[0].player is missing from Guess."),
        ("[]", "The JSON is []; it must be an object."),
    ],
)
def test_a_text_that_is_no_round_is_refused(text: str, sentence: str) -> None:
    assert refuse(lambda: Round.from_json(text)) == sentence


@settings(max_examples=60)
@given(rounds())
def test_a_round_comes_back_from_its_json(played: Round) -> None:
    text = played.to_json()
    assert Round.from_json(text) == played
    assert Round.from_json(text).to_json() == text
    assert json.loads(text)["choices"] == [list(row) for row in played.choices]


def test_the_largest_round_can_be_saved() -> None:
    made = Round(players=100, steps=24, choices=((-1,) * 100,) * 24)
    asked = [(t, player) for t in range(24) for player in range(100)]
    guesses = [
        Guess(step=t, player=player, house=made.asked_about(player, t), at_home=False) for t, player in asked
    ]
    made = made.replace(guesses=tuple(guesses))
    assert Round.from_json(made.to_json()) == made


@settings(max_examples=100)
@given(rounds(most=30, longest=12, guesses=False))
def test_houses_are_asked_about_evenly(played: Round) -> None:
    """At each step every player's house by one player, and over n − 1 steps by each of its street."""
    for street in played.streets:
        players = [house for house in street if not played.is_simulated(house)]
        for step in range(played.steps):
            asked = [played.asked_about(player, step) for player in players]
            assert all(house != player for house, player in zip(asked, players, strict=True))
            if len(players) > 1:
                assert sorted(asked) == players
        if len(players) > 1:
            pairs = Counter((p, played.asked_about(p, t)) for p in players for t in range(len(players) - 1))
            assert set(pairs.values()) == {1}
            assert len(pairs) == len(players) * (len(players) - 1)


def test_a_player_among_simulated_houses_is_asked_about_them() -> None:
    played = Round(players=5, per_street=4)
    assert [played.asked_about(4, step) for step in range(4)] == [5, 6, 7, 5]


def test_what_a_house_and_a_price_say_is_in_plain_words() -> None:
    played = Round(scenario=Scenario(alpha=2.0, inelastic_demand=10.0))
    assert played.use_words(3) == "At home your house uses 4.8 to 8 kW, away at most 0.8 kW."
    assert played.price_words() == "An exact price is 82.5 plus 2 for every kW that the street uses."


def test_bounds_are_those_of_the_fields() -> None:
    for name, bounds in PLAY_BOUNDS.items():
        for value in (bounds.low, bounds.high):
            assert getattr(Round(**{name: value}), name) == value
    assert Round(sizes=(0.01, 1000.0, 1, 2, 3, 4, 5, 6)).sizes[:2] == (0.01, 1000.0)
    named = {name: bounds.words for name, bounds in PLAY_BOUNDS.items()}
    assert named == {
        "players": "Players",
        "per_street": "Houses per street",
        "steps": "Steps, an hour each",
        "first_hour": "Hour at which the round begins",
    }
