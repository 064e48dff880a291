"""How often the observer is right, on average over many days, and which of those days is typical.

One day is luck: on some the habits alone are nearly always right, on others the noise helps by chance. So the
first sentence of the lab is an average over the days of the seeds 0, 1, …, whatever the scenario's own seed:
every day has a street, states, use and noise of its own. A day counts the moments at which the likelier state
was the true one; where both are equally likely a coin would be right half the time. The margin of an average
is its standard error, the days' standard deviation divided by the root of their number.

Habits and the public price know nothing of ε, so their days are counted once for all of them; nor do the
days themselves, which are drawn once, and priced and read side by side for each ε.

A day is typical where its counts are nearest to the averages, each in standard deviations, at two fixed ε:
the choice does not depend on the scenario's own, so that a change of ε shows on the same day.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from rtp.attack.adversary import smoothed_beliefs
from rtp.core.types import Bools, Floats
from rtp.mechanisms import FEATURED, UNPROTECTED
from rtp.probability.markov import Chains, propagate
from rtp.scenario import PRESETS, Scenario
from rtp.simulation import Day, draw_day, publish_day
from rtp.street.simulate import StreetDay
from rtp.teaching.threat import STORY_HOUSES, right_share, truth, watched_house

DAYS = 60  # of the story's two houses
LONG_STREET_DAYS = 20  # of a longer street
TYPICAL_EPSILONS = (PRESETS["paper"].epsilon, 5.0)  # little is seen at the first, much at the second
TYPICAL_DAYS = 10  # of which the scenario's seed chooses one


class Average(NamedTuple):
    """A mean over days, and its standard error."""

    value: float
    margin: float


def average(values: Floats) -> Average:
    """The mean of independent days, and its standard error."""
    return Average(float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values))))


@dataclass(frozen=True, kw_only=True)
class PublicDays:
    """The share of each day at which she is right without any noise, (days,)."""

    habits: Floats  # by habits alone
    public: Floats  # by the public price


@dataclass(frozen=True, kw_only=True)
class PrivateDays:
    """The same by the private price, and by how much of itself that price is off, (days,)."""

    private: Floats
    error: Floats


def days_of(street: Scenario) -> int:
    """How many days are averaged."""
    return DAYS if street.households <= STORY_HOUSES else LONG_STREET_DAYS


def public_days(street: Scenario, group: int | None = None) -> PublicDays:
    """What the observer gets right by habits alone and by the public price, of a house of that group."""
    watched = _watched(street.replace(epsilon=1.0), group)
    habits = np.array([propagate(own.chains.select(np.array([own.house])))[:, 0] for own in watched])
    _, public = _read(street, watched, UNPROTECTED)
    return PublicDays(habits=_right(habits, watched), public=_right(public, watched))


def private_days(street: Scenario, group: int | None = None) -> PrivateDays:
    """What she gets right by the private price, of the same house on the same days."""
    watched = _watched(street.replace(epsilon=1.0), group)
    days, private = _read(street, watched, FEATURED)
    error = np.array([day.release[FEATURED].error for day in days])
    return PrivateDays(private=_right(private, watched), error=error)


def scenarios(street: Scenario) -> list[Scenario]:
    """The days that are averaged, whatever the street's own seed."""
    return [street.replace(days=1, seed=seed) for seed in range(days_of(street))]


class WatchedDay(NamedTuple):
    """A day before any price, and the house that is watched on it."""

    day: StreetDay
    chains: Chains  # of all its houses
    house: int
    occupied: Bools  # (T,) the truth


@lru_cache(maxsize=4)
def _watched(street: Scenario, group: int | None) -> tuple[WatchedDay, ...]:
    """The days that are averaged: the same for every ε."""
    watched = []
    for day in map(draw_day, scenarios(street)):
        house = watched_house(day.street, group)
        watched.append(WatchedDay(day, day.spec.chains(day.street, 0), house, truth(day, house)))
    return tuple(watched)


def _read(street: Scenario, watched: Sequence[WatchedDay], mechanism: str) -> tuple[list[Day], Floats]:
    """The days as the mechanism prices them, and what she makes of its rates, (days, T)."""
    priced = [
        publish_day(scenario, own.day, [mechanism])
        for scenario, own in zip(scenarios(street), watched, strict=True)
    ]
    houses, chains = [own.house for own in watched], [own.chains for own in watched]
    return priced, smoothed_beliefs(priced, mechanism, houses, chains).T


def _right(beliefs: Floats, watched: Sequence[WatchedDay]) -> Floats:
    """At which share of each day she is right, (days,)."""
    pairs = zip(beliefs, watched, strict=True)
    return np.array([right_share(belief, own.occupied) for belief, own in pairs])


def typical_seeds(public: PublicDays, private: Sequence[PrivateDays]) -> list[int]:
    """The seeds of the days that are nearest to the averages, the nearest first; `private` is at each of
    `TYPICAL_EPSILONS`."""
    days = np.array([public.habits, public.public, *(each.private for each in private)])
    away = days - days.mean(axis=1, keepdims=True)
    spread = days.std(axis=1, keepdims=True)
    distance = np.divide(away, spread, out=np.zeros_like(away), where=spread > 0)
    order = np.argsort((distance**2).sum(axis=0), kind="stable")
    return [int(seed) for seed in order[:TYPICAL_DAYS]]
