"""Addresses of other screens, to be opened in a tab of their own: a session there is not this one's."""

from collections.abc import Mapping
from pathlib import PurePosixPath
from urllib.parse import urlencode

from pages.ui.sidebar import SCREENS
from rtp.scenario import Scenario
from rtp.scenario.share import to_link
from rtp.teaching.exercises import Exercise
from rtp.teaching.plan import PlanStop


def address_of(screen: str, link: Mapping[str, str]) -> str:
    """Beside this screen's address."""
    (path,) = [each.path for each in SCREENS if each.title == screen]
    place = PurePosixPath(path)
    here = place.stem if place.parent.name == "pages" else "./"
    return f"{here}?{urlencode(link)}" if link else here


def of_exercise(exercise: Exercise, scenario: Scenario, preset: str) -> str:
    """Where it is tried, with that scenario."""
    return address_of(exercise.screen, to_link(scenario, preset) | dict(exercise.shows))


def of_stop(stop: PlanStop) -> str:
    if stop.exercise is not None:
        return address_of("Lesson", {"exercise": str(stop.exercise)})
    return address_of(stop.screen, stop.link)
