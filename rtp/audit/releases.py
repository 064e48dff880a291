"""Rates as the lab publishes them, on neighbouring streets: all that the audit judges.

Every release is published on its own with a fresh seed, the way a day reaches the screen. Four streets are
lived, the scenario's own and three with fresh seeds. On each, everyone's consumption is known but that of one
house a step, the one that needs most noise (`need`): the strongest observer's place. Four worlds differ in
that house: it uses its bound or nothing ("point"), or as modelled ("uniform"), by its law where it has one.

What is public is undone: filter, tariff and price response. What is left of a rate is its noise, here in the
unit of what the promise needs, and where it puts the house, from 0 for nothing to 1 for its bound.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, islice
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from rtp.audit.need import Need, Shape, need, shape_of, widest
from rtp.audit.uncertain import Uncertain, uncertain
from rtp.core.random import Stream, generators, seed_of
from rtp.core.types import Bools, Floats, Ints
from rtp.mechanisms import REGISTRY, Mechanism
from rtp.scenario import BOUNDS, Scenario
from rtp.simulation import Day, live, publish_day
from rtp.street.simulate import Progress, StreetDay, replay_houses

STREETS = 4
WORLDS: tuple[tuple[Shape, bool], ...] = (
    ("point", True),
    ("point", False),
    ("uniform", True),
    ("uniform", False),
)
BALANCED = STREETS * len(WORLDS)  # releases that make one of each
BATCH = 100  # releases of a street that are undone together


@dataclass
class Heard:
    """What was heard of one mechanism, (releases, T) a batch; NaN where nothing is to be heard."""

    noise: list[NDArray[np.float32]] = field(default_factory=list)  # ÷ what is needed
    full: list[Bools] = field(default_factory=list)  # where no price response has lowered the need
    position: tuple[list[Floats], list[Floats]] = field(default_factory=lambda: ([], []))  # empty, occupied


@dataclass(frozen=True, kw_only=True)
class Neighbours:
    """One lived street with the house in question, at every step, taken out of it."""

    life: StreetDay
    house: dict[Shape, Ints]  # (T,), −1 where nobody's state is open
    others: dict[Shape, Floats]  # (T,) what everyone else uses
    needs: dict[str, Need]  # by mechanism

    def used(self, shape: Shape, occupied: bool, rng: Generator) -> Floats:
        """(T,): what the house uses in that world."""
        street, house = self.life.street, self.house[shape]
        if shape == "point":
            use = street.bound[house] if occupied else np.zeros(len(house))
        else:
            use = street.use(house).at(np.full(len(house), occupied), rng.random(len(house)))
        return np.where(house >= 0, use, 0.0)


def neighbours(scenario: Scenario, life: StreetDay) -> Neighbours:
    open_ = uncertain(life)
    house: dict[Shape, Ints] = {
        "point": _houses(scenario, life, open_, "point"),
        "uniform": _houses(scenario, life, open_, "uniform"),
    }
    return Neighbours(
        life=life,
        house=house,
        others={shape: life.demand - _real_use(life, of) for shape, of in house.items()},
        needs=_needs(scenario, life, open_),
    )


def _needs(scenario: Scenario, life: StreetDay, open_: Uncertain) -> dict[str, Need]:
    """By mechanism; those that promise the same to the same houses need the same."""
    known: dict[tuple[str, str, bool], Need] = {}
    for m in REGISTRY.values():
        if (m.protects, m.assumes, m.adds_noise) not in known:
            known[m.protects, m.assumes, m.adds_noise] = need(m, scenario, life, open_)
    return {name: known[m.protects, m.assumes, m.adds_noise] for name, m in REGISTRY.items()}


def _houses(scenario: Scenario, life: StreetDay, open_: Uncertain, shape: Shape) -> Ints:
    house = np.full(life.spec.steps, -1)
    for when, who in open_.sets():
        house[when] = widest(life.street, who, scenario.epsilon, shape)[1]
    return house


def _real_use(life: StreetDay, house: Ints) -> Floats:
    """(T,): what the house of each step really used."""
    some, column = np.unique(np.maximum(house, 0), return_inverse=True)
    _, used = replay_houses(life.spec, life.street, some.tolist())
    return np.where(house >= 0, used[np.arange(len(house)), column.ravel()], 0.0)


class Published(NamedTuple):
    """One release, and the world it was made in."""

    shape: Shape
    occupied: bool
    use: Floats  # (T,) of the house
    day: Day


def listen(
    scenario: Scenario, n: int, seed: int, life: StreetDay, progress: Progress | None
) -> dict[str, Heard]:
    """Publish n days, as many in each world of each street, and note what every mechanism lets through.

    `life` is the scenario's own day, lived.
    """
    heard = {name: Heard() for name in REGISTRY}
    for near, releases in _streets(scenario, n, seed, life, progress or (lambda _: None)):
        while batch := list(islice(releases, BATCH)):
            for name, mechanism in REGISTRY.items():
                _note(heard[name], mechanism, near, batch)
    return heard


def _streets(
    scenario: Scenario, n: int, seed: int, life: StreetDay, report: Progress
) -> Iterator[tuple[Neighbours, Iterator[Published]]]:
    """Each street with its releases, which must be taken before the next one."""
    seeds, rng = generators(seed_of(seed, Stream.AUDIT), 2)
    done = count(1)

    def published(near: Neighbours) -> Iterator[Published]:
        for shape, occupied in WORLDS * (n // BALANCED):
            use = near.used(shape, occupied, rng)
            world = replace(near.life, demand=near.others[shape] + use)
            yield Published(shape, occupied, use, publish_day(_fresh(scenario, seeds), world))
            report(next(done) / n)

    for street in range(STREETS):
        if street:
            life = live(_fresh(scenario, seeds))
        near = neighbours(scenario, life)
        yield near, published(near)


def _fresh(scenario: Scenario, seeds: Generator) -> Scenario:
    low, high, _ = BOUNDS["seed"]
    return scenario.replace(seed=int(seeds.integers(int(low), int(high), endpoint=True)))


def _note(heard: Heard, mechanism: Mechanism, near: Neighbours, batch: Sequence[Published]) -> None:
    """Releases of one mechanism on one street, with everything public undone; arrays are (T, releases)."""
    known, needs = batch[0].day.market, near.needs[mechanism.name]
    tariff = known.tariff
    rate, scale = (
        np.column_stack([getattr(release.day.release[mechanism.name], part) for release in batch])
        for part in ("rate", "scale")
    )
    response = tariff.responses(rate)
    noisy = rate if mechanism.invert is None else mechanism.invert(known.public, scale, rate, response)
    others = np.column_stack([near.others[release.shape] for release in batch])
    use = np.column_stack([release.use for release in batch])
    above = (noisy - tariff.rate(response * others + tariff.inelastic_demand)) / tariff.alpha
    clear = response > 0
    if mechanism.invert is not None and tariff.clip_at_zero:
        clear &= np.cumsum(rate <= 0, axis=0) == (
            rate <= 0
        )  # behind a clipped rate the filter's state is lost
    needed = needs.scale[:, None] * response
    with np.errstate(divide="ignore", invalid="ignore"):
        noise = np.where(clear & (needed > 0), (above - response * use) / needed, np.nan)
    heard.noise.append(noise.T.astype(np.float32))
    heard.full.append((response == 1).T)
    house = near.house[shape_of(mechanism)][:, None]
    if mechanism.neglects:  # where it gives that house no promise, telling it apart proves nothing
        clear &= house == needs.house[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        at = np.where(clear & (house >= 0) & (response == 1), above / near.life.street.bound[house], np.nan)
    for occupied, side in enumerate(heard.position):
        mine = [
            (release.shape, release.occupied) == (shape_of(mechanism), bool(occupied)) for release in batch
        ]
        side.append(at[:, mine].T)
