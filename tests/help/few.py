"""Few of many cases in `make test`, all of them in `make proofs`."""

from collections.abc import Iterable
from typing import Any

import pytest


def few(cases: Iterable[Any], *kept: Any) -> list[Any]:
    """Return all cases; those that are not kept take their turn with the long tests."""
    return [case if case in kept else pytest.param(case, marks=pytest.mark.long) for case in cases]
