"""The suite's ground rules: floating-point errors raise, and hypothesis gives the same examples every run."""

import gc
import os

# Before numpy is loaded: workers share the cores already; threads of one matrix product get in their way.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

np.seterr(all="raise", under="ignore")

settings.register_profile(
    "suite",
    deadline=None,
    derandomize=True,
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("suite")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tracing nearly doubles what a test takes: what takes seconds runs untraced, and so do all but the first
    case of a test that has many; quick tests and first cases reach the lines too."""
    traced = set()
    for item in items:
        name = item.nodeid.partition("[")[0]
        if item.get_closest_marker("slow") or name in traced:
            item.add_marker("no_cover")
        traced.add(name)


def pytest_collection_finish() -> None:
    """Modules and tests stay to the end: the garbage collector need not look through them again and again."""
    gc.collect()
    gc.freeze()
