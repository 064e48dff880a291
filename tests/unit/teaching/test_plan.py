"""The teacher's lesson: four exercises in 45 minutes, four more, and every link leads where it says."""

from collections.abc import Mapping
from urllib.parse import parse_qsl, urlsplit

import pytest

from pages.ui.lesson import of_exercise, of_stop
from pages.ui.params import PARAMS, TOUR, TOUR_STOP
from pages.ui.sidebar import SCREENS
from rtp.scenario import PRESETS, Scenario, ScenarioError
from rtp.scenario.share import LINK_NAMES, read_link
from rtp.teaching.exercises import EXERCISES, Exercise
from rtp.teaching.plan import (
    CORE,
    HOUR,
    MORE,
    ORDER,
    PLAN,
    PLAY_PLAN,
    ROUND,
    Prediction,
    predictions_of,
    predictions_text,
)
from tests.help.outline import KEPT
from tests.help.sentence import exactly

PATHS = {"app.py": "./"} | {each.path: each.path[len("pages/") : -len(".py")] for each in SCREENS[1:]}
LINKS = [(stop.screen, of_stop(stop)) for stop in (*PLAN, *PLAY_PLAN)] + [
    (each.screen, of_exercise(each, each.scenario, each.preset)) for each in EXERCISES
]


def test_the_lesson_has_45_minutes_and_four_exercises() -> None:
    assert sum(stop.minutes for stop in PLAN) == HOUR == 45
    assert tuple(stop.exercise for stop in PLAN if stop.exercise is not None) == CORE
    assert len(CORE) == len(MORE) == 4
    assert sorted(ORDER) == list(range(1, len(EXERCISES) + 1))
    assert (EXERCISES[0].title, EXERCISES[-1].title) == ("What does ε do?", "Is a holiday hidden?")


def test_a_round_of_play_has_ten_minutes() -> None:
    assert sum(stop.minutes for stop in PLAY_PLAN) == ROUND == 10
    assert {stop.screen for stop in PLAY_PLAN} == {"Play"}


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
    sentence = f"said is {text!r}; it must name exercises and options like 1c.2a."
    with pytest.raises(ScenarioError, match=exactly(sentence)):
        predictions_of("said", text)


def test_predictions_come_back_from_their_text_in_order() -> None:
    said = {2: Prediction(0), 1: Prediction(2, revealed=True)}
    assert predictions_text(said) == "1C.2a"
    assert list(predictions_of("said", "2a.1C").items()) == sorted(said.items())
    assert predictions_of("said", predictions_text({})) == {}


def test_the_presets_of_the_plan_exist() -> None:
    named: list[Mapping[str, str]] = [stop.link for stop in PLAN]
    assert {link["preset"] for link in named if "preset" in link} <= PRESETS.keys()
