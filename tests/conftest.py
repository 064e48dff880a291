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
    """What takes seconds runs untraced: tracing costs half as much again; quick tests reach the lines too."""
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker("no_cover")


def pytest_collection_finish() -> None:
    """Modules and tests stay to the end: the garbage collector need not look through them again and again."""
    gc.collect()
    gc.freeze()
