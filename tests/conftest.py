"""The suite's ground rules: floating-point errors raise, and hypothesis gives the same examples every run."""

import gc
import os
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

# Before numpy is loaded: workers share the cores already; threads of one matrix product get in their way.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from tests.help.imports import read_tree
from tests.help.root import ROOT

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
    "tests/unit/attack/test_attack",
    "tests/unit/attack/test_exact.py",
    "tests/unit/attack/test_joint_filter.py",
    "tests/unit/attack/test_words.py",
    "tests/unit/audit/test_checks.py",
    "tests/unit/audit/test_trial.py",
    "tests/unit/teaching/test_stage.py",
    "tests/unit/probability/",
    "tests/unit/mechanisms/",
    "tests/unit/meters/test_chain.py",
    "tests/unit/money/test_bill_luck.py",
    "tests/unit/leakage/test_temporal_leakage.py",
    "tests/unit/leakage/test_composition.py",
    "tests/pages/test_address.py",
    "tests/pages/test_explore.py",
    "tests/pages/test_number.py",
    "tests/pages/test_percent.py",
    "tests/pages/test_story.py",
    "tests/proofs/",
    "tests/unit/scenario/test_share.py",
    "tests/unit/simulation/",
    "tests/unit/street/",
    "tests/unit/sweep/test_sweep.py",
)


# Single ones, too: those that take longest under a tracer and reach next to nothing that no other test does.
UNTRACED = frozenset((Path(__file__).parent / "untraced.txt").read_text(encoding="utf-8").split())


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tracing doubles what a test takes: those above and what takes seconds run untraced."""
    for item in items:
        others = item.nodeid.startswith(REACHED_BY_OTHERS) or item.nodeid.partition("[")[0] in UNTRACED
        if others or item.get_closest_marker("slow"):
            item.add_marker("no_cover")


# Under a tracer everything runs at half its speed, also what it does not look at: these, and pytest itself.
OTHER_PACKAGES = ("hypothesis", "pandas", "plotly.graph_objects", "scipy.special", "streamlit.testing.v1")


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """The lab's modules are loaded under the tracer, before any test loads one. Then it rests, but for the
    tests that are traced."""
    if controller := _controller(session.config):
        controller.pause()
        if not session.config.getoption("numprocesses"):  # else every worker does it
            for package in OTHER_PACKAGES:
                import_module(package)
            controller.resume()
            for module in read_tree(ROOT, "rtp/**/[!_]*.py", "rtp/**/__init__.py", "pages/ui/**/*.py"):
                import_module(module.removesuffix(".__init__"))
            controller.pause()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    """What runs untraced has untraced fixtures, too."""
    return (yield from _traced(item))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    return (yield from _traced(item))


def _traced(item: pytest.Item) -> Iterator[None]:
    controller = _controller(item.config)
    if controller and not item.get_closest_marker("no_cover"):
        controller.resume()
    try:
        return (yield)
    finally:
        if controller:
            controller.pause()


def _controller(config: pytest.Config) -> Any:
    """What starts and stops the tracer; None without one."""
    tracer = config.pluginmanager.getplugin("_cov")
    return tracer and tracer.cov_controller


def pytest_collection_finish() -> None:
    """Modules and tests stay to the end: the garbage collector need not look through them again and again,
    nor through every small result of a test."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000)
    gc.enable()
