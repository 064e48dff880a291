"""Today's results of every preset and the words of the story, kept in tests/golden: what a change must not
move unseen.

`python -m tests.help.golden` writes the files anew, for a change that is meant to move them.
"""

import json
from typing import Any

import numpy as np

from rtp import PRESETS, Scenario, simulate
from rtp.simulation import Release
from rtp.teaching.tour import STOPS
from tests.help.root import TESTS

FILE = TESTS / "golden" / "presets.json"
STORY = TESTS / "golden" / "story.txt"

# Together they reach every option that the presets leave alone.
VARIANTS: dict[str, dict[str, Any]] = {
    "as it is": {},
    "two days, closed habits, independent noise": {
        "days": 2,
        "habit_clip": "closed",
        "independent_noise": True,
    },
    "elastic, clipped, realised bound": {
        "clip_at_zero": True,
        "elasticity": 0.5,
        "epsilon": 0.01,
        "naive_bound": "realised",
        "inelastic_demand": 3.0,
    },
}


def results() -> dict[str, Any]:
    """For every preset the scenario itself, and what each of its variants gives."""
    return {
        name: {
            "scenario": json.loads(preset.to_json()),
            "results": {variant: numbers(preset.replace(**changes)) for variant, changes in VARIANTS.items()},
        }
        for name, preset in PRESETS.items()
    }


def numbers(scenario: Scenario) -> dict[str, Any]:
    day = simulate(scenario)
    return {
        "occupancy": float(day.occupancy.mean()),
        "consumption": float(day.consumption.mean()),
        "mechanisms": {name: of_release(release) for name, release in day.release.items()},
    }


def of_release(release: Release) -> dict[str, float | int]:
    return {
        "rmsre": release.rmsre,
        "expected_rmsre": release.expected_rmsre,
        "first_rate": float(release.rate[0]),
        "last_rate": float(release.rate[-1]),
        "mean_rate": float(release.rate.mean()),
        "least_scale": float(release.scale.min()),
        "largest_scale": float(release.scale.max()),
        "fewest_protected": int(release.protected.min()),
        "most_protected": int(release.protected.max()),
        "setter_of_the_largest": int(release.setter[np.argmax(release.scale)]),
    }


def story() -> str:
    """All that the stops of the tour say."""
    return "".join(f"{stop.screen}: {stop.title}\n{stop.words}\n\n" for stop in STOPS)


if __name__ == "__main__":
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(json.dumps(results(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    STORY.write_text(story(), encoding="utf-8")
