"""What the site shows of the library: the examples of every name run.

The names are those of the pages in docs/library; `make docs` shows nothing else.
"""

import doctest
import re
from importlib import import_module
from pathlib import Path

import pytest

from tests.help.root import ROOT

PAGES = sorted((ROOT / "docs" / "library").glob("*.rst"))
DIRECTIVE = re.compile(r"^\.\. (currentmodule|auto\w+):: ([\w.]+)(\(.*)?$", re.MULTILINE)
SLOW = {"rtp.decision.Answer", "rtp.decision.decide"}  # which weighs every rate


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


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_the_examples_of_a_name_run(name: str) -> None:
    found = run(str(thing(name).__doc__), name)
    assert found.failed == 0
    assert found.attempted


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_examples_of_a_page_run(page: Path) -> None:
    assert run(page.read_text(encoding="utf-8"), page.name).failed == 0
