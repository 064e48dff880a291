"""A scenario to take away: a file, a script, a notebook."""

import ast
import json
import subprocess
import sys

import pytest

from rtp import PRESETS, OccupancyModel, Scenario, ScenarioError, simulate
from rtp.core.formatting import percent, plain
from rtp.scenario.describe import caption, origin_words
from rtp.scenario.export import to_file, to_notebook, to_script
from rtp.version import VERSION
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
    assert [block.splitlines() for block in told.stdout.rstrip("\n").split("\n\n")] == [
        [
            f"{name:>10}  error {percent(release.error)}, expected {percent(release.expected_error)}; "
            f"RMSRE {plain(release.rmsre, 7)}"
            for name, release in simulate(scenario).release.items()
        ]
        for scenario, _ in taken
    ]


@pytest.mark.parametrize("preset", PRESETS)
def test_the_file_comes_back_and_names_its_version(preset: str) -> None:
    text = to_file(PRESETS[preset])
    assert Scenario.from_json(text) == PRESETS[preset]
    assert json.loads(text)["lab"] == origin_words(PRESETS[preset])
    assert origin_words(PRESETS[preset]).startswith(f"{VERSION} on ")
    assert to_script(PRESETS[preset], preset).startswith(f"# RTP Privacy Lab {VERSION} on ")


def test_only_a_version_may_stand_where_the_version_stands() -> None:
    with pytest.raises(ScenarioError, match=r"^lab is not a field of Scenario; known are version, "):
        Scenario.from_json('{"lab": 1}')


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
