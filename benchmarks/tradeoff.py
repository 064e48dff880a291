"""The error–budget curve: 40 budgets and 1000 days of noise against simulating the street itself.

Every repeat has a day of its own, so that nothing is remembered from the one before.
"""

from collections.abc import Callable, Iterator

import numpy as np

from benchmarks.measure import Result, Work, processor_ratio
from rtp import PRESETS, Scenario, simulate
from rtp.tradeoff import curve

BUDGETS, DAYS = np.geomspace(0.01, 10, 40), 1000


def draw_curve(scenario: Scenario) -> object:
    return curve(scenario, BUDGETS, DAYS)


def day_by_day(work: Callable[[Scenario], object], scenario: Scenario, repeats: int) -> Work:
    """The work, each time on another day of the scenario."""
    days = iter([scenario.replace(seed=seed) for seed in range(repeats)])
    return lambda: work(next(days))


def curve_over_day(scenario: Scenario, repeats: int) -> float:
    ours, floor = (day_by_day(work, scenario, repeats) for work in (draw_curve, simulate))
    return processor_ratio(ours, floor, repeats)


def results() -> Iterator[Result]:
    for name, scenario in PRESETS.items():
        subject = f"a curve of {len(BUDGETS)} budgets, {DAYS} days of noise ÷ simulating the day, {name}"
        yield Result(subject=subject, value=curve_over_day(scenario, 10), target=20.0)
    large = PRESETS["paper"].replace(households=100_000)
    yield Result(subject="the same with 100,000 households", value=curve_over_day(large, 3), target=20.0)
