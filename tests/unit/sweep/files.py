"""Small sweeps and their files."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from rtp import Scenario
from rtp.mechanisms import REGISTRY
from rtp.sweep.measures import Part
from rtp.sweep.plan import Plan
from rtp.sweep.run import Result, run_plan
from rtp.sweep.store import SweepFile, read_sweep

CHUNK = 3  # days in a unit: what is to be shown of many units does not need long ones
MECHANISMS = list(REGISTRY)
SMALL = Scenario(households=15, step_minutes=60)
SPEC: dict[str, Any] = {
    "scenario": {"households": 15, "step_minutes": 60},
    "grid": {"epsilon": [0.1, 1.0], "models[0].habits[0].periods[Noon].leave": [0.5, 0.95]},
    "days": CHUNK + 2,
}


def complete(path: Path, plan: Plan) -> dict[int, Part]:
    with SweepFile(path, plan) as store:
        for _ in run_plan(plan, store=store):
            pass
    return read_sweep(path)[1]


def finished(results: Iterable[Result]) -> dict[int, Part]:
    return {result.point: result.part for result in results if result.finished}


def equal(one: dict[int, Part], other: dict[int, Part]) -> bool:
    """To the last bit."""
    return one.keys() == other.keys() and all(
        one[p].days == other[p].days
        and np.array_equal(one[p].mean, other[p].mean)
        and np.array_equal(one[p].spread, other[p].spread)
        for p in one
    )
