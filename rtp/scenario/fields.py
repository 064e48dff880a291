"""A field of the scenario by its address, to read it, to change it, and to name it in a sentence.

`epsilon`, `groups[0].occupied_max`, `models[0].habits[0].periods[Noon].leave`: an index is a number, or the
name of what stands there. What leads nowhere is refused in one sentence that says what there is.

Two kinds of fields depend on others: `leave` and `arrive` are the free numbers of a matrix and take the rest
of their row along, and a group's `share` leaves the rest to the others. Several shares are set at once, so
that each is what it was set to.
"""

import json
import re
import reprlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import BaseModel

from rtp.scenario import typed
from rtp.scenario.edit import set_entry, set_shares, set_step_minutes
from rtp.scenario.habits import Period
from rtp.scenario.model import Scenario
from rtp.scenario.validation import BOUNDS, Bounds, ScenarioError, must_be_within

FREE = {"arrive": (0, 1), "leave": (1, 0)}  # the free entries of a period's matrix
RANGES = ("occupied_max", "empty_max", "occupied_min", "empty_min")  # of a group's bounds
MAX_REPEATED_LENGTH = 80  # characters of an address that a sentence repeats
_PART = re.compile(r"([a-z_]+)(?:\[([^\[\]]+)\])?(?:\.(?=.)|$)")

Path = tuple[str | int, ...]  # ("groups", 0, "share")


class Field(NamedTuple):
    """A field of a scenario: the object that holds it, and the path there."""

    owner: BaseModel
    path: Path

    @property
    def name(self) -> str:
        return str(self.path[-1])


def parse_address(address: str) -> list[tuple[str, str | None]]:
    """The parts of an address, each a name and what stands in its brackets."""
    parts, at = [], 0
    while match := _PART.match(address, at):
        parts.append((match[1], match[2]))
        at = match.end()
    if not parts or at < len(address):
        raise ScenarioError(
            repr(address[:MAX_REPEATED_LENGTH]),
            "is no address of a field, such as epsilon or groups[0].occupied_max.",
        )
    return parts


def resolve(scenario: Scenario, address: str) -> Field:
    """The field at an address."""
    *parts, (name, index) = parse_address(address)
    if index is not None:
        raise ScenarioError(short(address), "names a whole object; name one of its numbers.")
    owner: BaseModel = scenario
    path: list[str | int] = []
    for part in parts:
        at, owner = _item(owner, *part, address)
        path += part[0], at
    if name not in type(owner).model_fields and not (isinstance(owner, Period) and name in FREE):
        raise _unknown(owner, name, address)
    return Field(owner, (*path, name))


def resolve_all(scenario: Scenario, addresses: Iterable[str]) -> dict[str, Field]:
    """The fields by their addresses; refuses two that lead to the same field."""
    fields: dict[str, Field] = {}
    for address in addresses:
        field = resolve(scenario, address)
        if same := next((other for other, there in fields.items() if there.path == field.path), None):
            raise ScenarioError(short(address), f"names the same field as {same}; give it once.")
        fields[address] = field
    return fields


def _item(owner: BaseModel, name: str, index: str | None, address: str) -> tuple[int, BaseModel]:
    """Which of the items under a name an index means, a name or a number, and that item."""
    if name not in type(owner).model_fields:
        raise _unknown(owner, name, address)
    items = getattr(owner, name)
    if not (isinstance(items, tuple) and isinstance(items[0], BaseModel)):
        raise ScenarioError(short(address), f"goes further than it can: {name} has no fields of its own.")
    if index is None:
        raise ScenarioError(short(address), f"needs to say which of the {name}, such as {name}[0].")
    names = [getattr(item, "name", None) for item in items]
    if index in names:
        at = names.index(index)
    elif index.isdecimal() and len(index) < 10 and int(index) < len(items):
        at = int(index)
    else:
        there_are = ", ".join(map(str, names)) if names[0] else f"{name}[0] to {name}[{len(items) - 1}]"
        raise ScenarioError(short(address), f"names {short(f'{name}[{index}]')}; there are {there_are}.")
    return at, items[at]


def _unknown(owner: BaseModel, name: str, address: str) -> ScenarioError:
    fields = [*type(owner).model_fields, *(FREE if isinstance(owner, Period) else ())]
    return ScenarioError(
        short(address),
        f"names {reprlib.repr(name)}, which is no field of {type(owner).__name__}; "
        f"known are {', '.join(fields)}.",
    )


def short(address: str) -> str:
    return address if len(address) <= MAX_REPEATED_LENGTH else f"{address[: MAX_REPEATED_LENGTH - 1]}…"


def get(scenario: Scenario, address: str) -> Any:
    """The value at an address."""
    field = resolve(scenario, address)
    return getattr(field.owner, field.name)


def put(scenario: Scenario, address: str, value: object) -> Scenario:
    """A validated copy with the value at an address changed."""
    return _put_field(scenario, address, resolve(scenario, address), value)


def _put_field(scenario: Scenario, address: str, field: Field, value: object) -> Scenario:
    if len(field.path) == 1 and isinstance(getattr(scenario, field.name), tuple):
        raise ScenarioError(address, "is a list; name one of its numbers, such as groups[0].occupied_max.")
    limits = bounds(address)
    if limits is not None and limits.whole and isinstance(value, float) and value.is_integer():
        value = int(value)
    try:
        changed: Scenario = _put(scenario, field.path, value)
    except ScenarioError as error:
        if error.path == field.name or error.path.startswith("matrix"):
            raise ScenarioError(address, error.problem) from None
        raise ScenarioError(f"With {address} = {reprlib.repr(value)}, {error.path}", error.problem) from None
    return changed


