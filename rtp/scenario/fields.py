"""A field of the scenario by its address, to read or to change it.

`epsilon`, `groups[0].occupied_max`, `models[0].habits[0].periods[Noon].leave`: an index is a number, or the
name of what stands there. Two kinds of fields hang together with others: `leave` and `arrive` are the free
numbers of a matrix and take the rest of their row along, and a group's `share` leaves the rest to the others.
"""

import re
from typing import Any

from pydantic import BaseModel

from rtp.scenario.bounds import BOUNDS, Bounds
from rtp.scenario.edits import set_entry, set_share
from rtp.scenario.habits import Period
from rtp.scenario.model import Scenario
from rtp.scenario.refusal import ScenarioError, must_be_within

FREE = {"arrive": (0, 1), "leave": (1, 0)}  # the free entries of a period's matrix
_STEP = re.compile(r"([a-z_]+)(?:\[([^\[\]]+)\])?(?:\.(?=.)|$)")

Step = tuple[str, str | None]


def get(scenario: Scenario, address: str) -> Any:
    """The value at an address."""
    owner, name = _owner(scenario, address)
    return getattr(owner, name)


def put(scenario: Scenario, address: str, value: object) -> Scenario:
    """A validated copy with the value at an address changed."""
    owner, name = _owner(scenario, address)
    if isinstance(owner, Scenario) and isinstance(getattr(owner, name), tuple):
        raise ScenarioError(address, "is a list; name one of its numbers, such as groups[0].occupied_max.")
    limits = bounds(address)
    if limits is not None and limits.whole and isinstance(value, float) and value.is_integer():
        value = int(value)
    try:
        changed: Scenario = _put(scenario, _parse(address), value)
    except ScenarioError as error:
        if error.path == name or error.path.startswith("matrix"):
            raise ScenarioError(address, error.problem) from None
        raise ScenarioError(f"With {address} = {value!r}, {error.path}", error.problem) from None
    return changed


def bounds(address: str) -> Bounds | None:
    """The bounds and words of the field at an address; None where it is no number."""
    name = _parse(address)[-1][0]
    return BOUNDS.get("matrix" if name in FREE else name)


def root(address: str) -> str:
    """The scenario's own field that an address starts from."""
    return _parse(address)[0][0]


def numbers(scenario: Scenario) -> dict[str, str]:
    """Every number that can be varied, as address → words."""
    found = {name: BOUNDS[name].words for name in Scenario.model_fields if name in BOUNDS}
    found.pop("version")
    for g, group in enumerate(scenario.groups):
        names = ["occupied_max", "empty_max", *(["share"] if len(scenario.groups) > 1 else [])]
        found |= {f"groups[{g}].{name}": f"{group.name}: {BOUNDS[name].words}" for name in names}
    for m, model in enumerate(scenario.models):
        for g, (group, habits) in enumerate(zip(scenario.groups, model.habits, strict=True)):
            who = ", ".join([model.name] * (len(scenario.models) > 1) + [group.name])
            stem = f"models[{m}].habits[{g}]"
            found[f"{stem}.initial_occupied"] = f"{who}: {BOUNDS['initial_occupied'].words}"
            for field, parts in habits.day_kinds().items():
                whose = f"{who}, weekend" if field == "weekend" else who
                for p, part in enumerate(parts):
                    found |= {f"{stem}.{field}[{p}].{name}": f"{whose}, {part.name}: {name}" for name in FREE}
    return found


def _parse(address: str) -> list[Step]:
    steps, at = [], 0
    while at < len(address) and (match := _STEP.match(address, at)):
        steps.append((match[1], match[2]))
        at = match.end()
    if not steps or at < len(address):
        raise ScenarioError(
            repr(address[:80]), "is no address of a field, such as epsilon or groups[0].occupied_max."
        )
    return steps


def _owner(scenario: Scenario, address: str) -> tuple[BaseModel, str]:
    """The object that holds the field, and the field's name there."""
    *path, last = _parse(address)
    if last[1] is not None:
        raise ScenarioError(address, "names a whole object; name one of its numbers.")
    owner: BaseModel = scenario
    for step in path:
        owner = _inside(owner, step, address)
    if last[0] not in type(owner).model_fields and not (isinstance(owner, Period) and last[0] in FREE):
        raise _unknown(owner, last[0], address)
    return owner, last[0]


def _inside(owner: BaseModel, step: Step, address: str) -> BaseModel:
    name, index = step
    if name not in type(owner).model_fields:
        raise _unknown(owner, name, address)
    items = getattr(owner, name)
    if not (isinstance(items, tuple) and isinstance(items[0], BaseModel)):
        raise ScenarioError(address, f"goes further than it can: {name} has no fields of its own.")
    if index is None:
        raise ScenarioError(address, f"needs to say which of the {name}, such as {name}[0].")
    item: BaseModel = items[_position(items, step, address)]
    return item


def _position(items: tuple[Any, ...], step: Step, address: str) -> int:
    name, index = step
    names = [getattr(item, "name", None) for item in items]
    if index in names:
        return names.index(index)
    if index is not None and index.isdecimal() and int(index[:9]) < len(items):
        return int(index)
    known = ", ".join(map(str, names)) if names[0] else f"{name}[0] to {name}[{len(items) - 1}]"
    raise ScenarioError(address, f"names {name}[{index}]; there are {known}.")


def _unknown(owner: BaseModel, name: str, address: str) -> ScenarioError:
    known = [*type(owner).model_fields, *(FREE if isinstance(owner, Period) else ())]
    return ScenarioError(
        address, f"names {name!r}, which is no field of {type(owner).__name__}; known are {', '.join(known)}."
    )


def _put(owner: Any, steps: list[Step], value: Any) -> Any:
    (name, index), *rest = steps
    if index is None:
        if isinstance(owner, Period) and name in FREE:
            return _put_entry(owner, name, value)
        return owner.replace(**{name: value})
    items = getattr(owner, name)
    i = _position(items, (name, index), name)
    changed = _put(items[i], rest, value)
    if rest == [("share", None)] and len(items) > 1:
        return set_share(owner, i, changed.share) if changed != items[i] else owner
    return owner.replace(**{name: (*items[:i], changed, *items[i + 1 :])})


def _put_entry(part: Period, name: str, value: object) -> Period:
    must_be_within(name, value, BOUNDS["matrix"])
    assert isinstance(value, int | float)
    return set_entry(part, *FREE[name], float(value))
