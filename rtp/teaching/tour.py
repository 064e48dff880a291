"""The guided tour: nine stops across the screens, each one sentence and one picture.

A stop says on which screen it is, which scenario it sets, as a link would say it, and its sentence of at most
`MAX_WORDS` words. The picture beneath it is the screen's own business; that both are true, and of the same
numbers, is held by `tests/unit/teaching/test_tour.py`.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

NO_PARAMETERS: Mapping[str, str] = MappingProxyType({})
MAX_WORDS = 25
LOOSE, STRICT = 5.0, 0.5  # the two ε of the stop that turns the noise up


class TourStop(NamedTuple):
    screen: str
    page: str  # the file that draws it
    title: str
    words: str
    scenario: Mapping[str, str] = NO_PARAMETERS
    view: Mapping[str, str] = NO_PARAMETERS


STOPS = (
    TourStop(
        "Explore",
        "app.py",
        "A rate anyone can read",
        "A rate, the price of power, follows what a street uses: from that of two houses, an observer knows "
        "all day when somebody is up.",
    ),
    TourStop(
        "Street",
        "pages/Street.py",
        "What habits give away",
        "Habits are public, too: without any rate the observer is right 68 % of this day, and 81 % on "
        "average.",
    ),
    TourStop(
        "Attack",
        "pages/Attack.py",
        "The observer at work",
        "On five houses the optimal rate still betrays them: the observer is right 96 % of this day, by "
        "habits alone 85 %.",
        {"preset": "tiny street"},
    ),
    TourStop(
        "Explore",
        "app.py",
        "Turn the noise up",
        f"Lower ε from {LOOSE:g} to {STRICT:g}: the observer is right 68 % of this day, not 97 %; on average "
        "82 %, not 90 %.",
    ),
    TourStop(
        "Paper",
        "pages/Paper.py",
        "Who needs hiding?",
        "Algorithm 1 protects houses that could be in either state: at night, when all surely sleep, it "
        "protects none and adds no noise.",
        {"preset": "quiet night"},
    ),
    TourStop(
        "Explore",
        "app.py",
        "Noise that follows the need",
        "Mansions can use five times as much as others: while they are surely away or asleep, Algorithm 1 "
        "needs less noise, Naive never.",
        {"preset": "mansions"},
        {"view": "Error"},
    ),
    TourStop(
        "Decide",
        "pages/Decide.py",
        "What privacy costs",
        "The smaller ε, the further the rate misses: Algorithm 1 by 0.61 % at ε = 1, by 6.1 % at ε = 0.1.",
    ),
    TourStop(
        "Attack",
        "pages/Attack.py",
        "What stays visible",
        "A single moment stays blurred, but a holiday is in every rate: after a week, an insider sees it "
        "nearly always.",
        NO_PARAMETERS,
        {"tab": "Over time", "over": "A holiday"},
    ),
    TourStop(
        "Explore",
        "app.py",
        "What to remember",
        "The optimal rate betrays more than habits do, noise takes that back, and privacy costs accuracy.",
    ),
)
