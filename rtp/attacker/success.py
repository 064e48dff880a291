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

from rtp import simulation
from rtp.attacker import roc
from rtp.attacker.beliefs import follow, habits_of, model_only
from rtp.attacker.observer import Knowledge, all_at_once, check, observe, one_by_one
from rtp.attacker.roc import Estimate, Tally
from rtp.life import Progress, live, replay
from rtp.mechanisms import REGISTRY
from rtp.occupancy import Bools, Floats, Ints
from rtp.scenario import Bounds, Scenario, ScenarioError
from rtp.street import Block, Street, streams

DAYS = Bounds(2, 1000, "Days to attack")
STREAM = 6  # of the scenario's seed: its own day uses the first four


@dataclass(frozen=True, kw_only=True)
class Score:
    """How well she does from one mechanism's rates."""

    roc: Estimate  # of her belief: hit rate at each of roc.FALSE_ALARMS
    auc: Estimate
    accuracy: Estimate
    log_loss: Estimate
    advantage: Estimate  # accuracy beyond the model alone
    auc_advantage: Estimate
    log_loss_advantage: Estimate  # what is saved
    evidence_roc: Estimate  # of one rate alone; never above roc.ceiling
    evidence_auc: Estimate


@dataclass(frozen=True, kw_only=True)
class Attack:
    """The days so far, counted. `model` is the guess that sees no rate."""

    scenario: Scenario
    knows: Knowledge
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
    house: int | None = None,
    progress: Progress | None = None,
) -> Attack:
    """Attack so many days. `progress` is told the fraction done and may raise to stop."""
    for result in attacks(scenario, days, mechanisms=mechanisms, knows=knows, house=house):
        if progress is not None:
            progress(result.days / days)
    return result


def attacks(
    scenario: Scenario,
    days: int,
    *,
    mechanisms: Sequence[str] | None = None,
    knows: Knowledge = "model",
    house: int | None = None,
) -> Iterator[Attack]:
    """The same day by day: each result holds all days so far, so whoever stops keeps what there is."""
    if not isinstance(days, int) or not DAYS.low <= days <= DAYS.high:
        raise ScenarioError("days", f"is {days!r}; it must be a whole number from {DAYS.low} to {DAYS.high}.")
    check("knows", knows, get_args(Knowledge))
    check("house", house, [None, *range(scenario.households)])
    names = list(REGISTRY) if mechanisms is None else list(mechanisms)
    for name in names:
        check("mechanism", name, REGISTRY)
    houses = np.arange(scenario.households) if house is None else np.array([house])
    scenario = scenario.replace(days=1)
    return _attacks(scenario, days, names, knows, houses)


def _attacks(
    scenario: Scenario, days: int, names: list[str], knows: Knowledge, houses: Ints
) -> Iterator[Attack]:
    life = live(scenario)
    street = life.street
    public, rules = simulation.public_knowledge(scenario, life), simulation.tariff(scenario, life)
    scales = {name: REGISTRY[name].noise(public).scale for name in names}
    tracked = houses if knows == "others" else np.arange(scenario.households)
    keep = np.isin(tracked, houses)
    habits = habits_of(scenario, street, 0, tracked)
    alone = model_only(habits_of(scenario, street, 0, houses), scenario.steps)
    hearing = all_at_once(street)
    tallies: dict[str, list[Tally]] = {name: [] for name in names}
    model_tallies: list[Tally] = []
    root = SeedSequence(scenario.seed, spawn_key=(STREAM,))
    for day, seed in enumerate(root.spawn(days)):
        lives, noise = seed.spawn(2)
        demand, occupied, used = _live_again(scenario, street, houses, lives)
        shared, *own = streams(noise, 1 + len(REGISTRY))
        unit = shared.laplace(size=scenario.steps)
        for name in names:
            if scenario.independent_noise:
                unit = own[list(REGISTRY).index(name)].laplace(size=scenario.steps)
            _, rate, _ = simulation.run(
                REGISTRY[name], public, rules, demand, scales[name] * unit, scales[name]
            )
            seen = observe(REGISTRY[name], public, rules, rate, scales[name])
            hear = hearing(seen) if knows == "model" else one_by_one(seen, street, demand, houses, used)
            belief, prior, told = follow(hear, habits, scenario.steps, keep)
            tallies[name].append(roc.tally(occupied, belief, prior, told))
        model_tallies.append(roc.tally(occupied, alone, alone, np.zeros_like(alone)))
        yield Attack(
            scenario=scenario,
            knows=knows,
            houses=houses,
            days=day + 1,
            tallies={name: tuple(counted) for name, counted in tallies.items()},
            model_tallies=tuple(model_tallies),
        )


def _live_again(
    scenario: Scenario, street: Street, houses: Ints, lives: SeedSequence
) -> tuple[Floats, Bools, Floats]:
    """Another day on the same street: its demand (T,), and states and consumption of some houses (T, n)."""

    def note(block: Block, days: Iterator[tuple[Bools, Floats]]) -> tuple[Floats, Bools, Floats]:
        mine = houses[(houses >= block.start) & (houses < block.stop)] - block.start
        ((states, consumption),) = days
        return consumption.sum(axis=1), states[:, mine], consumption[:, mine]

    demands, states, used = zip(*replay(scenario, street, note, lives), strict=True)
    return np.sum(demands, axis=0), np.concatenate(states, axis=1), np.concatenate(used, axis=1)


def score(days: Sequence[Tally], model: Sequence[Tally]) -> Score:
    """From counts to numbers, each with its interval over days."""
    belief = np.array([[day.belief, alone.belief] for day, alone in zip(days, model, strict=True)])
    told = np.array([day.evidence for day in days])
    sums = np.array([(d.moments, d.right, d.loss, m.right, m.loss) for d, m in zip(days, model, strict=True)])
    return Score(
        roc=roc.jackknife(belief, lambda n: roc.curve(n[0]), 0, 1),
        auc=roc.jackknife(belief, lambda n: roc.area(n[0]), 0, 1),
        accuracy=roc.jackknife(sums, lambda n: n[1] / n[0], 0, 1),
        log_loss=roc.jackknife(sums, lambda n: n[2] / n[0], 0),
        advantage=roc.jackknife(sums, lambda n: (n[1] - n[3]) / n[0], -1, 1),
        auc_advantage=roc.jackknife(belief, lambda n: roc.area(n[0]) - roc.area(n[1]), -1, 1),
        log_loss_advantage=roc.jackknife(sums, lambda n: (n[4] - n[2]) / n[0]),
        evidence_roc=roc.jackknife(told, roc.curve, 0, 1),
        evidence_auc=roc.jackknife(told, roc.area, 0, 1),
    )
