"""What the documents name is there: tests, modules, folders, commands."""

import ast
import contextlib
import io
import json
import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path

import plotly.io
import pytest

from rtp import __version__
from rtp.cli.main import main
from rtp.meters.real_home import sample_frame
from tests.help.root import ROOT

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


# No link of a guide is dead, and the site that is made of them needs nothing but itself


LINKED = [*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("docs/*.md"))]
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def anchors(text: str) -> set[str]:
    """What GitHub and the site call the headings."""
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("document", LINKED, ids=lambda path: path.name)
def test_every_link_of_a_document_leads_somewhere(document: Path) -> None:
    text = CODE.sub("", document.read_text(encoding="utf-8"))
    linked = [*re.findall(r"\]\(([^)\s]+)\)", text), *re.findall(r'src="([^"]+)"', text)]
    for link in linked:
        path, _, anchor = link.partition("#")
        if "://" in link:
            continue
        file = document.parent / path if path else document
        assert file.exists(), link
        assert not anchor or anchor in anchors(file.read_text(encoding="utf-8")), link


@pytest.mark.long
def test_the_site_is_made_without_a_warning_and_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    pytest.importorskip("sphinx", reason="make docs and make proofs install it")
    site = tmp_path / "site"
    options = ("--fail-on-warning", "-q", "-d", str(tmp_path / "trees"))
    subprocess.run([sys.executable, "-m", "sphinx", *options, "docs", str(site)], cwd=ROOT, check=True)
    outside = re.compile(r'<(?:script|link|img)[^>]*(?:src|href)="https?:')
    for page in site.rglob("*.html"):
        assert not outside.search(page.read_text(encoding="utf-8")), f"{page.name} loads from elsewhere"


# Every notebook runs as it stands, as Jupyter would run it, without Jupyter


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(ROOT.glob("notebooks/*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plotly.io.renderers, "default", "json")
    names: dict[str, object] = {}
    for number, cell in enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"]):
        assert not cell.get("outputs"), "what a cell printed once would be believed for ever"
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"{path.name}, cell {number}", "exec"), names)


# What the README and the guides tell the reader to type is typed here, beside the files they name


WITH_CODE = (
    pytest.param("README.md", marks=pytest.mark.slow),
    pytest.param("docs/analysts.md", marks=pytest.mark.long),
)
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HOUSES = "house,group,occupied,empty\nMill Lane 1,Flats,2.5,0.2\nMill Lane 2,Shops,7,0.4\n"


def _blocks(document: str, language: str = "") -> list[str]:
    text = (ROOT / document).read_text(encoding="utf-8")
    return [body for kind, body in BLOCK.findall(text) if kind == language]


def _commands(document: str) -> list[str]:
    """All but `rtp app`, which would take this process over: `test_install.py` starts it."""
    lines = (line for block in _blocks(document) for line in block.splitlines())
    commands = [line.split("#")[0].strip() for line in lines if line.startswith("rtp ")]
    return [command for command in commands if not command.startswith("rtp app")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that the guides speak of: readings, tables, a scenario and a sweep's spec."""
    place = tmp_path_factory.mktemp("guides")
    frame = sample_frame()
    few = frame[frame["house"].isin(["sample 01", "sample 02", "sample 41"]) & (frame["time"] < "2024-03-25")]
    few.to_csv(place / "readings.csv", index=False)
    few.to_csv(place / "again.csv", index=False)
    (table,) = (block for block in _blocks("docs/analysts.md") if block.startswith("group,"))
    (spec,) = _blocks("docs/analysts.md", "json")
    (place / "groups.csv").write_text(table)
    (place / "houses.csv").write_text(HOUSES)
    (place / "spec.json").write_text(spec)
    _run("rtp scenario mansions > mine.json", place)
    return place


def _run(command: str, place: Path) -> str:
    command, _, target = command.partition(" > ")
    printed = io.StringIO()
    with contextlib.chdir(place), contextlib.redirect_stdout(printed):
        assert main(shlex.split(command)[1:]) == 0, command
    if target:
        (place / target.strip()).write_text(printed.getvalue())
    return printed.getvalue()


@pytest.mark.long
@pytest.mark.parametrize("document", WITH_CODE)
def test_every_command_a_guide_shows_runs(document: str, folder: Path) -> None:
    assert _commands(document)
    for command in _commands(document):
        _run(command, folder)


@pytest.mark.parametrize("document", WITH_CODE)
def test_every_python_snippet_a_guide_shows_runs(document: str, folder: Path) -> None:
    with contextlib.chdir(folder):
        for block in _blocks(document, "python"):
            exec(compile(block, document, "exec"), {})
