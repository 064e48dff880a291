"""Where an address leads in a scenario.

`epsilon`, `groups[0].occupied_max`, `models[0].habits[0].periods[Noon].leave`: an index is a number, or the
name of what stands there. What leads nowhere is refused in one sentence that says what there is.

A field of the scenario by its address , to read or to change it.

Two kinds of fields hang together with others: `leave` and `arrive` are the free numbers of a matrix and take
the rest of their row along, and a group's `share` leaves the rest to the others. Several shares are set at
once, so that each is what it was set to.

A field's address in a scenario as people say it.

`models[0].habits[1].periods[2].matrix` is where a program finds it; on a screen it is the matrix of a period,
of a group, under a model, by their names where they are known.
"""

import json
import re
import reprlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import BaseModel

from rtp.scenario import typed
from rtp.scenario.edit import set_entry, set_share, set_some_shares, set_step_minutes
from rtp.scenario.habits import Period
from rtp.scenario.model import Scenario
from rtp.scenario.validation import BOUNDS, Bounds, ScenarioError, must_be_within

FREE = {"arrive": (0, 1), "leave": (1, 0)}  # the free entries of a period's matrix
MAX_REPEATED_LENGTH = 80  # characters of an address that a sentence repeats
_STEP = re.compile(r"([a-z_]+)(?:\[([^\[\]]+)\])?(?:\.(?=.)|$)")


class Step(NamedTuple):
    """The name of a field and, on the way to another one, which of its items."""

    name: str
    which: str | None = None


class Place(NamedTuple):
    """The object that holds a field, and the way there, with numbers for names."""

    owner: BaseModel
    steps: tuple[Step, ...]

    @property
    def name(self) -> str:
        return self.steps[-1].name


def place(scenario: Scenario, address: str) -> Place:
    *path, last = parse_address(address)
    if last.which is not None:
        raise ScenarioError(short(address), "names a whole object; name one of its numbers.")
    owner: BaseModel = scenario
    steps = []
    for step in path:
        items = _items(owner, step, address)
        at = _position(items, step, address)
        steps.append(Step(step.name, str(at)))
        owner = items[at]
    if last.name not in type(owner).model_fields and not (isinstance(owner, Period) and last.name in FREE):
        raise _unknown(owner, last.name, address)
    return Place(owner, (*steps, last))


def places(scenario: Scenario, addresses: Iterable[str]) -> dict[str, Place]:
    """By address; refuses two that lead to the same field."""
    found: dict[str, Place] = {}
    for address in addresses:
        here = place(scenario, address)
        if same := next((other for other, there in found.items() if there.steps == here.steps), None):
            raise ScenarioError(short(address), f"names the same field as {same}; give it once.")
        found[address] = here
    return found


def parse_address(address: str) -> list[Step]:
    steps, at = [], 0
    while at < len(address) and (match := _STEP.match(address, at)):
        steps.append(Step(match[1], match[2]))
        at = match.end()
    if not steps or at < len(address):
        raise ScenarioError(
            repr(address[:MAX_REPEATED_LENGTH]),
            "is no address of a field, such as epsilon or groups[0].occupied_max.",
        )
    return steps


def _position(items: tuple[Any, ...], step: Step, address: str) -> int:
    """Which of the items an index means."""
    name, index = step
    names = [getattr(item, "name", None) for item in items]
    if index in names:
        return names.index(index)
    if index is not None and index.isdecimal() and len(index) < 10 and int(index) < len(items):
        return int(index)
    known = ", ".join(map(str, names)) if names[0] else f"{name}[0] to {name}[{len(items) - 1}]"
    raise ScenarioError(short(address), f"names {short(f'{name}[{index}]')}; there are {known}.")


def short(address: str) -> str:
    return address if len(address) <= MAX_REPEATED_LENGTH else f"{address[: MAX_REPEATED_LENGTH - 1]}…"


def _items(owner: BaseModel, step: Step, address: str) -> tuple[BaseModel, ...]:
    name, index = step
    if name not in type(owner).model_fields:
        raise _unknown(owner, name, address)
    items = getattr(owner, name)
    if not (isinstance(items, tuple) and isinstance(items[0], BaseModel)):
        raise ScenarioError(short(address), f"goes further than it can: {name} has no fields of its own.")
    if index is None:
        raise ScenarioError(short(address), f"needs to say which of the {name}, such as {name}[0].")
    return items


def _unknown(owner: BaseModel, name: str, address: str) -> ScenarioError:
    known = [*type(owner).model_fields, *(FREE if isinstance(owner, Period) else ())]
    return ScenarioError(
        short(address),
        f"names {reprlib.repr(name)}, which is no field of {type(owner).__name__}; "
        f"known are {', '.join(known)}.",
    )


RANGES = ("occupied_max", "empty_max", "occupied_min", "empty_min")  # of a group's bounds
SHARE = Step("share")


def get(scenario: Scenario, address: str) -> Any:
    """The value at an address."""
    here = place(scenario, address)
    return getattr(here.owner, here.name)


def put(scenario: Scenario, address: str, value: object) -> Scenario:
    """A validated copy with the value at an address changed."""
    return _put_at(scenario, address, place(scenario, address), value)


