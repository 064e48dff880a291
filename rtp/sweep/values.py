"""The values of a varied field: a list, or a range {"from": 0.1, "to": 10, "count": 20, "scale": "log"}."""

import reprlib
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

from rtp.scenario import ScenarioError

Value = float | int | str | bool | None
Values = tuple[Value, ...]


def count_of(address: str, values: Any) -> int:
    """How many values there will be, before there are any."""
    if isinstance(values, Mapping):
        count = values.get("count")
        if isinstance(count, bool) or not isinstance(count, int) or count < 1:
            shown = reprlib.repr(count)
            raise ScenarioError(address, f"has a range of count {shown}; it must be a whole number from 1.")
        return count
    if isinstance(values, str) or not hasattr(values, "__len__"):
        shown = reprlib.repr(values)
        raise ScenarioError(address, f"has {shown} for values; give a list, or a range from, to, count.")
    if not len(values):
        raise ScenarioError(address, "has no values; give at least one.")
    return len(values)


def values_of(address: str, values: Any, whole: bool) -> Values:
    """Each value once; whole numbers where the field is one."""
    if isinstance(values, Mapping):
        listed = _range(address, values, whole)
    else:
        listed = [value.item() if isinstance(value, np.generic) else value for value in values]
    for value in listed:
        if not isinstance(value, float | int | str | None):
            shown = reprlib.repr(value)
            raise ScenarioError(address, f"has the value {shown}; a number, a word, true, false or null.")
    if whole:
        listed = [int(v) if isinstance(v, float) and v.is_integer() else v for v in listed]
    once = tuple(dict.fromkeys(listed))
    if len(once) < len(listed) and not isinstance(values, Mapping):
        raise ScenarioError(
            address, f"has a value twice among {reprlib.repr(listed)}; give every value once."
        )
    return once


def _range(address: str, spec: Mapping[str, Any], whole: bool) -> list[Value]:
    """A range of whole numbers takes the nearest ones."""
    unknown = set(spec) - {"from", "to", "count", "scale"}
    if unknown:
        raise ScenarioError(
            address, f"has {reprlib.repr(min(unknown))} in its range; known are from, to, count and scale."
        )
    start, stop = (_end(address, name, spec.get(name)) for name in ("from", "to"))
    if start > stop or (start == stop and spec["count"] > 1):
        raise ScenarioError(address, f"has an empty range from {start:g} to {stop:g}; from must be below to.")
    scale = spec.get("scale", "linear")
    if scale not in ("linear", "log"):
        raise ScenarioError(address, f"has a range of scale {reprlib.repr(scale)}; it must be linear or log.")
    if scale == "log" and start <= 0:
        raise ScenarioError(address, f"has a log range from {start:g}; it must start above 0.")
    space = np.geomspace if scale == "log" else np.linspace
    with np.errstate(over="ignore", invalid="ignore"):  # no field goes that far: its bounds refuse it
        numbers = space(start, stop, spec["count"])
    values: list[Value] = (np.rint(numbers) if whole else numbers).tolist()
    return values


def _end(address: str, name: str, end: object) -> float:
    """An end of a range: a number that a float can hold."""
    if isinstance(end, int | float) and not isinstance(end, bool) and abs(end) <= sys.float_info.max:
        return float(end)
    raise ScenarioError(address, f"has a range {name} {reprlib.repr(end)}; it must be a number.")
