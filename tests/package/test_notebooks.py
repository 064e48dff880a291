"""Every notebook runs as it stands, as Jupyter would run it, without Jupyter."""

import json
from collections.abc import Iterator
from pathlib import Path

import plotly.io
import pytest

from tests.help.root import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def cells(path: Path) -> Iterator[tuple[int, str]]:
    for number, cell in enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"]):
        assert not cell.get("outputs"), "what a cell printed once would be believed for ever"
        if cell["cell_type"] == "code":
            yield number, "".join(cell["source"])


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plotly.io.renderers, "default", "json")
    names: dict[str, object] = {}
    for number, source in cells(path):
        exec(compile(source, f"{path.name}, cell {number}", "exec"), names)
    assert names.keys() > {"rtp"}


def test_there_are_three() -> None:
    assert len(NOTEBOOKS) == 3
