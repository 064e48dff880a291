"""The teacher's lesson and what a student predicted; every link leads where it says."""

import re
from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.ui.classroom.lesson import address, of_exercise
from pages.ui.lab import Lab
from pages.ui.screens import SCREENS
from rtp.scenario import Scenario, ScenarioError
from rtp.teaching import plan
from rtp.teaching.exercises import EXERCISES
from tests.help.outline import KEPT

PATHS = {"app.py": "./"} | {each.path: each.path[len("pages/") : -len(".py")] for each in SCREENS[1:]}
OWN = Scenario(households=77)
LINKS = [
    *(
        (stop.screen, address(stop.screen, stop.link), None)
        for stop in (*plan.PLAN, *plan.PLAY_PLAN, *plan.HOME_PLAN)
    ),
    *((each.screen, of_exercise(each, each.scenario, each.preset), each.scenario) for each in EXERCISES),
    *((each.screen, of_exercise(each, OWN, "paper"), OWN) for each in EXERCISES),
]


def test_the_minutes_of_a_plan_add_up() -> None:
    assert sum(stop.minutes for stop in plan.PLAN) == plan.LESSON_MINUTES
    assert sum(stop.minutes for stop in plan.PLAY_PLAN) == plan.PLAY_MINUTES
    assert sum(stop.minutes for stop in plan.HOME_PLAN) == plan.HOME_MINUTES


@pytest.mark.parametrize(("screen", "link", "scenario"), LINKS, ids=[link for _, link, _ in LINKS])
def test_every_link_opens_its_screen_and_street_undamaged(
    screen: str, link: str, scenario: Scenario | None
) -> None:
    where = urlsplit(link)
    (path,) = [each.path for each in SCREENS if each.title == screen]
    assert where.path == PATHS[path]
    said, lab = dict(parse_qsl(where.query)), Lab()
    lab.arrive(screen, said, by_history=False)
    assert lab.notes() == ("", "")
    assert lab.scenario == (scenario or lab.scenario)
    if "tab" in said:
        assert any(f"tab {said['tab']}\n" in kept.read_text(encoding="utf-8") for kept in KEPT.iterdir())


@pytest.mark.parametrize("text", ["99a", "0a", "1e", "1", "a", "1a..2a", "1aa", "1é", "²a", "-1a"])
def test_predictions_that_nobody_can_have_made_are_refused(text: str) -> None:
    with pytest.raises(ScenarioError, match=f"said is {re.escape(repr(text))}; .* like 1c.2a"):
        plan.predictions_of("said", text)


@given(
    st.fixed_dictionaries(
        {},
        optional={
            number: st.builds(plan.Prediction, st.integers(0, len(each.options) - 1), st.booleans())
            for number, each in enumerate(EXERCISES, 1)
        },
    )
)
def test_predictions_come_back_from_their_text_in_order(said: dict[int, plan.Prediction]) -> None:
    assert list(plan.predictions_of("said", plan.predictions_text(said)).items()) == sorted(said.items())
