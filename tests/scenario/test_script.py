"""The Python script that the lab gives away runs the very scenario again."""

import subprocess
import sys

import pytest

from rtp import PRESETS, OccupancyModel, Scenario, simulate
from rtp.scenario.script import to_script
from tests.help.root import ROOT


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scenario", "preset"),
    [
        (PRESETS["paper"], "paper"),
        (PRESETS["mixed street"].replace(epsilon=0.1, habit_clip="closed", households=30), "mixed street"),
        (Scenario(households=30, models=(OccupancyModel(name="It's me"),), assumed_model="It's me"), "paper"),
    ],
)
def test_the_script_runs_this_very_scenario_again(scenario: Scenario, preset: str) -> None:
    script = to_script(scenario, preset)
    told = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    lines = [line.split() for line in told.stdout.splitlines()]
    day = simulate(scenario)
    assert [(line[0], line[2], line[4]) for line in lines] == [
        (name, f"{release.rmsre:.6e}", f"{release.expected_rmsre:.6e}")
        for name, release in day.release.items()
    ]
