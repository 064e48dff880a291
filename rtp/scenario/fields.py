"""A field of the scenario by its address, to read it, to change it, and to name it in a sentence.

`epsilon`, `groups[0].occupied_max`, `models[0].habits[0].periods[Noon].leave`: an index is a number, counted
from 0, or else the name of what stands there. What leads nowhere is refused in one sentence that says what
there is.

Two kinds of fields depend on others: `leave` and `arrive` are the free numbers of a matrix and take the rest
of their row along, and a group's `share` leaves the rest to the others. Several fields are changed at once
and judged together, in whatever order they are given; a price every so many minutes comes first, since
probabilities per step are restated for it.
"""

import json
import re
import reprlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import accumulate
from typing import Any, NamedTuple

from pydantic import BaseModel

from rtp.scenario import typed
from rtp.scenario.edit import set_entry, set_step_minutes, shared_out
from rtp.scenario.habits import Habits, Period
from rtp.scenario.model import Scenario
from rtp.scenario.validation import BOUNDS, LABELS, Bounds, ScenarioError, must_be_within

FREE = {"arrive": (0, 1), "leave": (1, 0)}  # the free entries of a period's matrix
BOUND_FIELDS = ("occupied_max", "empty_max", "occupied_min", "empty_min")  # of a group's bounds
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
    if index.isdecimal() and len(index) < 10 and int(index) < len(items):
        at = int(index)
    elif index in names:
        at = names.index(index)
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
    return put_together(scenario, {address: value})


class Change(NamedTuple):
    """A new value for a field, and the address that it was given for."""

    address: str
    value: Any

    def __str__(self) -> str:
        return f"{self.address} = {reprlib.repr(self.value)}"


Changes = Mapping[Path, Change]


def put_together(scenario: Scenario, values: Mapping[str, Any]) -> Scenario:
    """A validated copy with the values at several addresses changed, each to what was given for it."""
    changes: dict[Path, Change] = {}
    for address, field in resolve_all(scenario, values).items():
        value, limits = values[address], bounds(address)
        if field.path in (("groups",), ("models",)):
            raise ScenarioError(
                address, "is a list; name one of its numbers, such as groups[0].occupied_max."
            )
        if limits is not None and limits.whole and isinstance(value, float) and value.is_integer():
            value = int(value)
        changes[field.path] = Change(address, value)
    minutes: Changes = {path: changes.pop(path) for path in [("step_minutes",)] if path in changes}
    for change in minutes.values():
        with _told(minutes):
            scenario = set_step_minutes(scenario, change.value)
    changed: Scenario = _changed(scenario, changes)
    return changed


def _changed(owner: Any, changes: Changes) -> Any:
    """The object with what stands in it changed, by the paths from there, and judged as a whole."""
    own = {str(path[0]): change for path, change in changes.items() if len(path) == 1}
    fields = {name: change.value for name, change in own.items() if name not in FREE}
    inside: dict[Path, dict[Path, Change]] = {}
    for path, change in changes.items():
        if len(path) > 1:
            inside.setdefault(path[:2], {})[path[2:]] = change
    for (name, index), inner in inside.items():
        items = list(fields.get(str(name), getattr(owner, str(name))))
        items[int(index)] = _changed(items[int(index)], inner)
        fields[str(name)] = tuple(items)
    if shares := [int(index) for (_, index), inner in inside.items() if ("share",) in inner]:
        fields["groups"] = shared_out(owner.groups, fields["groups"], shares)
    with _told(changes):
        owner = owner.replace(**fields) if fields else owner
        for name in own.keys() & FREE.keys():
            must_be_within(name, own[name].value, BOUNDS["matrix"])
            owner = set_entry(owner, *FREE[name], float(own[name].value))
    return owner


@contextmanager
def _told(changes: Changes) -> Iterator[None]:
    """Name the address that is refused, or what was given where something else is refused for it."""
    try:
        yield
    except ScenarioError as error:
        refused = re.split(r"[.\[]", error.path)[0]
        if (refused,) in changes:
            raise ScenarioError(changes[(refused,)].address, error.problem) from None
        near = [change for path, change in changes.items() if path[0] == refused] or changes.values()
        raise ScenarioError(f"With {' and '.join(map(str, near))}, {error.path}", error.problem) from None


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


START = ".start"  # ends the address of a period's hour
AT_WEEKEND, ON_SATURDAY = "At the weekend", "On Saturday"


class Setting(NamedTuple):
    """A setting of a scenario: where it stands, what holds it, what it is called, and its value."""

    address: str
    names: tuple[str, ...]  # of the items on the way there, one for each index of the address
    owner: BaseModel
    label: str
    value: Any

    def words(self, models: bool = True, groups: bool = True, sunday: bool = False) -> str:
        """Whose it is, with or without the names of models and groups, and its label; where Sunday differs,
        the weekend is Saturday."""
        named = {"models": models, "groups": groups, "habits": groups}
        days = {"weekend": ["Saturday" if sunday else "weekend"], "sunday": ["Sunday"]}
        whose: list[str] = []
        for (kind, _), name in zip(parse_address(self.address), self.names, strict=False):
            whose += days.get(kind, []) + ([name] if named.get(kind, True) else [])
        label = ON_SATURDAY if sunday and self.label == AT_WEEKEND else self.label
        return f"{', '.join(whose)}: {label}" if whose else label


