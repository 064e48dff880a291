"""The worlds that an audit publishes: streets, days and one house a step in which they differ.

Every release is a `publish_day` of its own with a fresh seed, the way a day reaches the screen. Four streets
are simulated, the scenario's own and three with fresh seeds. Each lives four days: the one that was drawn,
another one, one on which everyone is in who can be and one on which nobody is who need not be. What is public
is the same on all four, so whatever differs in the noise follows a secret. On each day, everyone's use is
known but that of one house a step, the one that needs most noise (`possible`): the strongest observer's
place. Four worlds differ in that house: it uses its bound or nothing ("point"), or as modelled ("uniform"),
by its distribution where it has one. States, use and all sums of them follow.

What is public is undone: filter, tariff and price response. What is left of a rate is its noise, here in the
unit of what the promise needs, and where it puts the house, from 0 for nothing to 1 for its bound.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import product
from typing import NamedTuple, get_args

import numpy as np
from numpy.random import Generator

from rtp.audit.exact import (
    RequiredNoise,
    Shape,
    noise_for_sets,
    possible_states,
    required_scale,
    shape_of,
)
from rtp.core.random import Stream, generators, seed_of
from rtp.core.types import Bools, Floats, Ints
from rtp.core.workers import Progress
from rtp.mechanisms import Mechanism
from rtp.scenario import BOUNDS, Scenario
from rtp.simulation import Day, draw_day, publish_day
from rtp.street.draw import StreetSpec
from rtp.street.schedule import Schedule
from rtp.street.simulate import StreetDay, replay_blocks

AUDITED_STREETS = 4
DAYS_LIVED = 4  # as it was drawn, drawn anew, everyone in, everyone out
PAIRED_DAYS = ((0, 1), (2, 3))  # which are compared: the two that were drawn, and the two extremes
WORLDS: tuple[tuple[Shape, bool], ...] = tuple(product(get_args(Shape), (True, False)))
BALANCED = AUDITED_STREETS * len(WORLDS)  # releases that make one of each
UNDONE_TOGETHER = 100  # releases of a street that are undone together


@dataclass(frozen=True, kw_only=True)
class World(StreetDay):
    """A day on which one house a step lives otherwise; its arrays are (T,)."""

    day: StreetDay
    house: Ints  # −1 where nobody's state is open
    occupied_now: Bools
    used_now: Floats

    def states_of(self, houses: Ints) -> Bools | None:
        """(T, n): when some houses are occupied in this world."""
        states = self.day.states_of(houses)
        if states is None:
            return None
        return np.where(houses == self.house[:, None], self.occupied_now[:, None], states)

    def use_of(self, houses: Ints) -> Floats:
        """(T, n): what some houses use in this world."""
        used = self.day.use_of(houses)
        return np.where(houses == self.house[:, None], self.used_now[:, None], used)


@dataclass(frozen=True, kw_only=True)
class Others:
    """A day of the street without one house a step; arrays are (G, T)."""

    day: StreetDay
    house: Ints
    occupied_by_group: Floats
    demand: Floats  # (T,)
    demand_by_group: Floats | None

    @classmethod
    def of(cls, day: StreetDay, house: Ints) -> "Others":
        """Return those of a day."""
        some, column = np.unique(np.maximum(house, 0), return_inverse=True)
        at = np.arange(len(house)), column.ravel()
        used = np.where(house >= 0, day.use_of(some)[at], 0.0)
        states = day.states_of(some)
        occupied = np.zeros(len(house)) if states is None else np.where(house >= 0, states[at], 0.0)
        by_group, own = day.demand_by_group, group_of(day, house)
        return cls(
            day=day,
            house=house,
            occupied_by_group=day.occupied_by_group - own * occupied,
            demand=day.demand - used,
            demand_by_group=None if by_group is None else by_group - own * used,
        )

    def world(self, near: StreetDay, occupied: bool, used: Floats) -> World:
        """Return the day with the house in that state, using that, with all that is public of `near`."""
        there, own = self.house >= 0, group_of(near, self.house)
        recorded, by_group = self.day.recorded, self.demand_by_group
        counted = there & occupied & (recorded is None)  # who is in is not known where use was recorded
        if recorded is not None:
            recorded = recorded.copy()
            recorded[there, self.house[there]] = used[there]
        lived = {
            "occupied_by_group": self.occupied_by_group + own * counted,
            "demand": self.demand + used,
            "demand_by_group": None if by_group is None else by_group + own * used,
            "recorded": recorded,
        }
        return World(
            **{field.name: getattr(near, field.name) for field in fields(StreetDay)} | lived,
            day=self.day,
            house=self.house,
            occupied_now=np.full(len(used), occupied),
            used_now=used,
        )


def group_of(day: StreetDay, house: Ints) -> Bools:
    """(G, T): whether the house of a step is of each group."""
    return np.asarray(day.street.group[house] == np.arange(len(day.spec.groups))[:, None])


def lived_again(street_day: StreetDay, spec: StreetSpec) -> StreetDay:
    """Return another day of the same street, drawn from a specification of the same size."""
    occupied, demand = np.zeros((2, len(spec.groups), spec.steps))
    for block, chunks in replay_blocks(spec, street_day.street):
        for now, states, used in chunks:
            occupied[block.group, now] += states.sum(axis=1)
            demand[block.group, now] += used.sum(axis=1)
    return replace(
        street_day,
        spec=spec,
        occupied_by_group=occupied,
        demand=demand.sum(axis=0),
        demand_by_group=demand,
        recorded=None,
    )


def extreme_habits(spec: StreetSpec, occupied: bool) -> StreetSpec:
    """Return the specification of a street on which everyone is in, or out, whenever habits allow it."""

    def extreme(schedule: Schedule) -> Schedule:
        may_leave, may_arrive = schedule.possible[:, 1, 0], schedule.possible[:, 0, 1]
        must_leave, must_arrive = ~schedule.possible[:, 1, 1], ~schedule.possible[:, 0, 0]
        return replace(
            schedule,
            initial=float(schedule.initial > 0) if occupied else float(schedule.initial >= 1),
            leave=(must_leave if occupied else may_leave).astype(float),
            arrive=(may_arrive if occupied else must_arrive).astype(float),
        )

    lived, *others = spec.schedules
    return replace(spec, schedules=(tuple(map(extreme, lived)), *others), habit_spread=0.0)


@dataclass(frozen=True, kw_only=True)
class NeighbouringWorlds:
    """One simulated street, the days that it lives, and the house in question at every step."""

    street_day: StreetDay
    house: dict[Shape, Ints]  # (T,), −1 where nobody's state is open
    days: list[dict[Shape, Others]]
    needs: dict[str, RequiredNoise]  # by mechanism

    def world(self, day: int, shape: Shape, occupied: bool, rng: Generator) -> World:
        """Return one world of a day."""
        used = self.used(shape, occupied, rng)
        return self.days[day][shape].world(self.street_day, occupied, used)

    def used(self, shape: Shape, occupied: bool, rng: Generator) -> Floats:
        """(T,): what the house uses in that world."""
        street, house = self.street_day.street, self.house[shape]
        if shape == "point":
            use = street.bound[house] if occupied else np.zeros(len(house))
        else:
            use = street.only(house).at(np.full(len(house), occupied), rng.random(len(house)))
        return np.where(house >= 0, use, 0.0)


def neighbouring_worlds(
    scenario: Scenario, street_day: StreetDay, mechanisms: Mapping[str, Mechanism], rng: Generator
) -> NeighbouringWorlds:
    """Return the days of a street around that one, and the house in question."""
    possible, spec = possible_states(street_day), street_day.spec
    house: dict[Shape, Ints] = {
        shape: noise_for_sets(possible.sets(), street_day, scenario.epsilon, shape).house
        for shape in get_args(Shape)
    }
    others = (spec, extreme_habits(spec, occupied=True), extreme_habits(spec, occupied=False))
    seeds = rng.integers(2**32, size=len(others)).tolist()
    days = [
        street_day,
        *(lived_again(street_day, replace(own, seed=s)) for own, s in zip(others, seeds, strict=True)),
    ]
    return NeighbouringWorlds(
        street_day=street_day,
        house=house,
        days=[{shape: Others.of(day, of) for shape, of in house.items()} for day in days],
        needs={name: required_scale(m, scenario, street_day, possible) for name, m in mechanisms.items()},
    )


class Published(NamedTuple):
    """One release, and the world it was made in."""

    street: int
    lived: int  # which of the street's days
    shape: Shape
    occupied: bool
    world: World
    day: Day


class NoiseReadings(NamedTuple):
    """What some releases show of one mechanism, (releases, T) each; NaN where they show nothing."""

    noise: Floats  # ÷ what is needed at full use
    response: Floats  # to prices, by which the need is lower
    empty: Floats  # where the rate puts the house while it is empty
    occupied: Floats  # the same while it is occupied
    resolution: float  # of the noise: what the last digit of a rate is worth

    @property
    def beside_need(self) -> Floats:
        """The noise ÷ what is needed at the price response of the step."""
        return self.noise / self.response


@dataclass(frozen=True, kw_only=True)
class Secrets:
    """What differed between releases and must not show in their noise."""

    street: Ints  # (releases,)
    lived: Ints  # (releases,) which of the street's days
    occupied: Bools  # (releases,) the house in question
    houses_in: Floats  # (streets, days, T)
    demand: Floats  # (streets, days, T)


def publish_days(
    scenario: Scenario,
    mechanisms: Mapping[str, Mechanism],
    n: int,
    seed: int,
    street_day: StreetDay,
    progress: Progress | None,
) -> tuple[dict[str, NoiseReadings], Secrets]:
    """Return what n published days show of every mechanism, as many in each world of each street.

    `street_day` is the scenario's own day, simulated.
    """
    seeds, rng, days_rng = generators(seed_of(seed, Stream.AUDIT), 3)
    fresh, worlds, done = fresh_seeds(scenario, seeds), WORLDS * (n // BALANCED), 0
    parts: dict[str, list[NoiseReadings]] = {name: [] for name in mechanisms}
    made: list[tuple[int, int, bool]] = []
    lived_days: list[list[StreetDay]] = []
    for street in range(AUDITED_STREETS):
        drawn = draw_day(next(fresh)) if street else street_day
        near = neighbouring_worlds(scenario, drawn, mechanisms, days_rng)
        lived_days.append([others["point"].day for others in near.days])
        for first in range(0, len(worlds), UNDONE_TOGETHER):
            batch = []
            for number, (shape, occupied) in enumerate(worlds[first : first + UNDONE_TOGETHER], first):
                lived = number // len(WORLDS) % DAYS_LIVED
                world = near.world(lived, shape, occupied, rng)
                day = publish_day(next(fresh), world, mechanisms.values())
                batch.append(Published(street, lived, shape, occupied, world, day))
                made.append((street, lived, occupied))
                done += 1
                if progress is not None:
                    progress(done / n)
            for name, mechanism in mechanisms.items():
                parts[name].append(_read(mechanism, near, batch))
    in_street, on_day, house_in = map(np.array, zip(*made, strict=True))
    secrets = Secrets(
        street=in_street,
        lived=on_day,
        occupied=house_in,
        houses_in=np.array([[day.occupied for day in days] for days in lived_days]),
        demand=np.array([[day.demand for day in days] for days in lived_days]),
    )
    return {name: _join(each) for name, each in parts.items()}, secrets


def _join(parts: Sequence[NoiseReadings]) -> NoiseReadings:
    *arrays, resolution = zip(*parts, strict=True)
    noise, response, empty, occupied = map(np.concatenate, arrays)
    return NoiseReadings(noise, response, empty, occupied, max(resolution))


def fresh_seeds(scenario: Scenario, seeds: Generator) -> Iterator[Scenario]:
    """Yield the scenario with one seed after the other, none twice: two equal seeds have the same noise."""
    low, high, _ = BOUNDS["seed"]
    taken = set[int]()
    while True:
        seed = int(seeds.integers(int(low), int(high), endpoint=True))
        if seed not in taken:
            taken.add(seed)
            yield scenario.replace(seed=seed)


def can_be_undone(mechanism: Mechanism) -> bool:
    """Return whether a rate shows its own step's noise: what is smoothed for good shows more than that."""
    return mechanism.postprocess is None or mechanism.invert is not None or not mechanism.reads_demand


