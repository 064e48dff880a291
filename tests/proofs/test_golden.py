"""The presets and their results are those of the day before, unless the golden file says otherwise."""

import json
from collections.abc import Iterator
from copy import deepcopy
from math import isclose
from typing import Any

import pytest

from rtp import PRESETS
from tests.help.golden import FILE, VARIANTS, numbers

GOLDEN: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
SAME = (
    1e-9  # beyond what exp and log may differ between machines, in their last digits, once summed over a day
)


def differences(expected: Any, found: Any, path: str = "") -> Iterator[str]:
    """Where two nested results differ: whole numbers and words at all, others by more than rounding."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in expected.keys() | found.keys():
            yield from differences(expected.get(key), found.get(key), f"{path}/{key}")
    elif isinstance(expected, float) and isinstance(found, float):
        if not isclose(expected, found, rel_tol=SAME, abs_tol=0.0):
            yield f"{path}: {expected} became {found}"
    elif type(expected) is not type(found) or expected != found:
        yield f"{path}: {expected} became {found}"


def test_the_golden_file_knows_every_preset_and_nothing_else() -> None:
    assert list(GOLDEN) == list(PRESETS)
    assert all(list(kept["results"]) == list(VARIANTS) for kept in GOLDEN.values())


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_the_one_that_was_kept(name: str) -> None:
    assert json.loads(PRESETS[name].to_json()) == GOLDEN[name]["scenario"]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_still_gives_its_numbers(name: str, variant: str) -> None:
    found = numbers(PRESETS[name].replace(**VARIANTS[variant]))
    assert list(differences(GOLDEN[name]["results"][variant], found)) == []


def test_a_difference_is_told_wherever_it_is() -> None:
    kept = GOLDEN["paper"]["results"]["as it is"]
    assert list(differences(kept, deepcopy(kept))) == []
    for key, value in kept["mechanisms"]["blowfish"].items():
        changed = deepcopy(kept)
        moved = value + 1 if isinstance(value, int) else value * (1 + 2 * SAME)
        changed["mechanisms"]["blowfish"][key] = moved
        assert list(differences(kept, changed)) == [f"/mechanisms/blowfish/{key}: {value} became {moved}"]
    fewer = deepcopy(kept)
    del fewer["mechanisms"]["forecast"]
    (told,) = differences(kept, fewer)
    assert told.startswith("/mechanisms/forecast: ")
    assert list(differences(0.0, 1e-300)) == [": 0.0 became 1e-300"]
