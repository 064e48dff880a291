"""The suite's ground rules: floating-point errors raise, and hypothesis gives the same examples every run."""

import gc
import os
from collections.abc import Iterator
from pathlib import Path

# Before numpy is loaded: workers share the cores already; threads of one matrix product get in their way.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

np.seterr(all="raise", under="ignore")
gc.disable()  # until all tests are imported, which leaves nothing to collect

settings.register_profile(
    "suite",
    deadline=None,
    derandomize=True,
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("suite")


# Tests whose lines are reached by others anyway: proofs across rooms, rooms that every other one runs through
# and how screens behave. `make test` says when that is no longer so.
REACHED_BY_OTHERS = (
    "tests/attacker/test_attack",
    "tests/attacker/test_exact.py",
    "tests/attacker/test_joint_filter.py",
    "tests/attacker/test_words.py",
    "tests/audit/test_checks.py",
    "tests/audit/test_trial.py",
    "tests/classroom/test_classroom.py",
    "tests/density/",
    "tests/mechanisms/",
    "tests/meters/test_chain.py",
    "tests/money/test_bill_luck.py",
    "tests/overtime/test_leak.py",
    "tests/overtime/test_ways.py",
    "tests/pages/test_address.py",
    "tests/pages/test_explore.py",
    "tests/pages/test_number.py",
    "tests/pages/test_percent.py",
    "tests/pages/test_story.py",
    "tests/proofs/",
    "tests/scenario/test_link.py",
    "tests/simulation/",
    "tests/street/",
    "tests/sweep/test_sweep.py",
)


# Single ones, too: those that take longest under a tracer and reach next to nothing that no other test does.
UNTRACED = frozenset((Path(__file__).parent / "untraced.txt").read_text(encoding="utf-8").split())


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tracing doubles what a test takes: those above and what takes seconds run untraced."""
    for item in items:
        others = item.nodeid.startswith(REACHED_BY_OTHERS) or item.nodeid.partition("[")[0] in UNTRACED
        if others or item.get_closest_marker("slow"):
            item.add_marker("no_cover")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    """What runs untraced has untraced fixtures, too."""
    tracer = item.config.pluginmanager.getplugin("_cov")
    controller = tracer and tracer.cov_controller
    if not controller or not item.get_closest_marker("no_cover"):
        return (yield)
    controller.pause()
    try:
        return (yield)
    finally:
        controller.resume()


def pytest_collection_finish() -> None:
    """Modules and tests stay to the end: the garbage collector need not look through them again and again,
    nor through every small result of a test."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000)
    gc.enable()
