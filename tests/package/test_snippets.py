"""What the README and the guides tell the reader to type is typed here, beside the files they name."""

import contextlib
import io
import re
import shlex
from pathlib import Path

import pytest

from rtp.cli.main import main
from rtp.meters.real_home import sample_frame
from tests.help.root import ROOT

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
