"""A round: what it holds and refuses, who is asked about whom, and its JSON."""

import json
from collections import Counter
from functools import partial
from typing import Any

import pytest
from hypothesis import given

from rtp.mechanisms import REGISTRY
from rtp.play import Guess, Round
from rtp.play.round import PLAY_BOUNDS
from tests.help.sentence import refuse
from tests.unit.play.rounds import rounds

GUESS = Guess(step=0, player=0, house=1, at_home=True)


@given(rounds(most=30, longest=20))
def test_every_house_stands_in_one_street_of_the_stated_length(played: Round) -> None:
    assert [house for street in played.streets for house in street] == list(range(played.houses))
    assert {len(street) for street in played.streets} == {played.per_street}
    assert [played.plays(h, 0) for h in range(played.houses)].count(True) == played.players
    for street in played.streets:
        assert [played.size(house) for house in street] == list(played.street_sizes)
    assert len(set(played.street_sizes[:5])) == min(played.per_street, 5)


@pytest.mark.parametrize("name", PLAY_BOUNDS)
def test_a_number_is_accepted_at_its_limits_and_refused_beyond(name: str) -> None:
    low, high = int(PLAY_BOUNDS[name].low), int(PLAY_BOUNDS[name].high)
    for value in (low, high):
        assert getattr(Round().replace(**{name: value}), name) == value
    for value in (low - 1, high + 1):
        said = refuse(partial(Round().replace, **{name: value}))
        assert said.startswith(f"{name} is {value}")
        assert f"{low} to {high}" in said


@pytest.mark.parametrize(
    ("changes", "field", "accepted"),
    [
        ({"steps": 2.5}, "steps", "integer"),
        ({"mechanism": "magic"}, "mechanism", ", ".join(REGISTRY)),
        ({"sizes": (1.0, -1.0)}, "sizes[1]", "0.01"),
        ({"sizes": (1.0, 1.0 + 1e-9)}, "sizes", "six digits"),
        ({"choices": ((0,),)}, "choices[0]", "20 houses"),
        ({"steps": 1, "choices": ((0,) * 20,) * 2}, "choices", "at most 1"),
        ({"guesses": (GUESS.replace(step=12),)}, "guesses[0].step", "0 to 11"),
        ({"guesses": (GUESS.replace(house=0),)}, "guesses[0].house", "another house"),
        ({"guesses": (GUESS, GUESS)}, "guesses", "one"),
        ({"speed": 1}, "speed", "players"),
    ],
)
def test_a_round_refuses_by_field_and_what_it_takes(
    changes: dict[str, Any], field: str, accepted: str
) -> None:
    said = refuse(lambda: Round(**changes))
    assert said.startswith(field)
    assert accepted in said


@given(rounds())
def test_a_round_comes_back_from_its_json(played: Round) -> None:
    text = played.to_json()
    assert Round.from_json(text) == played
    assert Round.from_json(text).to_json() == text
    assert json.loads(text)["choices"] == [list(row) for row in played.choices]


@pytest.mark.long
@given(rounds(most=30, longest=12, guesses=False))
def test_houses_are_asked_about_evenly(played: Round) -> None:
    """At each step every player's house by one player, and over n − 1 steps by each of its street."""
    for street in played.streets:
        for step in range(played.steps):
            players = [house for house in street if played.plays(house, step)]
            asked = [played.asked_about(player, step) for player in players]
            assert all(house != player for house, player in zip(asked, players, strict=True))
            if len(players) > 1:
                assert sorted(asked) == players
        if len(players) > 1:
            pairs = Counter((p, played.asked_about(p, t)) for p in players for t in range(len(players) - 1))
            assert set(pairs.values()) == {1}
            assert len(pairs) == len(players) * (len(players) - 1)
