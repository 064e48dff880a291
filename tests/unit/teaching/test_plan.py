"""The teacher's lesson and what a student predicted; every link leads where it says."""

import re
from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.ui.lesson import of_exercise, of_stop
from pages.ui.params import PARAMS, TOUR, TOUR_STOP
from pages.ui.sidebar import SCREENS
from rtp.scenario import Scenario, ScenarioError
from rtp.scenario.share import LINK_NAMES, read_link
from rtp.teaching.exercises import EXERCISES, Exercise
from rtp.teaching.plan import (
    CORE,
    HOUR,
    MORE,
    PLAN,
    PLAY_PLAN,
    ROUND,
    Prediction,
    predictions_of,
    predictions_text,
)
from tests.help.outline import KEPT

PATHS = {"app.py": "./"} | {each.path: each.path[len("pages/") : -len(".py")] for each in SCREENS[1:]}
LINKS = [(stop.screen, of_stop(stop)) for stop in (*PLAN, *PLAY_PLAN)] + [
    (each.screen, of_exercise(each, each.scenario, each.preset)) for each in EXERCISES
]


def test_the_minutes_of_a_plan_add_up() -> None:
    assert sum(stop.minutes for stop in PLAN) == HOUR
    assert sum(stop.minutes for stop in PLAY_PLAN) == ROUND
    assert sorted(CORE + MORE) == list(range(1, len(EXERCISES) + 1))


@pytest.mark.parametrize(("screen", "link"), LINKS, ids=[link for _, link in LINKS])
def test_every_link_opens_its_screen_undamaged(screen: str, link: str) -> None:
    address = urlsplit(link)
    (path,) = [each.path for each in SCREENS if each.title == screen]
    assert address.path == PATHS[path]
    said = dict(parse_qsl(address.query))
    facts = {each.link: each.read for each in PARAMS if each.screen == screen} | {TOUR: TOUR_STOP}
    for name in said.keys() & facts.keys():
        facts[name](name, said[name])
    reading = read_link({name: text for name, text in said.items() if name not in facts})
    assert (reading.damaged, reading.unknown) == ((), ())
    assert set(said) <= LINK_NAMES | facts.keys()
    if "tab" in said:
        assert any(f"tab {said['tab']}\n" in kept.read_text(encoding="utf-8") for kept in KEPT.iterdir())


@pytest.mark.parametrize("exercise", EXERCISES, ids=[each.title for each in EXERCISES])
def test_the_way_into_the_lab_takes_the_exercises_street_along(exercise: Exercise) -> None:
    for scenario, preset in ((exercise.scenario, exercise.preset), (Scenario(households=77), "paper")):
        said = dict(parse_qsl(urlsplit(of_exercise(exercise, scenario, preset)).query))
        reading = read_link({name: text for name, text in said.items() if name not in exercise.shows})
        assert (reading.scenario, reading.preset) == (scenario, preset)
        assert said.items() >= dict(exercise.shows).items()


@pytest.mark.parametrize("text", ["9a", "0a", "1e", "1", "a", "1a..2a", "1aa", "1é", "²a", "-1a"])
def test_predictions_that_nobody_can_have_made_are_refused(text: str) -> None:
    with pytest.raises(ScenarioError, match=f"said is {re.escape(repr(text))}; .* like 1c.2a"):
        predictions_of("said", text)


@given(
    st.fixed_dictionaries(
        {},
        optional={
            number: st.builds(Prediction, st.integers(0, len(each.options) - 1), st.booleans())
            for number, each in enumerate(EXERCISES, 1)
        },
    )
)
def test_predictions_come_back_from_their_text_in_order(said: dict[int, Prediction]) -> None:
    assert list(predictions_of("said", predictions_text(said)).items()) == sorted(said.items())
