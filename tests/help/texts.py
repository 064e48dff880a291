"""Every constant of the library, and every default of what it offers, to be recorded module by module.

A text is read by nobody but a visitor, a limit met by nobody but who reaches it, a default by who says
nothing: no computation would notice that one of them went wrong.
"""

import ast
import inspect
import re
import sys
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np
from pydantic import BaseModel

from tests.help.root import ROOT

NOT_READ = ("__init__", "__main__", "version")  # of the library itself: they hold nothing, or what changes
MODULES: dict[str, dict[str, str]] = {}  # by room: each file's name and how it is imported
for path in sorted((ROOT / "rtp").rglob("*.py")):
    dotted = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    if (room := dotted.split(".")[1]) not in NOT_READ:
        MODULES.setdefault(room, {})[path.stem] = dotted.removesuffix(".__init__")


def texts(room: str) -> dict[str, Any]:
    """What the room's modules hold and offer; those that hold and offer nothing are left out."""
    modules = {name: import_module(dotted) for name, dotted in MODULES[room].items()}
    found = {name: _constants(module) | _defaults(module) for name, module in modules.items()}
    return {name: held for name, held in found.items() if held}


def _constants(module: ModuleType) -> dict[str, Any]:
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
    return {name: _read(getattr(module, name)) for name in names}


def _defaults(module: ModuleType) -> dict[str, Any]:
    """Of public functions and records the values that need not be given; of enums the members."""
    found = {}
    for name, offered in vars(module).items():
        if name.startswith("_") or getattr(offered, "__module__", None) != module.__name__:
            continue
        if isinstance(offered, type) and issubclass(offered, Enum):
            found[name] = {each.name: each.value for each in offered}
        elif inspect.isfunction(inspect.unwrap(offered)) or isinstance(offered, type):
            found[name] = _unsaid(offered)
    return {f"{name}()": said for name, said in found.items() if said}


def _unsaid(offered: Any) -> dict[str, Any]:
    try:
        parameters = inspect.signature(offered).parameters
    except ValueError:  # some types have none
        return {}
    return {
        name: _read(given.default)
        for name, given in parameters.items()
        if given.default is not inspect.Parameter.empty and given.default is not None
    }


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
    if isinstance(value, re.Pattern):
        return value.pattern
    if isinstance(value, str):
        return value.replace(sys.executable, "this Python")
    if isinstance(value, int | float | None | np.ndarray):
        return value
    return f"a {type(value).__name__}"
