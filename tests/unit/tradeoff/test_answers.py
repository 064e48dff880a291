"""What an accepted error asks for, in words."""

import numpy as np
import pytest

from rtp import Scenario, simulate
from rtp.mechanisms import REGISTRY, private
from rtp.simulation import draw_day
from rtp.tradeoff import Budget, epsilon_for
from rtp.tradeoff.answers import (
    AGAINST,
    TARGETS,
    assumptions,
    beaten_by,
    budget_answer,
    budgets,
    first_target,
    most_private,
    needed,
    no_data_level,
    relies_on,
    target_rmsre,
    usable_epsilon,
)
from tests.unit.tradeoff.streets import certain_street, flat

SCENARIO = Scenario(households=60)


def budget(name: str, epsilon: float | None) -> Budget:
    return Budget(mechanism=name, epsilon=epsilon, words=f"{name} says so.")


def test_every_private_mechanism_is_asked() -> None:
    life = simulate(SCENARIO).street_day
    found = budgets(SCENARIO, 0.001, life)
    assert list(found) == private()
    assert found["calibrated"] == epsilon_for(SCENARIO, "calibrated", 0.001)


def test_what_can_be_asked_for() -> None:
    assert TARGETS == (1e-10, 1e8, "I can accept this error (%)")
    assert AGAINST == {"ε": "ε per step", "moment": "the leak of a moment"}


@pytest.mark.parametrize(
    ("epsilon", "usable"), [(0.12345, 0.124), (0.124, 0.124), (0.1241, 0.125), (9991.0, 10_000.0), (1.0, 1.0)]
)
def test_a_budget_is_rounded_up_to_three_digits(epsilon: float, usable: float) -> None:
    assert usable_epsilon(epsilon) == usable


def test_the_first_of_those_with_the_same_budget_is_most_private() -> None:
    assert most_private([budget("naive", 0.2), budget("blowfish", 0.1), budget("filtered", 0.1)]) == budget(
        "blowfish", 0.1
    )


def test_the_first_target_is_a_percentage_in_two_digits() -> None:
    assert [first_target(error) for error in (0.012345, 0.001, 0.5)] == [1.2, 0.1, 50.0]
    assert target_rmsre(2.0, 400) == pytest.approx(0.001)


@pytest.mark.parametrize("nothing", [0.0, np.inf, np.nan])
def test_an_error_that_is_no_number_is_replaced_or_dropped(nothing: float) -> None:
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


START = "To miss the optimal rate by 1.96 % in a typical step, "
UNIFORM = (
    "Filtered relies on consumption being as modelled, uniform unless a distribution is given; its accuracy "
    "depends on the assumed habits."
)


def test_the_smallest_budget_comes_with_what_it_relies_on() -> None:
    reached = {
        "naive": budget("naive", 0.5),
        "blowfish": budget("blowfish", 0.4),
        "filtered": budget("filtered", 0.1),
        "threshold": budget("threshold", 0.3),
    }
    found = budget_answer(reached, 0.002, 96)
    assert found.best is found.reading is reached["filtered"]
    assert found.headline == f"{START}**Filtered** needs the smallest ε: **0.1**."
    assert found.words == (
        f"{UNIFORM} Under other assumptions: for any belief, **Naive** at ε = 0.5; for possible states, "
        "**Blowfish** at ε = 0.4; for likely states, **Threshold** at ε = 0.3."
    )
    alike = {"calibrated": budget("calibrated", 0.2), "filtered": reached["filtered"]}
    assert budget_answer(alike, 0.002, 96).words == UNIFORM


def test_no_data_is_most_private_then_those_that_look() -> None:
    free = {"filtered": budget("filtered", 0.1), "forecast": budget("forecast", 0.0)}
    found = budget_answer(free, 0.002, 96)
    assert (found.best, found.reading) == (free["forecast"], free["filtered"])
    assert found.headline == (
        f"{START}**Forecast** needs no data at all. With data, **Filtered** needs the smallest ε: **0.1**."
    )
    alone = budget_answer({"forecast": budget("forecast", 0.0)}, 0.002, 96)
    assert alone.headline == f"{START}**Forecast** needs no data at all."
    found = budget_answer({"naive": budget("naive", None)}, 0.002, 96)
    assert (found.best, found.reading) == (None, None)
    assert found.headline == "No rate gets within 1.96 % of the optimal rate with any ε."
    assert found.words == ""


def test_a_certain_street_says_exact_rate_and_praises_no_budget() -> None:
    scenario = certain_street()
    life = draw_day(scenario)
    found = budgets(scenario, 1e-3, life)
    assert {name for name, each in found.items() if each.exact} == {
        "blowfish",
        "calibrated",
        "filtered",
        "threshold",
    }
    assert needed(found["blowfish"]) == "exact rate"
    told = budget_answer(found, 1e-3, 96)
    assert told.headline == "**Blowfish** publishes the exact rate: no house is uncertain."
    exact = "publishes the exact rate whatever ε is: no house is uncertain, so there is nothing to hide."
    labels = ("Blowfish", "Calibrated", "Filtered", "Threshold")
    assert told.words == (
        "Naive relies on no house using more than the nominal bound. "
        f"{' '.join(f'{label} {exact}' for label in labels)}"
    )
    for chosen in (told.best, told.reading):
        assert chosen is None or not chosen.exact


def test_what_an_epsilon_relies_on_is_said_in_a_few_words() -> None:
    assert {name: relies_on(REGISTRY[name]) for name in private()} == {
        "naive": "for any belief",
        "blowfish": "for possible states",
        "calibrated": "for modelled use",
        "filtered": "for modelled use",
        "forecast": "without data",
        "threshold": "for likely states",
    }


def test_a_curve_can_be_shown_with_some_of_its_lines() -> None:
    both = flat(naive=0.1, blowfish=0.2, forecast=0.3)
    assert list(both.only(["forecast", "naive"]).lines) == ["naive", "forecast"]


def test_every_promise_is_told_with_its_relies_on() -> None:
    """Mechanisms with the same footing assume the same of consumption and guard the same houses."""
    told = assumptions(private())
    for name, line in zip(private(), told, strict=True):
        mechanism = REGISTRY[name]
        assert line == (
            f"**{mechanism.label}** ({relies_on(mechanism)}). {mechanism.promise} "
            f"It relies on {mechanism.relies_on}."
        )
        for other in (REGISTRY[n] for n in private()):
            same = relies_on(other) == relies_on(mechanism)
            alike = (mechanism.reads_demand, mechanism.protects, mechanism.assumes) == (
                other.reads_demand,
                other.protects,
                other.assumes,
            )
            assert same == alike, (name, other.name)