def walk(scenario: Scenario) -> Iterator[Setting]:
    """Every setting of a scenario, in the order of the controls."""
    for name in Scenario.model_fields:
        if name not in ("version", "groups", "models", "houses"):
            label = LABELS.get(name) or BOUNDS[name].words
            yield Setting(name, (), scenario, label, getattr(scenario, name))
    yield Setting("groups", (), scenario, "Groups", scenario.groups)
    yield Setting("houses", (), scenario, LABELS["houses"], scenario.houses)
    yield Setting("models", (), scenario, "Models", scenario.models)
    for g, group in enumerate(scenario.groups):
        yearly = ["yearly_kwh"] if group.yearly_kwh is not None else []
        for name in (*BOUND_FIELDS, "share", *yearly, "law"):
            label = LABELS.get(name) or BOUNDS[name].words
            yield Setting(f"groups[{g}].{name}", (group.name,), group, label, getattr(group, name))
    for m, model in enumerate(scenario.models):
        for g, (group, habits) in enumerate(zip(scenario.groups, model.habits, strict=True)):
            yield from _of_habits(f"models[{m}].habits[{g}]", (model.name, group.name), habits)


def _of_habits(stem: str, names: tuple[str, ...], habits: Habits) -> Iterator[Setting]:
    label = BOUNDS["initial_occupied"].words
    yield Setting(f"{stem}.initial_occupied", names, habits, label, habits.initial_occupied)
    yield Setting(f"{stem}.periods", names, habits, "Periods of a day", habits.periods)
    yield Setting(f"{stem}.weekend", names, habits, AT_WEEKEND, habits.weekend)
    yield Setting(f"{stem}.sunday", names, habits, "On Sunday", habits.sunday)
    for kind, periods in habits.day_kinds().items():
        for p, part in enumerate(periods):
            at, own = f"{stem}.{kind}[{p}]", (*names, part.name)
            yield Setting(f"{at}.start", own, part, "starts at", part.start)
            yield Setting(f"{at}.arrive", own, part, "arrive", part.arrive)
            yield Setting(f"{at}.leave", own, part, "leave", part.leave)


def numbers(scenario: Scenario) -> dict[str, str]:
    """Every number that can be varied, as address → label."""
    follow = {"start", *(("share",) if len(scenario.groups) == 1 else ())}
    if scenario.houses is not None:  # their number and bounds follow from the list
        follow |= {"households", "share", *BOUND_FIELDS}
    return {
        setting.address: setting.words(models=len(scenario.models) > 1, sunday=scenario.has_sundays)
        for setting in walk(scenario)
        if setting.address.rpartition(".")[2] not in follow and bounds(setting.address) is not None
    }


def starts(scenario: Scenario) -> dict[str, str]:
    """The hour at which every period begins that can begin at another, as address → label."""
    begin = [each for each in walk(scenario) if each.address.endswith(START)]
    of_day = Counter(each.address.rpartition("[")[0] for each in begin)
    several = len(scenario.models) > 1
    return {
        each.address: f"{each.words(several, sunday=scenario.has_sundays)} (hour)"
        for each in begin
        if of_day[each.address.rpartition("[")[0]] > 1  # one period lasts all day whenever it begins
    }


_KINDS = {
    "models": "model",
    "groups": "group",
    "habits": "group",
    "periods": "period",
    "weekend": "weekend period",
    "sunday": "Sunday period",
}
_INDEXED = re.compile(rf"^({'|'.join(_KINDS)})\[(\d+)\]$")
_FIELDS = {"matrix": "the matrix", "start": "the start", "share": "the share", "name": "the name"}


def sentence(error: ScenarioError, scenario: Scenario | None = None) -> str:
    """A refusal that names its place in words: Model “A”, group “B”, period “Noon”: the matrix …

    Without a scenario by number, from 1. A refusal of the scenario's own fields stays as it is.
    """
    parts = error.path.split(".")
    items = {".".join(parts[: i + 1]): match for i, match in enumerate(map(_INDEXED.match, parts)) if match}
    if not items:
        return str(error)
    known: dict[str, str] = {}
    for setting in () if scenario is None else walk(scenario):
        on_the_way = accumulate(setting.address.split("."), "{}.{}".format)
        known |= {address: f"“{name}”" for address, name in zip(on_the_way, setting.names, strict=False)}
    place = ", ".join(
        f"{_KINDS[match[1]]} {known.get(address, int(match[2]) + 1)}" for address, match in items.items()
    )
    field = parts[-1].partition("[")[0]
    label = f"“{BOUNDS[field].words}”" if field in BOUNDS else field
    what = "it" if error.path in items else _FIELDS.get(field, label)
    return f"{place[0].upper()}{place[1:]}: {what} {error.problem}"
