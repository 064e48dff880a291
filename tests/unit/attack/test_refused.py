"""What is asked of the observer and cannot be: refused in one sentence, before anything runs."""

import tracemalloc
from typing import Any

import pytest

from rtp import Scenario, ScenarioError, simulate
from rtp.attack.adversary import posterior
from rtp.attack.success import ATTACKED_DAYS, attacks
from rtp.mechanisms import REGISTRY
from rtp.scenario import must_be_house

SMALL = Scenario(households=5)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            {"mechanism": "magic"},
            f"mechanism is 'magic'; it must be one of {', '.join(REGISTRY)}.",
        ),
        ({"adversary": "everyone"}, "adversary is 'everyone'; it must be one of outsider, insider."),
        ({"house": 20}, "house is 20; it must be a whole number from 0 to 19."),
        ({"house": -1}, "house is -1; it must be a whole number from 0 to 19."),
        ({"house": 1.0}, "house is 1.0; it must be a whole number from 0 to 19."),
        ({"model": "nobody's"}, 'model is "nobody\'s"; it must be one of As published.'),
    ],
)
def test_what_is_not_known_is_refused_in_one_sentence(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        posterior(simulate(Scenario(households=20)), **{"mechanism": "naive", **arguments})
    assert str(refused.value) == sentence


def test_refusing_a_house_of_a_large_street_costs_nothing() -> None:
    """No list of two million houses is made to say that there is no such house."""
    tracemalloc.start()
    with pytest.raises(ScenarioError) as refused:
        must_be_house("house", 2_000_000, 2_000_000)
    with pytest.raises(ScenarioError) as refused_attack:
        attacks(Scenario(households=2_000_000), 2, house=2_000_000)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1_000_000
    sentence = "house is 2000000; it must be a whole number from 0 to 1,999,999."
    assert str(refused.value) == str(refused_attack.value) == sentence
    must_be_house("house", 1_999_999, 2_000_000)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"days": 1}, "days is 1; it must be a whole number from 2 to 1,000."),
        ({"days": 1001}, "days is 1001; it must be a whole number from 2 to 1,000."),
        ({"days": 2.0}, "days is 2.0; it must be a whole number from 2 to 1,000."),
        (
            {"mechanisms": ["naive", "magic"]},
            f"mechanism is 'magic'; it must be one of {', '.join(REGISTRY)}.",
        ),
        ({"adversary": "all"}, "adversary is 'all'; it must be one of outsider, insider."),
        ({"house": 5}, "house is 5; it must be a whole number from 0 to 4."),
    ],
)
def test_bad_input_is_refused_before_anything_runs(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        attacks(SMALL, **{"days": 3, **arguments})
    assert str(refused.value) == sentence


def test_the_ends_of_what_is_allowed_are_allowed() -> None:
    """Nothing runs before the first result is asked for."""
    assert (ATTACKED_DAYS.low, ATTACKED_DAYS.high) == (2, 1000)
    for days in (2, 1000):
        assert next(attacks(SMALL, days, house=4, mechanisms=["optimal"])).days == 1
