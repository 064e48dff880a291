"""A sweep's file: keeps what was measured, and refuses what is not its own or damaged."""

import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from rtp import ScenarioError
from rtp.cli.main import main
from rtp.sweep.plan import from_json, make
from rtp.sweep.store import SweepFile
from tests.unit.sweep.files import SMALL, SPEC, complete

pytestmark = pytest.mark.usefixtures("short_units")


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"days": 4}, "days is 5 there and 4 here"),
        ({"scenario": {"households": 16}}, "scenario.households is 15 there and 16 here"),
        ({"grid": {**SPEC["grid"], "epsilon": [0.1, 2.0]}}, "grid is"),
        ({"grid": {**SPEC["grid"], list(SPEC["grid"])[-1]: [0.5, 0.9]}}, "0.95]} there and"),
        ({"grid": dict(reversed(SPEC["grid"].items()))}, "grid is"),
    ],
)
def test_another_spec_is_refused_with_the_difference_named(
    tmp_path: Path, change: dict[str, Any], named: str
) -> None:
    path = tmp_path / "a.sqlite"
    with SweepFile(path, from_json(json.dumps(SPEC))):
        before = path.read_bytes()
    with pytest.raises(ScenarioError, match=re.escape(named)):
        SweepFile(path, from_json(json.dumps({**SPEC, **change})))
    assert path.read_bytes() == before


def test_an_empty_file_is_where_a_sweep_was_killed_before_it_began(tmp_path: Path) -> None:
    (tmp_path / "a.sqlite").touch()
    assert complete(tmp_path / "a.sqlite", make(SMALL, {"epsilon": [1.0]}, 1))


PLAN = make(SMALL, {"epsilon": [1.0]}, 1)
DAMAGE = {
    "no identity": "UPDATE meta SET value = ''",
    "no plan": "UPDATE meta SET value = json_remove(value, '$.plan.grid') WHERE key = 'sweep'",
    "no scenario": (
        "UPDATE meta SET value = json_set(value, '$.plan.scenario.epsilon', -1) WHERE key = 'sweep'"
    ),
    "a cut array": "UPDATE point SET mean = substr(mean, 3)",
    "a point beyond": "UPDATE point SET id = 1",
    "not a day": "UPDATE point SET days = 0",
    "no days": f"UPDATE point SET days = '{300 * 'm'}'",
    "no sweep": "DELETE FROM meta WHERE key = 'sweep'",
    "another chunk": "UPDATE meta SET value = json_set(value, '$.chunk', 99) WHERE key = 'sweep'",
    "the paper's error": "UPDATE meta SET value = json_remove(value, '$.rmsre') WHERE key = 'sweep'",
    "a long name": (
        f"UPDATE meta SET value = json_set(value, '$.mechanisms[0]', '{200 * 'ε'}') WHERE key = 'sweep'"
    ),
    "no table": "DROP TABLE point",
}


@pytest.mark.parametrize("damage", [*DAMAGE, "overwritten", "a diary"])
def test_a_damaged_file_gets_one_sentence_and_stays_as_it_is(
    tmp_path: Path, damage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.sqlite"
    complete(path, PLAN)
    if damage in DAMAGE:
        with sqlite3.connect(path) as database:
            database.execute(DAMAGE[damage])
        database.close()
    else:
        whole = path.read_bytes()
        path.write_bytes(b"dear diary" if damage == "a diary" else whole[:4096] + b"\xff" * 8192)
    before = path.read_bytes()
    assert main(["export", str(path), "--csv", str(tmp_path / "a.csv")]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"rtp: {path} ")
    assert said.count("\n") == 1
    assert len(said) < len(str(path)) + 300
    with pytest.raises(ScenarioError), SweepFile(path, PLAN) as store:
        store.load()
    assert path.read_bytes() == before
    assert not (tmp_path / "a.csv").exists()
