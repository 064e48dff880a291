"""What the documents name is there: tests, modules, folders, commands."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from rtp import __version__

ROOT = Path(__file__).parent.parent.parent
DOCUMENTS = ("README.md", "docs/maths.md", "docs/architecture.md", "docs/analysts.md", "CONTRIBUTING.md")


def _text(document: str) -> str:
    return (ROOT / document).read_text(encoding="utf-8")


@cache
def _functions(path: str) -> set[str]:
    file = ROOT / path
    nodes = ast.walk(ast.parse(file.read_text(encoding="utf-8"))) if file.exists() else ()
    return {node.name for node in nodes if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_test_a_document_names_exists(document: str) -> None:
    named = re.findall(r"(tests/[\w/]+\.py)::(\w+)", _text(document))
    assert [f"{path}::{name}" for path, name in named if name not in _functions(path)] == []
    assert "::" not in re.sub(r"tests/[\w/]+\.py::\w+", "", _text(document)), "a test named in another form"


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_path_a_document_names_exists(document: str) -> None:
    pattern = r"`((?:rtp|pages|tests|scripts|benchmarks|docs)/[\w./-]*)"
    named = {path for path in re.findall(pattern, _text(document)) if "yours" not in path.lower()}
    assert named
    assert sorted(path for path in named if not (ROOT / path).exists()) == []


def test_every_target_a_document_names_is_in_the_makefile() -> None:
    targets = set(re.findall(r"^([a-z]+):", _text("Makefile"), re.MULTILINE))
    named = {
        document: set(re.findall(r"\bmake ([a-z]+)\b`", _text(document)))
        for document in (*DOCUMENTS, "docs/teachers.md")
    }
    assert {"check", "test", "bench", "lock"} <= named["CONTRIBUTING.md"]
    assert set().union(*named.values()) <= targets


def test_the_version_is_told_in_the_changelog_and_the_citation() -> None:
    assert re.findall(r"^## \[([\d.]+)\]", _text("CHANGELOG.md"), re.MULTILINE)[0] == __version__
    assert f"\nversion: {__version__}\n" in _text("CITATION.cff")
