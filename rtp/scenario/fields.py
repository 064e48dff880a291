"""A field of the scenario by its address (see `address`), to read or to change it.

Two kinds of fields hang together with others: `leave` and `arrive` are the free numbers of a matrix and take
the rest of their row along, and a group's `share` leaves the rest to the others. Several shares are set at
once, so that each is what it was set to.
"""

import reprlib
from collections.abc import Mapping, Sequence
from typing import Any

from rtp.scenario.address import FREE, Place, Step, parse, place, places
from rtp.scenario.bounds import BOUNDS, Bounds
from rtp.scenario.calendar import set_step_minutes
from rtp.scenario.edits import set_entry, set_share, set_some_shares
from rtp.scenario.habits import Period
from rtp.scenario.model import Scenario
from rtp.scenario.refusal import ScenarioError, must_be_within

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


def bounds(address: str) -> Bounds | None:
    """The bounds and words of the field at an address; None where it is no number."""
    name = parse(address)[-1].name
    return BOUNDS.get("matrix" if name in FREE else name)


def root(address: str) -> str:
    """The scenario's own field that an address starts from."""
    return parse(address)[0].name


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
