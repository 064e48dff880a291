"""One street of a round: what was used, what is published of it, and what the observer makes of that.

A street is a scenario of its own (`street_scenario`): a group for every size of house with the stated law of
use, a price every hour, the round's tariff and budget, and a seed drawn from the round's. So prices are those
of the mechanisms and beliefs those of the attackers that the lab has, and a street can be opened in it.

The day is drawn as every day is: states by habit and, for every house and step, the uniform number that its
use is drawn from. A choice replaces the state and nothing else, so a price depends on the choices up to its
step alone, other choices meet the same luck, and so does another rate or budget.

**Habits.** A house is at home or away by a coin flip every hour: people at a switch follow no timetable.
Habits alone then say nothing, so what is learned is learned from the price, and earlier prices say nothing of
later ones, so each can be solved by itself.
"""

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from rtp.attack import posterior
from rtp.core.random import Stream, generators, seed_of
from rtp.core.types import Bools, Floats, Ints
from rtp.play.round import AWAY, BY_HABIT, CHOSE_HOME, HOME, STEP_MINUTES, Round
from rtp.scenario import Group, Habits, Law, OccupancyModel, Scenario, period
from rtp.simulation import Day, publish_day
from rtp.simulation.setup import street_key, street_spec
from rtp.street.schedule import simulate_chain
from rtp.street.simulate import StreetDay, count_by_group, simulate_street

MAX_DRAWN = 512  # streets that are kept as drawn: those of twenty full rooms
COIN_FLIPS = Habits(
    initial_occupied=0.5, periods=(period("Every hour", 0.0, leave=0.5, arrive=0.5, basis="step"),)
)


@dataclass(frozen=True, kw_only=True)
class RecordedStreet:
    """What was chosen and used on a street of a round, before any price: it can be priced again and again."""

    houses: range
    scenario: Scenario
    at_home: Bools  # (steps, n) the truth
    used: Floats  # (steps, n) kW
    place: Ints  # (n,) where each house stands in the scenario's street: smaller houses come first
    street_day: StreetDay  # 24 hours; beyond the round's steps by habit

    def under(self, mechanism: str) -> "PlayedStreet":
        """Return the same street under a rate."""
        day = publish_day(self.scenario, self.street_day, [mechanism])
        return PlayedStreet(**vars(self), mechanism=mechanism, day=day)


@dataclass(frozen=True, kw_only=True)
class PlayedStreet(RecordedStreet):
    """A street of a round under one rate, house by house."""

    mechanism: str
    day: Day  # of the lab: 24 hours, of which the round's steps are the first

    @property
    def steps(self) -> int:
        return len(self.at_home)

    @property
    def price(self) -> Floats:
        """(steps,): as published."""
        return self.day.release[self.mechanism].rate[: self.steps]

    @property
    def optimal(self) -> Floats:
        """(steps,): what an exact price would have been."""
        return self.day.release[self.mechanism].optimal[: self.steps]

    @property
    def missed_percent(self) -> Floats:
        """(steps,): by how much the price is off, in percent of the exact one."""
        return self.day.release[self.mechanism].error_percent[: self.steps]

    @cached_property
    def belief(self) -> Floats:
        """(steps, n): Pr[at home] as the observer has it from the prices up to each step."""
        found = posterior(self.day, self.mechanism, model=self.day.scenario.model_names[0])
        return found.belief[: self.steps, self.place]


def street_scenario(played: Round, street: int) -> Scenario:
    """Return the scenario of a street of a round."""
    sizes = played.street_sizes
    distinct = sorted(set(sizes))
    scenario = played.scenario
    return scenario.replace(
        households=len(sizes),
        days=1,
        groups=tuple(_group(size, sizes.count(size) / len(sizes)) for size in distinct),
        models=(OccupancyModel(name="Coin flips", habits=(COIN_FLIPS,) * len(distinct)),),
        assumed_model=None,
        habit_spread=0.0,
        houses=None,
        step_minutes=STEP_MINUTES,
        power_unit="kW",
        seed=int(seed_of(scenario.seed, Stream.PLAY, street).generate_state(1)[0] >> 1),
    )


def _group(size: float, share: float) -> Group:
    """Houses of a size, with the law of use of Play."""
    law = Law(
        edges=(AWAY[0], AWAY[1] * size, HOME[0] * size, size), empty=(1.0, 0.0, 0.0), occupied=(0.0, 0.0, 1.0)
    )
    away = AWAY[1] * size
    return Group(
        name=f"{size:g} kW",
        share=share,
        occupied_min=size,
        occupied_max=size,
        empty_min=away,
        empty_max=away,
        law=law,
    )


class DrawnStreet(NamedTuple):
    """A street as it is drawn, before anybody chooses."""

    simulated: StreetDay
    by_habit: Bools  # (24, n) who is at home
    uniform: Floats  # (24, n) the numbers that use is drawn from


@lru_cache(maxsize=MAX_DRAWN)
def draw_street(key: str) -> DrawnStreet:
    """Return the street of `street_key(scenario)`; kept, because it is needed at every step of a round."""
    spec = street_spec(Scenario.from_json(key))
    simulated = simulate_street(spec)
    shape = (spec.steps, spec.households)
    by_habit, uniform = np.empty(shape, dtype=bool), np.empty(shape)
    rngs = generators(seed_of(spec.seed, Stream.STREET_DAY), len(spec.blocks))
    for rng, block in zip(rngs, spec.blocks, strict=True):
        habits = spec.transition_probabilities(simulated.street, 0, block)
        for now, states, numbers in simulate_chain(rng, spec.schedules[0][block.group], *habits, spec.steps):
            by_habit[now, block.houses], uniform[now, block.houses] = states, numbers
    return DrawnStreet(simulated, by_habit, uniform)


def record_street(played: Round, street: int) -> RecordedStreet:
    """Return what was chosen and used on a street of a round."""
    scenario, houses = street_scenario(played, street), played.streets[street]
    simulated, by_habit, uniform = draw_street(street_key(scenario))
    order = np.argsort(played.street_sizes, kind="stable")  # a street of the lab has its groups in a row
    place, steps = np.argsort(order), played.steps
    choices = np.full(by_habit.shape, BY_HABIT)
    choices[:steps] = played.choice_array()[:, houses.start : houses.stop][:, order]
    at_home = np.where(choices <= BY_HABIT, by_habit, choices == CHOSE_HOME)
    used = simulated.street.at(at_home, uniform)
    return RecordedStreet(
        houses=houses,
        scenario=scenario,
        at_home=at_home[:steps, place],
        used=used[:steps, place],
        place=place,
        street_day=replace(
            simulated,
            occupied_by_group=count_by_group(at_home, simulated.spec, simulated.street),
            demand=used.sum(axis=1),
            recorded=used,
        ),
    )


def play_street(played: Round, street: int, mechanism: str | None = None) -> PlayedStreet:
    """Return a street of a round as one rate shows it: the round's own, or another."""
    return record_street(played, street).under(mechanism or played.mechanism)


def in_one_street(played: Round) -> Round:
    """Return the same houses, hours and guesses in one street: what was done by habit is now chosen.

    Every house keeps its size where streets have different ones only, as those of up to five houses do.
    """
    at_home = np.hstack([record_street(played, street).at_home for street in range(len(played.streets))])
    return played.replace(
        per_street=played.houses,
        sizes=played.sizes[: played.per_street],
        choices=tuple(map(tuple, at_home.astype(int).tolist())),
    )
