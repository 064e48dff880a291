"""Every table of texts that a person reads, module by module, to be recorded.

A word of them is read by nobody but a visitor: no computation would notice that it went wrong.
"""

import ast
import inspect
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from importlib import import_module
from typing import Any

from pydantic import BaseModel

TABLES = {
    "attack": ("words",),
    "cli": ("audit", "learn", "options", "overtime"),
    "figures": (
        "algorithm",
        "attack",
        "day",
        "daytime",
        "households",
        "leakage",
        "meters",
        "paper",
        "story",
        "style",
        "theme",
        "tradeoff",
    ),
    "leakage": ("composition", "hypothesis", "overview", "words"),
    "mechanisms": ("__init__",),
    "meters": ("answering", "layout", "learned", "reading", "replaying", "sample", "source", "words"),
    "output": ("comparison", "decision_report", "glossary", "report", "street_report", "words"),
    "paper": ("alternatives", "choices", "comparison", "published", "remarks"),
    "scenario": ("describe", "export", "fields", "house_table", "presets", "units", "validation"),
    "sweep": ("measures",),
    "teaching": ("exercises", "experiments", "lines", "moves", "plan", "threat", "tour"),
}


def texts(room: str) -> dict[str, Any]:
    """What the room's tables say: all constants of those modules but bare numbers, which nobody reads."""
    return {name: _constants(f"rtp.{room}.{name}".removesuffix(".__init__")) for name in TABLES[room]}


def _constants(name: str) -> dict[str, Any]:
    module = import_module(name)
    assigned = [
        node
        for node in ast.parse(inspect.getsource(module)).body
        if isinstance(node, ast.Assign | ast.AnnAssign)
    ]
    targets = [
        target
        for node in assigned
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    ]
    names = [target.id for target in targets if isinstance(target, ast.Name) and target.id.isupper()]
    values = {own: getattr(module, own) for own in names}
    return {own: _read(value) for own, value in values.items() if not isinstance(value, int | float)}


def _read(value: Any) -> Any:
    """As JSON holds it; what computes is left out."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _read(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _read(each) for key, each in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(map(str, value))
    if isinstance(value, list | tuple):
        return [_read(each) for each in value]
    if isinstance(value, Enum):
        return value.name
    return value if isinstance(value, str | int | float | None) else f"a {type(value).__name__}"
