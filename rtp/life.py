"""The street lives: states and consumption of every house, summed as they are drawn.

Nothing here depends on the tariff, the promise or the price response, so a day can be priced many times
without drawing it again. Blocks of houses are drawn from streams of their own: any of them can be replayed,
to look at individuals, without keeping N·T numbers.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator, SeedSequence

from rtp import outlook
from rtp.occupancy import Bools, Floats, Schedule, personal, schedule
from rtp.outlook import Outlook
from rtp.scenario import STEPS_PER_DAY, Scenario
from rtp.street import Block, Kinds, Result, Street, blocks, draw, each_block, group_sizes, kinds, streams

Progress = Callable[[float], None]


@dataclass(frozen=True, kw_only=True)
class Life:
    """What happened on the street, before any price."""

    street: Street
    kinds: Kinds
    occupied: Floats  # (T,) houses occupied
    demand: Floats  # (T,) their demand at full consumption
    truth: Outlook  # what the generating model expects
    assumed: Outlook  # what filter and forecast expect: `truth` itself unless they believe another model


# What a life depends on: two scenarios that agree on these live the same day.
FIELDS = frozenset(
    {
        "households",
        "days",
        "groups",
        "models",
        "assumed_model",
        "habit_spread",
        "habit_clip",
        "conversion",
        "seed",
    }
)


def life_key(scenario: Scenario) -> str:
    """The same text for scenarios that live the same day."""
    return scenario.model_dump_json(include=set(FIELDS))


def seeds(scenario: Scenario) -> list[SeedSequence]:
    """One stream per purpose: habits, bounds, lives, noise."""
    return SeedSequence(scenario.seed).spawn(4)


def plans(scenario: Scenario) -> list[list[Schedule]]:
    """Schedules by model and group."""
    return [[schedule(habits, scenario.conversion) for habits in model.habits] for model in scenario.models]


def street_of(scenario: Scenario) -> Street:
    habits, bounds, _, _ = seeds(scenario)
    return draw(scenario.groups, scenario.households, habits, bounds)


def blocks_of(scenario: Scenario) -> list[Block]:
    return blocks(group_sizes([g.share for g in scenario.groups], scenario.households))


def live(scenario: Scenario, progress: Progress | None = None) -> Life:
    """Draw the street, let it live, and note what the models expected of it.

    `progress` is told the fraction done and may raise to stop.
    """
    street, by_model, parts = street_of(scenario), plans(scenario), blocks_of(scenario)
    rngs = streams(seeds(scenario)[2], len(parts))
    believed = scenario.assumed_index
    rooms = Rooms()

    def one(i: int) -> tuple[Floats, Floats, outlook.Moments, outlook.Moments | None]:
        block = parts[i]
        room = rooms.of(block.stop - block.start)
        sums = [
            (states.sum(axis=1), consumption.sum(axis=1))
            for states, consumption in _walk(rngs[i], scenario, street, by_model[0], block, room)
        ]
        truth = _expect(scenario, street, by_model[0], block, room)
        belief = _expect(scenario, street, by_model[believed], block, room) if believed else None
        return np.concatenate([s for s, _ in sums]), np.concatenate([c for _, c in sums]), truth, belief

    occupied, demand = np.zeros(scenario.steps), np.zeros(scenario.steps)
    truth = outlook.empty(len(scenario.groups), scenario.steps)
    assumed = outlook.empty(len(scenario.groups), scenario.steps) if believed else truth
    for i, (count, total, expected, believed_in) in enumerate(each_block(one, len(parts))):
        occupied += count
        demand += total
        outlook.add(truth, parts[i].group, expected)
        if believed_in is not None:
            outlook.add(assumed, parts[i].group, believed_in)
        if progress is not None:
            progress((i + 1) / len(parts))
    return Life(
        street=street,
        kinds=kinds(street, by_model, scenario.habit_spread, scenario.habit_clip, scenario.days),
        occupied=occupied,
        demand=demand,
        truth=truth,
        assumed=assumed,
    )


def households(scenario: Scenario, street: Street, houses: Sequence[int]) -> tuple[Bools, Floats]:
    """States and consumption of some houses on that very day, both (T, n), by replaying their blocks."""
    wanted = np.asarray(houses, dtype=np.intp)
    states = np.empty((scenario.steps, len(wanted)), dtype=bool)
    consumption = np.empty((scenario.steps, len(wanted)))
    model, parts = plans(scenario)[0], blocks_of(scenario)
    rngs = streams(seeds(scenario)[2], len(parts))
    for i, block in enumerate(parts):
        inside = np.flatnonzero((wanted >= block.start) & (wanted < block.stop))
        if not len(inside):
            continue
        columns = wanted[inside] - block.start
        for day, (s, c) in enumerate(_walk(rngs[i], scenario, street, model, block)):
            rows = slice(day * STEPS_PER_DAY, (day + 1) * STEPS_PER_DAY)
            states[rows, inside] = s[:, columns]
            consumption[rows, inside] = c[:, columns]
    return states, consumption


def replay(
    scenario: Scenario,
    street: Street,
    work: Callable[[Block, Iterator[tuple[Bools, Floats]]], Result],
    lives: SeedSequence | None = None,
) -> Iterator[Result]:
    """work(block, its days) for every block of that very day, in order; given other `lives`, of another one.

    A block's days are states and consumption, both (96, n), in arrays used again each day.
    """
    model, parts = plans(scenario)[0], blocks_of(scenario)
    rngs = streams(lives or seeds(scenario)[2], len(parts))
    return each_block(lambda i: work(parts[i], _walk(rngs[i], scenario, street, model, parts[i])), len(parts))


def chances(scenario: Scenario, street: Street, model: list[Schedule], block: Block) -> tuple[Floats, Floats]:
    """(leave, arrive) per step of the block's houses under a model, both (4, n)."""
    draws = street.habit_draws[block.houses]
    return personal(model[block.group], draws, scenario.habit_spread, scenario.habit_clip)


