"""What a sweep is to do: a scenario, the fields to vary and over which values, and how many days per point.

A spec is the same as JSON: {"preset": "paper", "grid": {address: values}, "days": 100}, or with a whole
"scenario" for the preset, as the lab writes it, or the path of such a file; "secrets": ["week from outsider"]
also measures how often she is right about it. Values are a list, or a range {"from": 0.1, "to": 10, "count":
20, "scale": "log"}. All is checked before anything runs, and the number of points before anything is
allocated: no two addresses of one field, no values that cannot be had together, such as two shares of more
than the street, and no group that rounds to nobody. Every point is then run as it is labelled.
"""

import reprlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from rtp.scenario import (
    Bounds,
    Scenario,
    ScenarioError,
    fields,
    must_be_within,
    preset_named,
    read_object,
    refusal,
)
from rtp.scenario.fields import resolve_all
from rtp.scenario.validation import field_words
from rtp.simulation import STREET_FIELDS
from rtp.simulation.prices import at_stated_prices
from rtp.street.draw import group_sizes
from rtp.sweep.measures import MEASURES, known, secret_measures

Value = float | int | str | bool | None
Values = tuple[Value, ...]

MAX_POINTS = 100_000
DAYS_PER_POINT = 100
PLAN_DAYS = Bounds(1, 1_000_000, "Days at every point")


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Points are numbered in the order of the grid, the last field fastest."""

    scenario: Scenario
    grid: Mapping[str, Values]
    days: int
    secrets: tuple[str, ...] = ()

    @property
    def measures(self) -> dict[str, str]:
        """What is measured, by name, in words."""
        return MEASURES | secret_measures(self.secrets)

    def __len__(self) -> int:
        return prod(len(values) for values in self.grid.values())

    def values(self, point: int) -> dict[str, Value]:
        """What the grid's fields are at a point."""
        at = np.unravel_index(point, [len(values) for values in self.grid.values()])
        return {address: values[i] for (address, values), i in zip(self.grid.items(), at, strict=True)}

    def at(self, point: int) -> Scenario:
        """The scenario of a point."""
        return at_stated_prices(fields.put_together(self.scenario, self.values(point)))

    def streets(self) -> Iterator[list[list[int]]]:
        """The points that live the same days; within them, those that differ in the budget alone."""
        numbered = np.arange(len(self)).reshape([len(values) for values in self.grid.values()])
        roots = [fields.top_field(address) for address in self.grid]
        of_street = [i for i, name in enumerate(roots) if name in STREET_FIELDS]
        budget = [i for i, name in enumerate(roots) if name == "epsilon"]
        other = [i for i in range(len(roots)) if i not in of_street + budget]
        sizes = [prod(numbered.shape[i] for i in axes) for axes in (of_street, other, budget)]
        yield from numbered.transpose(of_street + other + budget).reshape(sizes).tolist()

    def as_dict(self) -> dict[str, Any]:
        """As a spec, for JSON."""
        return {
            "scenario": self.scenario.model_dump(mode="json"),
            "grid": {address: list(values) for address, values in self.grid.items()},
            "days": self.days,
            **({"secrets": list(self.secrets)} if self.secrets else {}),
        }


def make(
    scenario: Scenario,
    grid: Mapping[str, Any],
    days: int = DAYS_PER_POINT,
    secrets: Sequence[str] = (),
) -> Plan:
    """Return a plan that works; refuses with one sentence."""
    must_be_within("days", days, PLAN_DAYS)
    if not isinstance(grid, Mapping):
        raise refusal("grid", grid, "give fields their values")
    if not grid:
        raise ScenarioError("grid", "is empty; name at least one field and its values.")
    resolve_all(scenario, map(str, grid))
    points = prod(_count_of(address, values) for address, values in grid.items())
    if points > MAX_POINTS:
        many = f"{points:,}" if points < 10**15 else "far too many"
        raise ScenarioError("grid", f"has {many} points; at most {MAX_POINTS:,} are run.")
    axes = {}
    for address, values in grid.items():
        now = fields.get(scenario, address)
        whole = isinstance(now, int) and not isinstance(now, bool)
        axes[address] = _values_of(address, values, whole)
    plan = Plan(scenario=scenario, grid=axes, days=days, secrets=known(secrets))
    for address, values in axes.items():
        for value in values if fields.top_field(address) not in STREET_FIELDS else ():
            _must_be_run(fields.put(scenario, address, value), {address: value})
    for street in plan.streets():  # what prices a day may be combined freely, what makes its street may not
        point = street[0][0]
        _must_be_run(plan.at(point), plan.values(point))
        _must_keep_groups(scenario, plan.at(point), plan.values(point))
    return plan


def _must_keep_groups(scenario: Scenario, varied: Scenario, labels: Mapping[str, Value]) -> None:
    """No group may round to nobody: its secret and its use would be gone unseen."""
    before, after = (
        group_sizes([group.share for group in each.groups], each.households) for each in (scenario, varied)
    )
    for group, had, has in zip(varied.groups, before, after, strict=True):
        if had and not has and group.share:
            address, value = next(
                (a, v) for a, v in labels.items() if a == "households" or a.endswith("share")
            )
            many = f"; with {varied.households:,} households" if address != "households" else "; then"
            raise ScenarioError(address, f"is {value:.4g}{many} {group.name} has no house.")


def _must_be_run(scenario: Scenario, labels: Mapping[str, Value]) -> None:
    """What a point is labelled with is what it runs with."""
    for address, value in labels.items():
        actual = fields.get(scenario, address)
        if actual != value:
            raise ScenarioError(
                address, f"is {reprlib.repr(value)}; it would be run as {reprlib.repr(actual)} instead."
            )


def from_json(text: str | bytes, days: int | None = None, folder: Path | None = None) -> Plan:
    """A plan from a spec's JSON; `days` overrules the spec's. A scenario may be the path of a file, from that
    folder on."""
    spec = read_object(text)
    unknown = set(spec) - {"preset", "scenario", "grid", "days", "secrets"}
    if unknown:
        raise ScenarioError(
            field_words(min(unknown)),
            "is not part of a sweep's spec; known are preset, scenario, grid, days and secrets.",
        )
    if ("preset" in spec) == ("scenario" in spec):
        raise ScenarioError("The spec", 'needs a "scenario" or the name of a "preset", and not both.')
    days = spec.get("days", DAYS_PER_POINT) if days is None else days
    secrets = spec.get("secrets", [])
    if not (isinstance(secrets, list) and all(isinstance(each, str) for each in secrets)):
        raise refusal("secrets", secrets, 'be a list such as ["week from outsider"]')
    return make(_scenario(spec, folder or Path()), spec.get("grid", {}), days, secrets)


def _scenario(spec: Mapping[str, Any], folder: Path) -> Scenario:
    if "preset" in spec:
        return preset_named(spec["preset"])
    if isinstance(spec["scenario"], str):
        try:
            return Scenario.from_json((folder / spec["scenario"]).read_bytes())
        except OSError as error:
            raise ScenarioError("scenario", f"is {spec['scenario']!r}, which is no file to read.") from error
    if not isinstance(spec["scenario"], dict):
        raise refusal("scenario", spec["scenario"], "be an object, or the path of a file")
    try:
        return Scenario.from_object(spec["scenario"])
    except ScenarioError as error:
        raise ScenarioError(f"scenario.{error.path}", error.problem) from None


def _count_of(address: str, values: Any) -> int:
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


def _values_of(address: str, values: Any, whole: bool) -> Values:
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