def put_together(scenario: Scenario, values: Mapping[str, object]) -> Scenario:
    """A validated copy with the values at several addresses changed, each to what was given for it."""
    at = places(scenario, values)
    shares = {address: here for address, here in at.items() if here.name == SHARE.name}
    if len(shares) < 2:
        shares = {}
    changed = scenario
    for address, value in values.items():
        if address in shares:
            put(scenario, address, value)  # refuses what is no share
        else:
            changed = _put_at(changed, address, at[address], value)
    if not shares:
        return changed
    try:
        return set_some_shares(changed, {int(at[a].steps[0].which or 0): _number(values[a]) for a in shares})
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
    """The bounds and words of the field at an address; None where it is no number."""
    name = parse_address(address)[-1].name
    return BOUNDS.get("matrix" if name in FREE else name)


def top_field(address: str) -> str:
    """The scenario's own field that an address starts from."""
    return parse_address(address)[0].name


def numbers(scenario: Scenario) -> dict[str, str]:
    """Every number that can be varied, as address → words."""
    found = {name: BOUNDS[name].words for name in Scenario.model_fields if name in BOUNDS}
    found.pop("version")
    if scenario.houses is not None:
        found.pop("households")  # how many there are, and their bounds, is the list's to say
    for g, group in enumerate(scenario.groups if scenario.houses is None else ()):
        names = [*RANGES, *(["share"] if len(scenario.groups) > 1 else [])]
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


def _put_at(scenario: Scenario, address: str, here: Place, value: object) -> Scenario:
    if len(here.steps) == 1 and isinstance(getattr(scenario, here.name), tuple):
        raise ScenarioError(address, "is a list; name one of its numbers, such as groups[0].occupied_max.")
    limits = bounds(address)
    if limits is not None and limits.whole and isinstance(value, float) and value.is_integer():
        value = int(value)
    try:
        changed: Scenario = _put(scenario, here.steps, value)
    except ScenarioError as error:
        if error.path == here.name or error.path.startswith("matrix"):
            raise ScenarioError(address, error.problem) from None
        raise ScenarioError(f"With {address} = {reprlib.repr(value)}, {error.path}", error.problem) from None
    return changed


def _put(owner: Any, steps: Sequence[Step], value: Any) -> Any:
    step, *rest = steps
    if step.which is None:
        if isinstance(owner, Period) and step.name in FREE:
            return _put_entry(owner, step.name, value)
        changed = owner.replace(**{step.name: value})
        if isinstance(owner, Scenario) and step.name == "step_minutes":
            return set_step_minutes(owner, changed.step_minutes)
        return changed
    items = getattr(owner, step.name)
    i = int(step.which)
    changed = _put(items[i], rest, value)
    if rest == [SHARE] and len(items) > 1:
        return set_share(owner, i, changed.share) if changed != items[i] else owner
    return owner.replace(**{step.name: (*items[:i], changed, *items[i + 1 :])})


def _number(value: object) -> float:
    """What has been found to be one."""
    assert isinstance(value, int | float)
    return float(value)


def _put_entry(part: Period, name: str, value: object) -> Period:
    must_be_within(name, value, BOUNDS["matrix"])
    return set_entry(part, *FREE[name], _number(value))


PART = re.compile(r"^(models|groups|habits|periods|weekend)\[(\d+)\]$")
KINDS = {
    "models": "model",
    "groups": "group",
    "habits": "group",
    "periods": "period",
    "weekend": "weekend period",
}
FIELDS = {"matrix": "the matrix", "start": "the start", "share": "the share", "name": "the name"}


def sentence(error: ScenarioError, scenario: Scenario | None = None) -> str:
    """What was refused, its place in words; a refusal of the scenario's own fields as it is."""
    *places, field = error.path.split(".")
    found = [PART.match(place) for place in (*places, field)]
    if not any(found):
        return str(error)
    indices = {match[1]: int(match[2]) for match in found if match}
    told = [_name(kind, number, indices, scenario) for kind, number in indices.items()]
    where = ", ".join(told)
    last = "it" if found[-1] else _field(field)
    return f"{where[0].upper()}{where[1:]}: {last} {error.problem}"


def _field(address: str) -> str:
    name = address.partition("[")[0]
    return FIELDS.get(name) or (f"“{BOUNDS[name].words}”" if name in BOUNDS else name)


def _name(kind: str, number: int, indices: dict[str, int], scenario: Scenario | None) -> str:
    """Its name where there is one, its number from 1 where not."""
    try:
        return f"{KINDS[kind]} “{_named(kind, number, indices, scenario)}”"
    except (LookupError, AttributeError):
        return f"{KINDS[kind]} {number + 1}"


def _named(kind: str, number: int, indices: dict[str, int], scenario: Scenario | None) -> str:
    if scenario is None:
        raise IndexError
    if kind == "models":
        return scenario.models[number].name
    if kind in ("periods", "weekend"):
        habits = scenario.models[indices["models"]].habits[indices["habits"]]
        return habits.day_kinds()[kind][number].name
    return scenario.groups[number].name
