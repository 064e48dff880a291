"""The days of a block of houses, drawn or drawn again: states and consumption.

Every block has a stream of its own, so any of them can be replayed, to look at individuals, without keeping
N·T numbers.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator, SeedSequence

from rtp.arrays import Bools, Floats
from rtp.clock import STEPS_PER_DAY
from rtp.streams import Stream, generators, seed_of
from rtp.street.draw import Block, Result, Street, each_block
from rtp.street.occupancy import Schedule
from rtp.street.spec import StreetSpec

Days = Iterator[tuple[Bools, Floats]]  # states and consumption, both (96, n), in arrays used again each day


@dataclass(frozen=True, kw_only=True)
class Buffers:
    """Arrays for a block of n houses to spend a day in; a 97th row is for the start of the next day."""

    uniforms: Floats  # (97, n)
    bounds: Floats  # (97, n)
    states: Bools  # (97, n)
    arrives: Bools  # (96, n)
    flips: Bools  # (96, n)


def buffers_for(size: int) -> Buffers:
    long, day = (STEPS_PER_DAY + 1, size), (STEPS_PER_DAY, size)
    return Buffers(
        uniforms=np.empty(long),
        bounds=np.empty(long),
        states=np.empty(long, dtype=bool),
        arrives=np.empty(day, dtype=bool),
        flips=np.empty(day, dtype=bool),
    )


class ThreadBuffers(threading.local):
    """Each thread's own buffers, used again for its next block."""

    def __init__(self) -> None:
        self.kept: dict[int, Buffers] = {}

    def of(self, size: int) -> Buffers:
        if size not in self.kept:
            self.kept = {size: buffers_for(size)}
        return self.kept[size]


def block_days(
    rng: Generator, spec: StreetSpec, street: Street, block: Block, buffers: Buffers | None = None
) -> Days:
    """The block's days one by one, as the first model generates them."""
    return walk(
        rng,
        spec.schedules[0][block.group],
        *spec.chances(street, 0, block),
        street.occupied_bound[block.houses],
        street.empty_bound[block.houses],
        spec.days,
        buffers or buffers_for(len(block)),
    )


def walk(
    rng: Generator,
    schedule: Schedule,
    leave: Floats,
    arrive: Floats,
    occupied_bound: Floats,
    empty_bound: Floats,
    days: int,
    buffers: Buffers,
) -> Days:
    """Houses of one group walk through their chains, (4, n) chances each, and consume."""
    uniforms, bounds = buffers.uniforms[:-1], buffers.bounds[:-1]
    states, arrives, flips = buffers.states, buffers.arrives, buffers.flips
    np.less(rng.random(len(occupied_bound)), schedule.initial, out=states[-1])
    for _ in range(days):
        states[0] = states[-1]
        rng.random(out=uniforms)
        for start, end, p in schedule.runs():
            np.less(uniforms[start:end], arrive[p], out=arrives[start:end])
            np.greater_equal(uniforms[start:end], leave[p], out=flips[start:end])
        np.logical_xor(arrives, flips, out=flips)
        now = states[0]
        for arriving, flipping, then in zip(arrives, flips, states[1:], strict=True):
            np.logical_and(now, flipping, out=then)  # then = stays if occupied now, arrives if empty
            now = np.logical_xor(then, arriving, out=then)
        rng.random(out=uniforms)
        bounds[:] = empty_bound
        np.copyto(bounds, occupied_bound, where=states[:-1])
        uniforms *= bounds
        yield states[:-1], uniforms


def households(spec: StreetSpec, street: Street, houses: Sequence[int]) -> tuple[Bools, Floats]:
    """States and consumption of some houses on that very day, both (T, n), by replaying their blocks."""
    wanted = np.asarray(houses, dtype=np.intp)
    states = np.empty((spec.steps, len(wanted)), dtype=bool)
    consumption = np.empty((spec.steps, len(wanted)))
    rngs = generators(seed_of(spec.seed, Stream.LIVES), len(spec.blocks))
    for rng, block in zip(rngs, spec.blocks, strict=True):
        inside = np.flatnonzero((wanted >= block.start) & (wanted < block.stop))
        if not len(inside):
            continue
        columns = wanted[inside] - block.start
        for day, (s, c) in enumerate(block_days(rng, spec, street, block)):
            rows = slice(day * STEPS_PER_DAY, (day + 1) * STEPS_PER_DAY)
            states[rows, inside] = s[:, columns]
            consumption[rows, inside] = c[:, columns]
    return states, consumption


def replay(
    spec: StreetSpec,
    street: Street,
    work: Callable[[Block, Days], Result],
    life_seed: SeedSequence | None = None,
) -> Iterator[Result]:
    """work(block, its days) for every block, in order: of that very day or, with another seed, of another."""
    parts = spec.blocks
    rngs = generators(life_seed or seed_of(spec.seed, Stream.LIVES), len(parts))

    def one(i: int) -> Result:
        return work(parts[i], block_days(rngs[i], spec, street, parts[i]))

    return each_block(one, len(parts))
