"""A refused field is named as people say it."""

import pytest

from rtp import PRESETS
from rtp.scenario import ScenarioError
from rtp.scenario.fields import sentence

CURATOR = PRESETS["unsure curator"]


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("epsilon", "epsilon is wrong."),
        (
            "models[1].habits[0].periods[2].matrix",
            "Model “Night owls”, group “Villas”, period “Evening”: the matrix is wrong.",
        ),
        ("groups[1].occupied_max", "Group “Flats”: “Largest bound when occupied” is wrong."),
        (
            "models[0].habits[0].periods[0].matrix[0][1]",
            "Model “Early birds”, group “Villas”, period “Morning”: the matrix is wrong.",
        ),
        ("models[7].habits", "Model 8: habits is wrong."),
        ("groups[0]", "Group “Villas”: it is wrong."),
    ],
)
def test_the_place_is_said_in_words(path: str, said: str) -> None:
    assert sentence(ScenarioError(path, "is wrong."), CURATOR) == said


def test_without_a_scenario_by_numbers_from_one() -> None:
    error = ScenarioError("models[0].habits[0].periods[3].start", "is 9.")
    assert sentence(error) == "Model 1, group 1, period 4: the start is 9."


def test_a_weekend_period_is_named() -> None:
    error = ScenarioError("models[0].habits[1].weekend[2].matrix", "is wrong.")
    named = "Model “Aged 25 to 54”, group “Mostly home”, weekend period “Morning”: the matrix is wrong."
    assert sentence(error, PRESETS["real habits"]) == named
    assert sentence(error) == "Model 1, group 2, weekend period 3: the matrix is wrong."
    assert sentence(error, PRESETS["unsure curator"]).startswith(
        "Model “Early birds”, group “Flats”, weekend"
    )
