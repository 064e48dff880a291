"""The guided tour: six stops across the screens, each one sentence and one picture.

A stop says on which screen it is, which scenario it sets, as a link would say it, and its sentence of at most
25 words. The picture beneath it is the screen's own business; that both are true, and of the same
numbers, is held by `tests/unit/teaching/test_tour.py`.

The first stops follow one house through a day. On a long street the many blur each other already, so it is
one of two houses, drawn from the same scenario, where the optimal rate betrays them. The observer sees
nothing but the rates, knows how people usually live and how much each house may use, and judges every moment
at the end of the day. Only the private half depends on ε: `Stake` holds the rest.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from rtp.attack.adversary import largest_gap, smoothed_beliefs
from rtp.core.stats import right_guesses
from rtp.core.types import Bools, Floats
from rtp.mechanisms import FEATURED, UNPROTECTED
from rtp.probability.markov import propagate
from rtp.scenario import Scenario, edit
from rtp.scenario.share import read_link
from rtp.simulation import Day
from rtp.street.simulate import replay_houses

NO_PARAMETERS: Mapping[str, str] = MappingProxyType({})
LOOSE, STRICT = 5.0, 0.5  # the two ε of the stop that turns the noise up
STORY_HOUSES = 2


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


def story_street(scenario: Scenario) -> Scenario:
    """The same kinds of houses on a street of two, for a day."""
    return edit.of_size(scenario.replace(days=1), STORY_HOUSES)


@dataclass(frozen=True, kw_only=True)
class Stake:
    """One house of a street, and all about it that ε does not change. Arrays are (T,)."""

    house: int
    occupied: Bools  # the truth
    guess: Floats  # Pr[occupied] by habits alone, without any rate
    unprotected: Floats  # Pr[occupied | all optimal rates of the day]

    def right(self, belief: Floats) -> float:
        """At which share of the moments of the day such a belief is right."""
        return float(right_guesses(belief, self.occupied).mean())


def stake(day: Day) -> Stake:
    """The stake of the house whose mean use differs most between its states: no draw chooses it."""
    house, spec = largest_gap(day.street), day.street_day.spec
    return Stake(
        house=house,
        occupied=replay_houses(spec, day.street, [house])[0][:, 0],
        guess=propagate(spec.chains(day.street, 0, np.array([house])))[:, 0],
        unprotected=_smoothed_belief(day, UNPROTECTED, house),
    )


def private_belief(day: Day, own: Stake) -> Floats:
    """Pr[occupied | all private rates of the day] of that house, (T,)."""
    return _smoothed_belief(day, FEATURED, own.house)


def _smoothed_belief(day: Day, mechanism: str, house: int) -> Floats:
    chains = day.street_day.spec.chains(day.street, 0)
    return smoothed_beliefs([day], mechanism, [house], [chains])[:, 0]
