"""The filter on one day: plain numbers against arrays of one, which would serve many days too."""

from collections import deque
from collections.abc import Iterator
from functools import partial

import numpy as np

from benchmarks.measure import Result, processor_ratio
from rtp import PRESETS, simulate
from rtp.mechanisms import filtered
from rtp.simulation import Day, walk
from rtp.simulation.publish import ONE
from rtp.tariff import Number

REPEATS = 20


def follow(day: Day, noise: list[Number], scale: list[Number], response: Number) -> None:
    deque(walk(filtered.MECHANISM, day.market.public, day.life.demand, noise, scale, response), maxlen=0)


def results() -> Iterator[Result]:
    for preset in ("paper", "mixed street"):
        day = simulate(PRESETS[preset])
        scale = day.release[filtered.MECHANISM.name].scale
        noise = np.zeros_like(scale)
        numbers = partial(follow, day, noise.tolist(), scale.tolist(), 1.0)
        arrays = partial(follow, day, list(noise[:, None]), list(scale[:, None]), ONE)
        yield Result(
            subject=f"filtering one day with plain numbers ÷ with arrays of one ({preset})",
            value=processor_ratio(numbers, arrays, REPEATS),
            target=0.5,
        )
