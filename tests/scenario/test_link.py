"""What leaves the lab comes back the same: links, CSV, scripts. What enters broken is refused."""

import base64
import csv
import io
import json
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rtp.files import day_frame

from rtp import PRESETS, OccupancyModel, Scenario, ScenarioError, simulate
from rtp.clock import hhmm
from rtp.scenario import MAX_JSON_BYTES
from rtp.scenario.link import PACKED, from_link, to_link
from rtp.scenario.script import to_script
from rtp.tables import neutral, to_csv
from tests.help.strategies import scenarios

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("preset", PRESETS)
def test_a_presets_link_is_its_name(preset: str) -> None:
    link = to_link(PRESETS[preset], preset)
    assert link == ({} if preset == "paper" else {"preset": preset})
    assert from_link(link) == (preset, PRESETS[preset])


@given(scenarios(), st.sampled_from(list(PRESETS)))
def test_a_link_gives_the_same_scenario_again(scenario: Scenario, preset: str) -> None:
    link = to_link(scenario, preset)
    assert all(isinstance(value, str) for value in link.values())
    assert from_link(link) == (preset, scenario)


def test_a_link_reads_like_what_changed() -> None:
    link = to_link(
        Scenario(epsilon=0.1, households=200, clip_at_zero=True, habit_clip="closed", reference_rate=9.5)
    )
    assert link == {
        "epsilon": "0.1",
        "households": "200",
        "clip_at_zero": "true",
        "habit_clip": "closed",
        "reference_rate": "9.5",
    }


@pytest.mark.parametrize("name", ["2019", "true", "null", "NaN", "1e5", "Infinity", "Night owls", "é"])
def test_a_model_may_be_called_anything_a_link_could_mistake(name: str) -> None:
    scenario = Scenario(models=(OccupancyModel(name=name),), assumed_model=name)
    assert from_link(to_link(scenario))[1] == scenario


def test_a_link_can_set_back_what_its_preset_changed() -> None:
    elastic = PRESETS["elastic demand"].replace(reference_rate=5.0)
    assert from_link(to_link(elastic, "elastic demand"))[1] == elastic
    assert from_link({"preset": "elastic demand", "reference_rate": "null"})[1].reference_rate is None


def _packed(text: str | bytes) -> str:
    raw = text.encode() if isinstance(text, str) else text
    return base64.urlsafe_b64encode(zlib.compress(raw)).decode().rstrip("=")


