"""The library's own speed and memory, as multiples of what NumPy takes to draw a day's 2·N·T uniforms.

Both sides of a ratio are measured in turns in one run, in processor time: it hardly depends on the machine,
nor on what else it does.
"""

from collections.abc import Iterator
from functools import partial

import numpy as np

from benchmarks.measure import Result, Work, peak_memory, processor_best, uniforms
from rtp import PRESETS, Scenario, simulate
from rtp.attack.adversary import posterior
from rtp.leakage.moment import moment_leakage
from rtp.mechanisms import FEATURED
from rtp.simulation import publish_day
from rtp.sweep import sweep

BUDGETS = np.geomspace(0.01, 10, 20)
MANY, MOST = 100_000, 1_000_000


def results() -> Iterator[Result]:
    yield from of_the_papers_day(PRESETS["paper"])
    yield from of_large_streets()
    yield from of_many_budgets(PRESETS["paper"])


def of_the_papers_day(scenario: Scenario) -> Iterator[Result]:
    day = simulate(scenario)
    works: dict[str, tuple[Work, float]] = {
        "the paper's day": (partial(simulate, scenario), 10.0),
        "all mechanisms on it": (partial(publish_day, scenario, day.street_day), 6.0),
        "the leak of every moment": (partial(moment_leakage, day, FEATURED), 60.0),
        "an attack on every house": (partial(posterior, day, FEATURED), 400.0),
        "the same at the end of the day": (partial(posterior, day, FEATURED, inference="smoothing"), 400.0),
    }
    floor, *times = processor_best(10, uniforms(scenario.households), *(work for work, _ in works.values()))
    for (subject, (_, limit)), time in zip(works.items(), times, strict=True):
        yield Result(subject=f"{subject} ÷ drawing its uniforms", value=time / floor, target=limit)


def of_large_streets() -> Iterator[Result]:
    many, most = (partial(simulate, Scenario(households=n)) for n in (MANY, MOST))
    floor, short, long = processor_best(3, uniforms(MOST), many, most)
    yield Result(subject=f"a day of {MOST:,} houses ÷ drawing its uniforms", value=long / floor, target=2.0)
    yield Result(subject=f"a day of {MOST:,} houses ÷ of {MANY:,}", value=long / short, target=12.0)
    peak = peak_memory("import rtp", f"rtp.simulate(rtp.Scenario(households={MOST}))")
    yield Result(subject="peak memory of it, a house", value=peak / MOST, unit=" bytes", target=150.0)


def of_many_budgets(scenario: Scenario) -> Iterator[Result]:
    one, many = processor_best(
        3, *(lambda grid=grid: list(sweep(scenario, {"epsilon": grid}, 3)) for grid in ([0.5], BUDGETS))
    )
    yield Result(subject="a sweep over twenty budgets ÷ at one", value=many / one, target=3.0)
