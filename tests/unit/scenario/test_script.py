"""What the lab gives away of a scenario comes back as the very same one, and says which lab it is from."""

import json
import subprocess
import sys

import pytest

from rtp import PRESETS, OccupancyModel, Scenario, ScenarioError, simulate
from rtp.core.formatting import percent, plain
from rtp.scenario.describe import origin_words
from rtp.scenario.export import to_file, to_script
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