@pytest.mark.parametrize(
    ("link", "path"),
    [
        ({"preset": "moon"}, "preset"),
        ({"preset": "x" * 5000}, "preset"),
        ({"epsilon": "0"}, "epsilon"),
        ({"epsilon": "NaN"}, "epsilon"),
        ({"epsilon": "-Infinity"}, "epsilon"),
        ({"epsilon": ""}, "epsilon"),
        ({"epsilon": "[" * 100_000}, "epsilon"),
        ({"epsilon": "[0.5]"}, "epsilon"),
        ({"epsilon": '"0.5"'}, "epsilon"),
        ({"households": "1e3"}, "households"),
        ({"seed": "9" * 5000}, "seed"),
        ({"self": "1"}, "self"),
        ({"utm_source": "mail"}, "utm_source"),
        ({"groups": "[]"}, "groups"),
        ({"clip_at_zero": "yes"}, "clip_at_zero"),
        ({"version": "2"}, "version"),
        ({PACKED: "!!!"}, PACKED),
        ({PACKED: "é"}, PACKED),
        ({PACKED: ""}, PACKED),
        ({PACKED: "AAAA"}, PACKED),
        ({PACKED: _packed("{}")[:-4]}, PACKED),
        ({PACKED: _packed("not json")}, PACKED),
        ({PACKED: _packed(b"\xff")}, PACKED),
        ({PACKED: _packed("[" * 100_000)}, PACKED),
        ({PACKED: _packed(" " * (MAX_JSON_BYTES + 1))}, PACKED),
        ({PACKED: _packed("[1]")}, PACKED),
        ({PACKED: _packed('{"epsilon": 5}')}, PACKED),
        ({PACKED: _packed('{"groups": [{"share": 2}]}')}, "groups[0].share"),
    ],
)
def test_a_broken_link_is_refused_in_one_sentence(link: dict[str, str], path: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        from_link(link)
    assert caught.value.path == path
    assert len(str(caught.value)) < 600
    assert str(caught.value).endswith(".")


@given(st.dictionaries(st.text(max_size=12), st.text(max_size=30), max_size=4))
def test_no_link_does_worse_than_be_refused(link: dict[str, str]) -> None:
    try:
        _, scenario = from_link(link)
    except ScenarioError:
        return
    assert isinstance(scenario, Scenario)


def test_the_frame_has_one_row_per_step_and_what_was_published() -> None:
    day = simulate(PRESETS["mixed street"].replace(households=50, days=2))
    frame = day_frame(day)
    assert frame.equals(day.frame())
    assert len(frame) == 192
    assert frame["day"].tolist() == [1] * 96 + [2] * 96
    assert frame["time"].tolist()[:2] + frame["time"].tolist()[-1:] == ["00:00", "00:15", "23:45"]
    assert frame["period"].tolist()[0] == "Night"
    assert frame["period"].tolist()[6 * 4] == "Morning"
    for name, release in day.release.items():
        np.testing.assert_array_equal(frame[f"{name}_rate"], release.rate)
        if name != "optimal":
            np.testing.assert_array_equal(frame[f"{name}_scale"], release.scale)
            np.testing.assert_array_equal(frame[f"{name}_protected"], release.protected)
    assert "naive_demand" not in frame


def test_with_price_response_the_frame_tells_each_mechanisms_own_world() -> None:
    day = simulate(PRESETS["elastic demand"].replace(households=50))
    frame = day.frame()
    np.testing.assert_array_equal(frame["naive_demand"], day.release["naive"].demand)
    np.testing.assert_array_equal(frame["naive_optimal_rate"], day.release["naive"].optimal)


def test_csv_gives_every_number_back_to_the_last_bit() -> None:
    day = simulate(Scenario(households=20))
    rows = list(csv.DictReader(io.StringIO(to_csv(day.frame()))))
    assert [float(row["filtered_rate"]) for row in rows] == day.release["filtered"].rate.tolist()
    assert [float(row["occupancy"]) for row in rows] == day.occupancy.tolist()
    assert rows[28]["time"] == "07:00"


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "Night\r=1", "\n=1"])
def test_no_text_can_start_a_formula(text: str) -> None:
    frame = simulate(Scenario(households=2)).frame()
    frame["period"] = text
    frame[text] = 1.0
    rows = list(csv.reader(io.StringIO(to_csv(frame), newline="")))
    assert len(rows) == 97
    for cell in (rows[0][-1], rows[1][2]):
        assert cell == neutral(text)
        assert not cell.strip().startswith(("=", "+", "-", "@"))


def test_ordinary_text_and_negative_numbers_stay_as_they_are() -> None:
    assert neutral("Night") == "Night"
    frame = simulate(Scenario(households=2)).frame()
    frame["change"] = -1.5
    assert ",-1.5\n" in to_csv(frame)


def test_the_clock_wraps() -> None:
    assert [hhmm(h) for h in (0, 7.25, 23.75, 24, 31.5)] == ["00:00", "07:15", "23:45", "00:00", "07:30"]


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


def test_json_on_disk_is_what_the_scenario_says() -> None:
    data = json.loads(Scenario(epsilon=0.25).to_json())
    assert data["epsilon"] == 0.25
    assert data["version"] == 1
    assert data["models"][0]["habits"][0]["periods"][0]["matrix"][1][0] == 0.05
