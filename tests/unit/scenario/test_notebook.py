"""The notebook is one that Jupyter opens; that it runs is tried in tests/package/test_install.py."""

import ast
import json

import pytest

from rtp import PRESETS, Scenario
from rtp.scenario.describe import caption
from rtp.scenario.export import to_notebook, to_script


@pytest.mark.parametrize("preset", PRESETS)
def test_it_has_all_that_the_format_asks_for(preset: str) -> None:
    book = json.loads(to_notebook(PRESETS[preset], preset))
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in book["cells"]}) == len(book["cells"])
    for cell in book["cells"]:
        run = {"execution_count", "outputs"} if cell["cell_type"] == "code" else set()
        assert set(cell) == {"id", "cell_type", "metadata", "source"} | run
    assert caption(PRESETS[preset], preset) in book["cells"][0]["source"]


def test_it_begins_as_the_script_does() -> None:
    scenario = Scenario(epsilon=0.1, households=30)
    cells = json.loads(to_notebook(scenario))["cells"]
    code = "\n".join(cell["source"] for cell in cells if cell["cell_type"] == "code")
    assert ast.unparse(ast.parse(code)).startswith(ast.unparse(ast.parse(to_script(scenario))))
