"""What the site shows of the library: every name has a docstring to learn from, and its examples run.

The names are those of the pages in docs/library; `make docs` shows nothing else.
"""

import dataclasses
import doctest
import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest

from tests.help.root import ROOT

PAGES = sorted((ROOT / "docs" / "library").glob("*.rst"))
DIRECTIVE = re.compile(r"^\.\. (currentmodule|auto\w+):: ([\w.]+)(\(.*)?$", re.MULTILINE)
SLOW = {"rtp.decision.Answer"}  # made once more as by `decide`, which weighs every rate


def named() -> dict[str, str]:
    """Every name that a page shows, in full, and by which directive."""
    found, module = {}, ""
    for page in PAGES:
        for kind, name, _ in DIRECTIVE.findall(page.read_text(encoding="utf-8")):
            if kind == "currentmodule":
                module = name
            else:
                found[name if kind == "automodule" else f"{module}.{name}"] = kind
    return found


NAMED = named()
TOLD = [name for name, kind in NAMED.items() if kind != "autodata"]
CASES = [pytest.param(name, marks=pytest.mark.long) if name in SLOW else name for name in TOLD]


def thing(name: str) -> object:
    if NAMED[name] == "automodule":
        return import_module(name)
    module, _, attribute = name.rpartition(".")
    return getattr(import_module(module), attribute)


def run(text: str, name: str) -> doctest.TestResults:
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, 0)
    return doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test)


@pytest.mark.parametrize("name", TOLD)
def test_a_docstring_has_the_sections_of_its_kind(name: str) -> None:
    text = inspect.cleandoc(str(thing(name).__doc__))
    sections = set(re.findall(r"\n(\w+)\n-{5,}\n", text))
    if NAMED[name] == "autofunction":
        assert "Parameters" in sections
        assert sections & {"Returns", "Yields"} or name == "rtp.mechanisms.register"
    elif NAMED[name] != "automodule":
        assert sections & {"Parameters", "Attributes"}
    assert [
        each for each in parts(thing(name)) if not re.search(rf"^(\S+, )*{each}\b.* : ", text, re.MULTILINE)
    ] == []
    assert "Examples" in sections


def parts(named: object) -> list[str]:
    """What a docstring has to explain: a function's parameters, a class's public fields."""
    if inspect.isfunction(named):
        return list(inspect.signature(named).parameters)
    if dataclasses.is_dataclass(named):
        return [field.name for field in dataclasses.fields(named) if not field.name.startswith("_")]
    return list(getattr(named, "model_fields", ()))


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_the_examples_of_a_name_run(name: str) -> None:
    found = run(str(thing(name).__doc__), name)
    assert found.failed == 0
    assert found.attempted


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_examples_of_a_page_run(page: Path) -> None:
    assert run(page.read_text(encoding="utf-8"), page.name).failed == 0
