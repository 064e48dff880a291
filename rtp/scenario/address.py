"""Where an address leads in a scenario.

`epsilon`, `groups[0].occupied_max`, `models[0].habits[0].periods[Noon].leave`: an index is a number, or the
name of what stands there. What leads nowhere is refused in one sentence that says what there is.
"""

import re
import reprlib
from collections.abc import Iterable
from typing import Any, NamedTuple

from pydantic import BaseModel

from rtp.scenario.habits import Period
from rtp.scenario.model import Scenario
from rtp.scenario.refusal import ScenarioError

FREE = {"arrive": (0, 1), "leave": (1, 0)}  # the free entries of a period's matrix
LONGEST = 80  # characters of an address that a sentence repeats
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
    *path, last = parse(address)
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


def parse(address: str) -> list[Step]:
    steps, at = [], 0
    while at < len(address) and (match := _STEP.match(address, at)):
        steps.append(Step(match[1], match[2]))
        at = match.end()
    if not steps or at < len(address):
        raise ScenarioError(
            repr(address[:LONGEST]), "is no address of a field, such as epsilon or groups[0].occupied_max."
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
    return address if len(address) <= LONGEST else f"{address[: LONGEST - 1]}…"


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
