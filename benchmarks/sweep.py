"""A sweep: many budgets share the street, and two workers share the work."""

from collections import deque
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from functools import partial
from typing import Any

from benchmarks.measure import Result, best, processor_ratio
from rtp import PRESETS, Scenario
from rtp.core.parallel import processes
from rtp.sweep.run import sweep

PAPER = PRESETS["paper"]
TWENTY = {"epsilon": {"from": 0.05, "to": 5.0, "count": 20, "scale": "log"}}


def run_sweep(
    grid: Mapping[str, Any], days: int, executor: Executor | None = None, scenario: Scenario = PAPER
) -> None:
    deque(sweep(scenario, grid, days, executor=executor), maxlen=0)


def results() -> Iterator[Result]:
    for name, scenario in PRESETS.items():
        many = partial(run_sweep, TWENTY, 10, scenario=scenario)
        single = partial(run_sweep, {"epsilon": [0.5]}, 10, scenario=scenario)
        yield Result(
            subject=f"a sweep over 20 budgets ÷ over one, {name}",
            value=processor_ratio(many, single, repeats=5),
            target=3.0,
        )
    grid = {"households": [800, 900, 1000, 1100]}
    with processes(1) as alone, processes(2) as together:
        for pool in (alone, together):
            run_sweep(grid, 10, pool)  # the workers are up before the clock runs
        two, one = best(3, partial(run_sweep, grid, 100, together), partial(run_sweep, grid, 100, alone))
    yield Result(
        subject="a sweep by two workers ÷ by one (1.6 times as fast)", value=two / one, target=1 / 1.6
    )
