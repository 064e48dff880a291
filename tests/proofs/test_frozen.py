"""What the library gives out never changes: it is kept in caches and handed to several sessions at once."""

from dataclasses import is_dataclass
from importlib import import_module

import pytest

from tests.help.imports import read_tree
from tests.help.root import ROOT

MODULES = [name for name in read_tree(ROOT, "rtp/**/*.py") if not name.endswith(("__init__", "__main__"))]


@pytest.mark.parametrize("module", MODULES)
def test_dataclasses_are_frozen(module: str) -> None:
    """A frozen one has a `__setattr__` of its own, which refuses."""
    classes = [each for each in vars(import_module(module)).values() if isinstance(each, type)]
    own = [each for each in classes if each.__module__ == module and is_dataclass(each)]
    assert [each.__name__ for each in own if "__setattr__" not in vars(each)] == []
