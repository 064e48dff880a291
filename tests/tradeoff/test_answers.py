"""What an accepted error asks for, in words."""

import numpy as np
import pytest

from rtp import Scenario, simulate
from rtp.mechanisms import private
from rtp.tradeoff import Budget, Curve, Line, epsilon_for
from rtp.tradeoff.answers import (
    answer,
    beaten_by,
    budgets,
    first_target,
    needed,
    no_data_level,
    target_rmsre,
)
from rtp.tradeoff.target import scan

SCENARIO = Scenario(households=60)


def budget(name: str, epsilon: float | None) -> Budget:
    return Budget(mechanism=name, epsilon=epsilon, words=f"{name} says so.")


def flat(**levels: float) -> Curve:
    """A curve of two budgets, the same error at both."""
    lines = {
        name: Line(expected=np.full(2, x), today=np.full(2, x), low=np.full(2, x), high=np.full(2, x))
        for name, x in levels.items()
    }
    return Curve(epsilons=np.array([0.5, 1.0]), days=2, steps=96, lines=lines)


def test_every_private_mechanism_is_asked() -> None:
    life = simulate(SCENARIO).life
    found = budgets(SCENARIO, 0.001, life, scan(SCENARIO, life))
    assert list(found) == private()
    assert found["calibrated"] == epsilon_for(SCENARIO, "calibrated", 0.001)


def test_the_first_target_is_an_error_in_percent_in_two_digits() -> None:
    assert first_target(0.012345) == 1.2
    assert target_rmsre(2.0, 400) == pytest.approx(0.001)


@pytest.mark.parametrize("nothing", [0.0, np.inf, np.nan])
def test_where_an_error_is_no_number_another_stands_in_or_none(nothing: float) -> None:
    assert first_target(nothing) == 10.0
    assert no_data_level(flat(forecast=nothing)) is None
    assert no_data_level(flat(forecast=0.002)) == 0.002


def test_budgets_in_words() -> None:
    assert needed(budget("naive", None)) == "out of reach"
    assert needed(budget("forecast", 0.0)) == "no budget"
    assert needed(budget("naive", 0.123456)) == "ε = 0.1235"


def test_who_beats_looking_at_no_data_and_from_where() -> None:
    found = {
        "naive": budget("naive", 0.31234),
        "blowfish": budget("blowfish", None),
        "filtered": budget("filtered", 1e-4),
        "forecast": budget("forecast", 0.0),
    }
    assert beaten_by(found) == "It is beaten by: Naive from ε = 0.312, Blowfish never, Filtered always."


def test_the_answer_names_the_most_private_and_then_the_best_of_those_that_look() -> None:
    start = "To miss the optimal rate by 1.96 % of its value in a typical step (RMSRE 0.002): "
    reached = {"naive": budget("naive", 0.5), "filtered": budget("filtered", 0.1)}
    told = answer(reached, 0.002, 96)
    assert told.best is told.reading is reached["filtered"]
    assert told.words == start + "the most privacy is with **Filtered**. filtered says so. "
    free = reached | {"forecast": budget("forecast", 0.0)}
    told = answer(free, 0.002, 96)
    assert (told.best, told.reading) == (free["forecast"], free["filtered"])
    assert told.words.endswith(
        "**Forecast**. forecast says so. Of those that look at data: filtered says so."
    )
    told = answer({"naive": budget("naive", None)}, 0.002, 96)
    assert (told.best, told.reading) == (None, None)
    assert told.words == start + "no mechanism gets there with any allowed budget."
