"""A scenario to take away: a file, a script, a notebook."""

import ast
import json
import subprocess
import sys

import pytest

from rtp import PRESETS, OccupancyModel, Scenario, simulate
from rtp.core.formatting import percent
from rtp.scenario.describe import caption, origin_words
from rtp.scenario.export import to_file, to_notebook, to_script
from tests.help.root import ROOT

# Each as if alone, in one process: it would spend its time on importing numpy.
EACH = """
import sys
for script in sys.argv[1:]:
    exec(compile(script, "script", "exec"), {"__name__": "__main__"})
    print()
"""


@pytest.mark.slow
def test_the_script_runs_this_very_scenario_again() -> None:
    mixed = PRESETS["mixed street"].replace(epsilon=0.1, habit_clip="closed", households=30)
    named = Scenario(households=30, models=(OccupancyModel(name="It's me"),), assumed_model="It's me")
    taken = [(PRESETS["paper"], "paper"), (mixed, "mixed street"), (named, "paper")]
    command = [sys.executable, "-c", EACH, *(to_script(scenario, preset) for scenario, preset in taken)]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    blocks = told.stdout.rstrip("\n").split("\n\n")
    for (scenario, _), block in zip(taken, blocks, strict=True):
        for line, (name, release) in zip(block.splitlines(), simulate(scenario).release.items(), strict=True):
            assert line.split()[0] == name
            assert percent(release.error) in line


@pytest.mark.parametrize("preset", PRESETS)
def test_the_file_comes_back_and_says_where_it_is_from(preset: str) -> None:
    text = to_file(PRESETS[preset])
    assert Scenario.from_json(text) == PRESETS[preset]
    assert json.loads(text)["lab"] == origin_words(PRESETS[preset])


@pytest.mark.parametrize("preset", PRESETS)
def test_a_notebook_has_what_its_format_asks_for_and_begins_as_the_script(preset: str) -> None:
    book = json.loads(to_notebook(PRESETS[preset], preset))
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in book["cells"]}) == len(book["cells"])
    for cell in book["cells"]:
        run = {"execution_count", "outputs"} if cell["cell_type"] == "code" else set()
        assert set(cell) == {"id", "cell_type", "metadata", "source"} | run
    assert caption(PRESETS[preset], preset) in book["cells"][0]["source"]
    code = "\n".join(cell["source"] for cell in book["cells"] if cell["cell_type"] == "code")
    script = ast.unparse(ast.parse(to_script(PRESETS[preset], preset)))
    assert ast.unparse(ast.parse(code)).startswith(script)