def _put(owner: Any, path: Path, value: Any) -> Any:
    name = str(path[0])
    if len(path) > 1:
        items, index = getattr(owner, name), int(path[1])
        changed = _put(items[index], path[2:], value)
        if path[2:] == ("share",):
            return set_shares(owner, {index: changed.share}) if changed != items[index] else owner
        return owner.replace(**{name: (*items[:index], changed, *items[index + 1 :])})
    if isinstance(owner, Period) and name in FREE:
        must_be_within(name, value, BOUNDS["matrix"])
        return set_entry(owner, *FREE[name], float(value))
    if isinstance(owner, Scenario) and name == "step_minutes":
        return set_step_minutes(owner, value)
    return owner.replace(**{name: value})


def put_together(scenario: Scenario, values: Mapping[str, Any]) -> Scenario:
    """A validated copy with the values at several addresses changed, each to what was given for it."""
    fields = resolve_all(scenario, values)
    shares = {address: field for address, field in fields.items() if field.name == "share"}
    if len(shares) < 2:
        shares = {}
    changed = scenario
    for address, value in values.items():
        if address in shares:
            put(scenario, address, value)  # refuses what is no share
        else:
            changed = _put_field(changed, address, fields[address], value)
    if not shares:
        return changed
    try:
        return set_shares(changed, {int(shares[a].path[1]): float(values[a]) for a in shares})
    except ScenarioError as error:
        given = " and ".join(f"{address} = {values[address]!r}" for address in shares)
        raise ScenarioError(f"With {given}, {error.path}", error.problem) from None


def value_from_text(address: str, text: str) -> object:
    """The value that a text stands for at an address: JSON, or the text itself where it is none.

    In a number's place it is also what `typed` understands and JSON does not, such as .1 or 1/2.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        limits = bounds(address)
        return text if limits is None else typed.parse(text, limits)
    except ScenarioError:
        return text


def bounds(address: str) -> Bounds | None:
    """The bounds and label of the field at an address; None where it is no number."""
    name, _ = parse_address(address)[-1]
    return BOUNDS.get("matrix" if name in FREE else name)


def top_field(address: str) -> str:
    """The scenario's own field that an address starts from."""
    return parse_address(address)[0][0]


def numbers(scenario: Scenario) -> dict[str, str]:
    """Every number that can be varied, as address → label."""
    labels = {name: BOUNDS[name].words for name in Scenario.model_fields if name in BOUNDS}
    labels.pop("version")
    if scenario.houses is not None:
        labels.pop("households")  # their number and bounds follow from the list
    for g, group in enumerate(scenario.groups if scenario.houses is None else ()):
        names = [*RANGES, *(["share"] if len(scenario.groups) > 1 else [])]
        names += ["yearly_kwh"] if group.yearly_kwh is not None else []
        labels |= {f"groups[{g}].{name}": f"{group.name}: {BOUNDS[name].words}" for name in names}
    for m, model in enumerate(scenario.models):
        for g, (group, habits) in enumerate(zip(scenario.groups, model.habits, strict=True)):
            owner = ", ".join([model.name] * (len(scenario.models) > 1) + [group.name])
            stem = f"models[{m}].habits[{g}]"
            labels[f"{stem}.initial_occupied"] = f"{owner}: {BOUNDS['initial_occupied'].words}"
            for kind, parts in habits.day_kinds().items():
                day = f"{owner}, weekend" if kind == "weekend" else owner
                for p, part in enumerate(parts):
                    labels |= {f"{stem}.{kind}[{p}].{name}": f"{day}, {part.name}: {name}" for name in FREE}
    return labels


_INDEXED = re.compile(r"^(models|groups|habits|periods|weekend)\[(\d+)\]$")
_KINDS = {
    "models": "model",
    "groups": "group",
    "habits": "group",
    "periods": "period",
    "weekend": "weekend period",
}
_FIELDS = {"matrix": "the matrix", "start": "the start", "share": "the share", "name": "the name"}


def sentence(error: ScenarioError, scenario: Scenario | None = None) -> str:
    """A refusal that names its place in words: Model “A”, group “B”, period “Noon”: the matrix …

    Without a scenario by number, from 1. A refusal of the scenario's own fields stays as it is.
    """
    parts = error.path.split(".")
    matches = [_INDEXED.match(part) for part in parts]
    if not any(matches):
        return str(error)
    indices = {match[1]: int(match[2]) for match in matches if match}
    place = ", ".join(f"{_KINDS[kind]} {_item_name(kind, indices, scenario)}" for kind in indices)
    field = parts[-1].partition("[")[0]
    label = f"“{BOUNDS[field].words}”" if field in BOUNDS else field
    what = "it" if matches[-1] else _FIELDS.get(field, label)
    return f"{place[0].upper()}{place[1:]}: {what} {error.problem}"


def _item_name(kind: str, indices: dict[str, int], scenario: Scenario | None) -> str:
    if scenario is None:
        return str(indices[kind] + 1)
    try:
        items: Sequence[Any]
        if kind == "models":
            items = scenario.models
        elif kind in ("groups", "habits"):
            items = scenario.groups
        else:
            items = scenario.models[indices["models"]].habits[indices["habits"]].day_kinds()[kind]
        return f"“{items[indices[kind]].name}”"
    except LookupError:
        return str(indices[kind] + 1)
