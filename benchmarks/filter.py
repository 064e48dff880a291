"""The filter on one day: arrays of one, which would serve many days too, against plain numbers."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from benchmarks.measure import Result, best
from rtp import PRESETS, simulate
from rtp.mechanisms import filtered
from rtp.simulation import price

REPEATS = 20


def results() -> Iterator[Result]:
    for preset in ("paper", "mixed street"):
        day = simulate(PRESETS[preset])
        public, demand = day.market.public, day.life.demand
        scale = day.release[filtered.MECHANISM.name].scale
        noise = np.zeros_like(scale)
        one_day = partial(price, filtered.MECHANISM, public, demand, noise, scale)
        array_of_one = partial(price, filtered.MECHANISM, public, demand, noise[:, None], scale[:, None])
        numbers, arrays = best(REPEATS, one_day, array_of_one)
        subject = f"filtering one day with arrays of one ÷ plain numbers ({preset})"
        yield Result(subject=subject, value=arrays / numbers)
