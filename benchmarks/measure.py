"""Measuring: best of several repeats, taken in turns, so that a busy machine hits both sides of a ratio."""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from rtp.clock import STEPS_PER_DAY

Work = Callable[[], object]


@dataclass(frozen=True, kw_only=True)
class Result:
    """One line of the report. Without a target it is for information."""

    subject: str
    value: float
    unit: str = "×"
    target: float | None = None
    aim: float | None = None

    @property
    def verdict(self) -> str:
        if self.target is None:
            return ""
        return "PASS" if self.value <= self.target else "over"


def seconds(work: Work) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def best(repeats: int, *works: Work) -> list[float]:
    """The shortest time of each piece of work, all done once per round."""
    rounds = [[seconds(work) for work in works] for _ in range(repeats)]
    return [min(times) for times in zip(*rounds, strict=True)]


def ratio(work: Work, floor: Work, repeats: int) -> float:
    ours, theirs = best(repeats, work, floor)
    return ours / theirs


def uniforms(households: int) -> Work:
    """The floor: the 2·N·T uniforms of a textbook day, on one core, into a buffer that stays in cache."""
    rng, buffer = np.random.default_rng(0), np.empty(min(2 * households, 16_384))
    whole, rest = divmod(2 * households * STEPS_PER_DAY, len(buffer))

    def draw() -> None:
        for _ in range(whole):
            rng.random(out=buffer)
        rng.random(out=buffer[:rest])

    return draw
