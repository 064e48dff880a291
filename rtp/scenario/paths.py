"""A field's address in a scenario as people say it.

`models[0].habits[1].periods[2].matrix` is where a program finds it; on a screen it is the matrix of a period,
of a group, under a model, by their names where they are known.
"""

import re

from rtp.scenario.bounds import BOUNDS
from rtp.scenario.model import Scenario
from rtp.scenario.refusal import ScenarioError

PART = re.compile(r"^(models|groups|habits|periods)\[(\d+)\]$")
KINDS = {"models": "model", "groups": "group", "habits": "group", "periods": "period"}
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
    except (AttributeError, IndexError):
        return f"{KINDS[kind]} {number + 1}"


def _named(kind: str, number: int, indices: dict[str, int], scenario: Scenario | None) -> str:
    if scenario is None:
        raise IndexError
    if kind == "models":
        return scenario.models[number].name
    if kind == "periods":
        return scenario.models[indices["models"]].habits[indices["habits"]].periods[number].name
    return scenario.groups[number].name
