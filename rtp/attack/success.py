"""How well does the observer do? Many days on one street, every mechanism, the same lives for all.

The street and its model stay; states, consumption and noise are drawn afresh each day, so that days are
independent. She believes the true model; her advantage is what she gains over someone who knows the model too
and sees no rate.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import get_args

import numpy as np
from numpy.random import SeedSequence

from rtp.attack import roc
from rtp.attack.methods import Horizon, Knowledge, Known, Method, method_for, watcher
from rtp.attack.observed import observe
from rtp.attack.observer import Posterior
from rtp.attack.roc import Tally
from rtp.attack.score import Score, score
from rtp.core.random import Stream, seed_of
from rtp.core.types import Bools, Floats, Ints
from rtp.mechanisms import REGISTRY, noise_scales
from rtp.scenario import Bounds, Scenario, must_be_house, must_be_one_of, must_be_within
from rtp.simulation import live, market, price, unit_noise
from rtp.street.draw import Block, Street, StreetSpec
from rtp.street.simulate import Days, Progress, replay_blocks

DAYS = Bounds(2, 1000, "Days to attack")


@dataclass(frozen=True, kw_only=True)
class Attack:
    """The days so far, counted. `model` is the guess that sees no rate."""

    scenario: Scenario
    knows: Knowledge
    method: Method
    houses: Ints
    days: int
    tallies: Mapping[str, Sequence[Tally]]
    model_tallies: Sequence[Tally]

    @cached_property
    def scores(self) -> dict[str, Score]:
        return {name: score(days, self.model_tallies) for name, days in self.tallies.items()}

    @cached_property
    def model(self) -> Score:
        return score(self.model_tallies, self.model_tallies)


def attack(
    scenario: Scenario,
    days: int,
    *,
    mechanisms: Sequence[str] | None = None,
    knows: Knowledge = "model",
    horizon: Horizon = "so far",
    house: int | None = None,
    progress: Progress | None = None,
) -> Attack:
    """Attack so many days. `progress` is told the fraction done and may raise to stop."""
    for result in attacks(scenario, days, mechanisms=mechanisms, knows=knows, horizon=horizon, house=house):
        if progress is not None:
            progress(result.days / days)
    return result


def attacks(
    scenario: Scenario,
    days: int,
    *,
    mechanisms: Sequence[str] | None = None,
    knows: Knowledge = "model",
    horizon: Horizon = "so far",
    house: int | None = None,
) -> Iterator[Attack]:
    """The same day by day: each result holds all days so far, so whoever stops keeps what there is."""
    must_be_within("days", days, DAYS)
    must_be_one_of("knows", knows, get_args(Knowledge))
    must_be_one_of("horizon", horizon, get_args(Horizon))
    must_be_house("house", house, scenario.households)
    names = list(REGISTRY) if mechanisms is None else list(mechanisms)
    for name in names:
        must_be_one_of("mechanism", name, REGISTRY)
    houses = np.arange(scenario.households) if house is None else np.array([house])
    return _attacks(scenario.replace(days=1), days, names, knows, horizon, houses)


def _attacks(
    scenario: Scenario, days: int, names: list[str], knows: Knowledge, horizon: Horizon, houses: Ints
) -> Iterator[Attack]:
    life = live(scenario)
    street, known = life.street, market(scenario, life)
    noises = noise_scales([REGISTRY[name] for name in names], known.public)
    observer = watcher(life.spec, street, 0, houses, method_for(knows, street), horizon)
    alone = observer.model_only
    tallies: dict[str, list[Tally]] = {name: [] for name in names}
    model_tallies: list[Tally] = []
    for day, seed in enumerate(seed_of(scenario.seed, Stream.ATTACKED_DAYS).spawn(days)):
        life_seed, noise_seed = seed.spawn(2)
        demand, occupied, used = _live_again(life.spec, street, houses, life_seed)
        others = Known(demand, used) if knows == "others" else None
        units = unit_noise(noise_seed, scenario.steps, scenario.independent_noise)
        for name in names:
            scale = noises[name].scale
            rate = price(REGISTRY[name], known.public, demand, scale * units[name], scale).rate
            seen = observe(REGISTRY[name], known.public, rate, scale)
            tallies[name].append(roc.tally(occupied, *observer.watch(seen, others)))
        model_tallies.append(roc.tally(occupied, alone, alone, np.zeros_like(alone)))
        yield Attack(
            scenario=scenario,
            knows=knows,
            method=observer.method,
            houses=houses,
            days=day + 1,
            tallies={name: tuple(counted) for name, counted in tallies.items()},
            model_tallies=tuple(model_tallies),
        )


def attack_of_the_day(scenario: Scenario, seen: Sequence[Posterior], occupied: Bools) -> Attack:
    """A day that has been watched already, by one or several rates; she believes the true model there."""
    true_model = [next(iter(posterior.by_model), posterior) for posterior in seen]
    alone = true_model[0].model_only
    return Attack(
        scenario=scenario,
        knows=seen[0].knows,
        method=seen[0].method,
        houses=seen[0].houses,
        days=1,
        tallies={p.mechanism: [roc.tally(occupied, p.belief, p.prior, p.log_evidence)] for p in true_model},
        model_tallies=[roc.tally(occupied, alone, alone, np.zeros_like(alone))],
    )


def right_so_far(seen: Posterior, column: int, occupied: Bools, step: int) -> tuple[float, float]:
    """Up to a step: the share of moments at which the likelier state was the true one, by her and by the
    model alone. `occupied` is the house's truth, (T,)."""
    now, mine = slice(step + 1), slice(column, column + 1)
    hers, alone = (
        roc.tally(
            occupied[now, None], belief[now, mine], seen.prior[now, mine], seen.log_evidence[now, mine]
        ).right
        / (step + 1)
        for belief in (seen.belief, seen.model_only)
    )
    return hers, alone


def _live_again(
    spec: StreetSpec, street: Street, houses: Ints, life_seed: SeedSequence
) -> tuple[Floats, Bools, Floats]:
    """Another day on the same street: its demand (T,), and states and consumption of some houses (T, n)."""

    def note(block: Block, days: Days) -> tuple[Floats, Bools, Floats]:
        mine = houses[(houses >= block.start) & (houses < block.stop)] - block.start
        ((states, consumption),) = days
        return consumption.sum(axis=1), states[:, mine], consumption[:, mine]

    demands, states, used = zip(*replay_blocks(spec, street, note, life_seed), strict=True)
    return np.sum(demands, axis=0), np.concatenate(states, axis=1), np.concatenate(used, axis=1)
