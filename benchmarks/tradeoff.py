"""The error–budget curve: 40 budgets and 1000 days of noise against simulating the street itself."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from benchmarks.measure import Result, processor_ratio
from rtp import PRESETS, simulate
from rtp.tradeoff import curve

BUDGETS = np.geomspace(0.01, 10, 40)


def results() -> Iterator[Result]:
    for name, scenario in PRESETS.items():
        yield Result(
            subject=f"a curve of 40 budgets, 1000 days of noise ÷ simulating the day, {name}",
            value=processor_ratio(
                partial(curve, scenario, BUDGETS, 1000), partial(simulate, scenario), repeats=10
            ),
            target=20.0,
        )
    large = PRESETS["paper"].replace(households=100_000)
    yield Result(
        subject="the same with 100,000 households",
        value=processor_ratio(partial(curve, large, BUDGETS, 1000), partial(simulate, large), repeats=3),
        target=20.0,
    )
