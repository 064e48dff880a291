"""The guided tour: six stops across the screens, each one sentence and one picture.

A stop says on which screen it is, which scenario it sets, as a link would say it, and its sentence of at most
25 words. The picture beneath it is the screen's own business; that both are true, and of the same
numbers, is held by `tests/unit/teaching/test_tour.py`.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from rtp.scenario import Scenario
from rtp.scenario.share import read_link

NO_PARAMETERS: Mapping[str, str] = MappingProxyType({})
LOOSE, STRICT = 5.0, 0.5  # the two ε of the stop that turns the noise up


class TourStop(NamedTuple):
    screen: str
    page: str  # the file that draws it
    title: str
    words: str
    scenario: Mapping[str, str] = NO_PARAMETERS
    view: Mapping[str, str] = NO_PARAMETERS
    moves_epsilon: bool = False  # its sentence and picture follow

    def is_about(self, scenario: Scenario) -> bool:
        """Whether the sentence is about this scenario: the stop's own, at any ε where that can be moved."""
        own = read_link(self.scenario).scenario
        return scenario == (own.replace(epsilon=scenario.epsilon) if self.moves_epsilon else own)


STOPS = (
    TourStop(
        "Explore",
        "app.py",
        "A price anyone can read",
        "The price rises with what the street uses. With two houses, it shows when somebody is up.",
    ),
    TourStop(
        "Street",
        "pages/Street.py",
        "What habits give away",
        "Habits are public, too: without any rate the observer is right 68 % of this day.",
    ),
    TourStop(
        "Attack",
        "pages/Attack.py",
        "The observer at work",
        "Even among five houses, the price gives one away: right 96 % of this day; habits alone 85 %.",
        {"preset": "tiny street"},
    ),
    TourStop(
        "Explore",
        "app.py",
        "Turn the noise up",
        f"Two houses again, now with noise in the price. At ε = {LOOSE:g} the observer is right 97 % of this "
        f"day; at ε = {STRICT:g}, 68 %, as much as by habits alone.",
        moves_epsilon=True,
    ),
    TourStop(
        "Attack",
        "pages/Attack.py",
        "What stays visible",
        "A single moment stays blurred, but a week away is in every rate: an insider, who knows what all "
        "others use, sees it.",
    ),
    TourStop(
        "Explore",
        "app.py",
        "Now your street",
        "More noise hides more and makes the price less accurate; in the grey it hides nothing more. End the "
        "story, and change the street.",
    ),
)
