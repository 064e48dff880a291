"""Every notebook runs as it stands, as Jupyter would run it, without Jupyter."""

import json
from pathlib import Path

import plotly.io
import pytest

from tests.help.root import ROOT


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(ROOT.glob("notebooks/*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plotly.io.renderers, "default", "json")
    names: dict[str, object] = {}
    for number, cell in enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"]):
        assert not cell.get("outputs"), "what a cell printed once would be believed for ever"
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"{path.name}, cell {number}", "exec"), names)
