"""The suite's ground rules: floating-point errors raise, and hypothesis gives the same examples every run."""

import gc
import os
import sys

# Before numpy is loaded: workers share the cores already; threads of one matrix product get in their way.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

np.seterr(all="raise", under="ignore")
gc.disable()  # until all tests are imported, which leaves nothing to collect

for profile, examples in {"suite": 10, "proofs": 100}.items():
    settings.register_profile(
        profile,
        deadline=None,
        derandomize=True,
        max_examples=examples,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile("suite")  # `make proofs` takes the other
PROGRAM = sys.modules["__main__"]
LONGEST = ("test_trial.py", "test_hostile.py", "test_feeder.py", "test_docs.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that take minutes begin first, so that all processes end at about the same time."""
    items.sort(key=lambda item: item.path.name not in LONGEST)


def pytest_collection_finish() -> None:
    """Modules and tests stay to the end: the garbage collector need not look through them again and again,
    nor through every small result of a test."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000)
    gc.enable()


def pytest_runtest_teardown() -> None:
    """Streamlit leaves the page of a test there, and a process that a later test starts would import it."""
    sys.modules["__main__"] = PROGRAM