@dataclass(frozen=True, kw_only=True)
class Room:
    """Arrays for a block of n houses to spend a day in; a 97th row is for the start of the next day."""

    numbers: Floats  # (97, n)
    more_numbers: Floats  # (97, n)
    states: Bools  # (97, n)
    arrives: Bools  # (96, n)
    flips: Bools  # (96, n)


def room_for(size: int) -> Room:
    long, day = (STEPS_PER_DAY + 1, size), (STEPS_PER_DAY, size)
    return Room(
        numbers=np.empty(long),
        more_numbers=np.empty(long),
        states=np.empty(long, dtype=bool),
        arrives=np.empty(day, dtype=bool),
        flips=np.empty(day, dtype=bool),
    )


class Rooms(threading.local):
    """Each thread's own room, used again for its next block."""

    def __init__(self) -> None:
        self.kept: dict[int, Room] = {}

    def of(self, size: int) -> Room:
        if size not in self.kept:
            self.kept = {size: room_for(size)}
        return self.kept[size]


def _expect(
    scenario: Scenario, street: Street, model: list[Schedule], block: Block, room: Room
) -> outlook.Moments:
    return outlook.of_block(
        model[block.group],
        *chances(scenario, street, model, block),
        street.occupied_bound[block.houses],
        street.empty_bound[block.houses],
        scenario.days,
        (room.numbers, room.more_numbers),
    )


def _walk(
    rng: Generator,
    scenario: Scenario,
    street: Street,
    model: list[Schedule],
    block: Block,
    room: Room | None = None,
) -> Iterator[tuple[Bools, Floats]]:
    """The block's days one by one: states and consumption, both (96, n), in arrays used again each day."""
    plan = model[block.group]
    leave, arrive = chances(scenario, street, model, block)
    size = block.stop - block.start
    room = room or room_for(size)
    uniform, bound = room.numbers[:-1], room.more_numbers[:-1]
    states, arrives, flips = room.states, room.arrives, room.flips
    np.less(rng.random(size), plan.initial, out=states[-1])
    for _ in range(scenario.days):
        states[0] = states[-1]
        rng.random(out=uniform)
        for start, end, p in plan.runs():
            np.less(uniform[start:end], arrive[p], out=arrives[start:end])
            np.greater_equal(uniform[start:end], leave[p], out=flips[start:end])
        np.logical_xor(arrives, flips, out=flips)
        now = states[0]
        for arriving, flipping, then in zip(arrives, flips, states[1:], strict=True):
            np.logical_and(now, flipping, out=then)  # then = stays if occupied now, arrives if empty
            now = np.logical_xor(then, arriving, out=then)
        rng.random(out=uniform)
        bound[:] = street.empty_bound[block.houses]
        np.copyto(bound, street.occupied_bound[block.houses], where=states[:-1])
        uniform *= bound
        yield states[:-1], uniform
