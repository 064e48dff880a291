"""The street on which the story is told: two houses, one of which is watched through a day.

On a long street the many blur each other already, so the story is told on one of `STORY_HOUSES` houses, drawn
from the same scenario, where the optimal rate betrays them; the whole street can be asked as well. The
observer sees nothing but the published rates, knows how the people of the street usually live and how much
each house may use, and judges every moment at the end of the day. Only the private half depends on ε: `Stake`
holds all the rest.
"""

from dataclasses import dataclass

import numpy as np

from rtp.attack.adversary import largest_gap, smoothed_beliefs
from rtp.core.types import Bools, Floats
from rtp.mechanisms import FEATURED, UNPROTECTED
from rtp.probability.markov import propagate
from rtp.scenario import Scenario, edit
from rtp.simulation import Day
from rtp.street.draw import Street
from rtp.street.simulate import StreetDay, replay_houses

STORY_HOUSES = 2  # of the street on which the story is told
EVEN_BELIEF = 1e-9  # beside one half: no side is likelier


def story_street(scenario: Scenario, group: int | None = None) -> Scenario:
    """The same scenario on a street of few houses, for a day: one of a group, at first the one in which
    people show best, and its neighbour, of the most common group. The house that is watched is in the first
    group; where there are few houses anyway, they stay as they are."""
    one_day = scenario.replace(days=1)
    if scenario.households <= STORY_HOUSES:
        return one_day
    shares = [each.share for each in scenario.groups]
    watched = showing_group(scenario) if group is None else group
    kept = {scenario.groups[g].name: g for g in (watched, shares.index(max(shares)))}
    return edit.of_size(edit.of_groups(one_day, kept), STORY_HOUSES)


def showing_group(scenario: Scenario) -> int:
    """The group in whose bounds a house's two states differ most, the first of several."""
    gaps = [abs(each.occupied_max - each.empty_max) for each in scenario.groups]
    return gaps.index(max(gaps))


@dataclass(frozen=True, kw_only=True)
class Stake:
    """One house of a street, and all about it that ε does not change. Arrays are (T,)."""

    house: int
    occupied: Bools  # the truth
    guess: Floats  # Pr[occupied] by habits alone, without any rate
    unprotected: Floats  # Pr[occupied | all optimal rates of the day]


def right_share(belief: Floats, occupied: Bools) -> float:
    """At which share of the moments the likelier state was the true one; of two that are equally likely a
    coin takes the right one half the time."""
    even = np.abs(belief - 0.5) < EVEN_BELIEF
    return float(np.where(even, 0.5, (belief > 0.5) == occupied).mean())


def stake(day: Day, group: int | None = None) -> Stake:
    """The stake of the watched house."""
    house, spec = watched_house(day.street, group), day.street_day.spec
    return Stake(
        house=house,
        occupied=truth(day.street_day, house),
        guess=propagate(spec.chains(day.street, 0, np.array([house])))[:, 0],
        unprotected=_smoothed_belief(day, UNPROTECTED, house),
    )


def watched_house(street: Street, group: int | None = None) -> int:
    """The house, of a group or of all, whose mean use differs most between its states: everybody knows how
    much houses may use, so no draw chooses it."""
    own = np.flatnonzero(street.group == group)
    return largest_gap(street, own if len(own) else None)


def truth(street_day: StreetDay, house: int) -> Bools:
    """When the house was occupied, (T,)."""
    return replay_houses(street_day.spec, street_day.street, [house])[0][:, 0]


def private_belief(day: Day, own: Stake) -> Floats:
    """Return Pr[occupied | all private rates of the day] of the watched house, (T,)."""
    return _smoothed_belief(day, FEATURED, own.house)


def _smoothed_belief(day: Day, mechanism: str, house: int) -> Floats:
    chains = day.street_day.spec.chains(day.street, 0)
    return smoothed_beliefs([day], mechanism, [house], [chains])[:, 0]