def _read(mechanism: Mechanism, near: NeighbouringWorlds, batch: Sequence[Published]) -> NoiseReadings:
    """Releases of one mechanism on one street, everything public undone; arrays here are (T, releases)."""
    public, needs = batch[0].day.market.public, near.needs[mechanism.name]
    tariff = public.tariff
    rate, scale = (
        np.column_stack([getattr(release.day.release[mechanism.name], part) for release in batch])
        for part in ("rate", "scale")
    )
    response = tariff.responses(rate)
    noisy = rate if mechanism.invert is None else mechanism.invert(public, scale, rate, response)
    others = np.column_stack([near.days[each.lived][each.shape].demand for each in batch])
    use = np.column_stack([each.world.used_now for each in batch])
    above = (noisy - tariff.rate(response * others + tariff.inelastic_demand)) / tariff.alpha
    clear = (response > 0) & can_be_undone(mechanism)
    needed = needs.scale[:, None]
    whole = needed > 0
    if mechanism.invert is not None and tariff.clip_at_zero:
        clipped = rate <= 0  # behind which the filter's state is lost
        clear &= np.cumsum(clipped, axis=0) == clipped
        # from where that happens, which noise is seen would depend on demand
        whole = whole & (np.cumsum(clipped.any(axis=1)) == 0)[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        noise = np.where(clear & whole, (above - response * use) / needed, np.nan)
    house = near.house[shape_of(mechanism)][:, None]
    if mechanism.neglects:  # where it gives that house no promise, telling it apart proves nothing
        clear &= house == needs.house[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        worth = np.where(np.isnan(noise), 0.0, np.spacing(np.abs(noisy)) / tariff.alpha / needed)
        at = np.where(
            clear & (house >= 0) & (response == 1), above / near.street_day.street.bound[house], np.nan
        )
    empty, occupied = (
        [(each.shape, each.occupied) == (shape_of(mechanism), state) for each in batch]
        for state in (False, True)
    )
    return NoiseReadings(
        noise=noise.T,
        response=response.T,
        empty=at[:, empty].T,
        occupied=at[:, occupied].T,
        resolution=float(worth.max()),
    )
