"""The guided tour: eight stops across the screens, each with its control set.

A stop says on which screen it is, which scenario and which view it sets, both as a link would say them, and a
sentence or two. What it claims is held by `tests/unit/teaching/test_tour.py`.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from rtp.scenario import PRESETS
from rtp.teaching.threat import of_100, worst_case

NO_PARAMETERS: Mapping[str, str] = MappingProxyType({})
STRICT = 0.1  # the ε of the stop that turns the noise up


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
        "A price that everybody can read",
        "Every 15 minutes the utility publishes one price for the whole street, and it follows what the "
        "street uses. On two houses an observer who reads it all day knows who is up and about; noise takes "
        "that away.",
    ),
    TourStop(
        "Households",
        "pages/Households.py",
        "What the observer knows beforehand",
        "These cards say how people come and go, and they are public: without any price she can already "
        "guess. Occupied means up and about, so at night people “leave” by going to sleep.",
    ),
    TourStop(
        "Attacker",
        "pages/Attacker.py",
        "The observer at work",
        "Now the street has five houses. See how far the published prices move her belief away from what "
        "habits alone say, and how often she is right.",
        {"preset": "tiny street"},
    ),
    TourStop(
        "Explore",
        "app.py",
        "Turn the noise up",
        f"ε is now {STRICT:g} instead of {PRESETS['paper'].epsilon:g}: the noise is five times as wide. The "
        f"worst case that this allows: of 100 possible prices {of_100(worst_case(STRICT).empty)} make an "
        "observer believe that a house is occupied while it is empty, and "
        f"{of_100(worst_case(STRICT).occupied)} while it is occupied. That is hardly better than a coin.",
        {"epsilon": f"{STRICT:g}"},
    ),
    TourStop(
        "Algorithm",
        "pages/Algorithm.py",
        "Who needs hiding?",
        "Before every price Algorithm 1 asks which houses could still be in either state: those are "
        "protected, and the one that can use most sets the noise. Step through its lines.",
    ),
    TourStop(
        "Explore",
        "app.py",
        "Noise that follows the need",
        "A few mansions can use five times as much as any other house. While they are surely away or asleep, "
        "Algorithm 1 steps down to the noise that ordinary houses need; the naive noise never does.",
        {"preset": "mansions"},
        {"view": "Error"},
    ),
    TourStop(
        "Trade-off",
        "pages/Trade-off.py",
        "What privacy costs",
        "The smaller ε, the further the price misses: every curve is one way to protect the same street. "
        "Click a point to try its ε.",
    ),
    TourStop(
        "Over time",
        "pages/Over_time.py",
        "What the promise does not hide",
        "Each price keeps its ε, but prices add up. One moment stays hidden; a holiday of many days need "
        "not: see how soon it shows.",
        NO_PARAMETERS,
        {"tab": "A holiday"},
    ),
)
