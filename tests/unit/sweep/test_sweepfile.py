"""A sweep's file: keeps what was measured, and refuses what is not its own or damaged."""

import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from pyarrow.parquet import read_schema

from rtp import ScenarioError
from rtp.cli.main import NOT_DONE, main
from rtp.scenario.describe import origin
from rtp.sweep.measures import MEASURES
from rtp.sweep.plan import from_json, make
from rtp.sweep.run import run_plan
from rtp.sweep.store import SweepFile, read_sweep
from tests.unit.sweep.files import CHUNK, MECHANISMS, SMALL, SPEC, complete

pytestmark = pytest.mark.usefixtures("short_units")


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"days": 4}, "days is 5 there and 4 here"),
        ({"scenario": {"households": 16}}, "scenario.households is 15 there and 16 here"),
        (
            {"grid": {**SPEC["grid"], "epsilon": [0.1, 2.0]}},
            "grid.epsilon is [0.1, 1.0] there and [0.1, 2.0] here",
        ),
        ({"grid": {**SPEC["grid"], list(SPEC["grid"])[-1]: [0.5, 0.9]}}, "0.95] there and [0.5, 0.9] here"),
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


# A sweep leaves its file as rows that anyone can read


def test_export_gives_a_row_per_point_and_mechanism(
    tmp_path: Path, spec: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, csv, parquet = tmp_path / "a.sqlite", tmp_path / "a.csv", tmp_path / "a.parquet"
    assert main(["sweep", str(spec), "--out", str(file)]) == 0
    capsys.readouterr()
    assert main(["export", str(file), "--csv", str(csv), "--parquet", str(parquet)]) == 0
    assert capsys.readouterr() == ("", ""), "nothing is missing"
    table = pd.read_csv(csv)
    assert read_schema(parquet).names == list(table)
    pd.testing.assert_frame_equal(table, pd.read_parquet(parquet), check_exact=True, check_dtype=False)
    plan, parts = read_sweep(file)
    assert len(table) == len(plan) * len(MECHANISMS)
    row = table.iloc[len(MECHANISMS) * 3 + MECHANISMS.index("filtered")]
    assert dict(row[list(plan.grid)]) == plan.values(3)
    assert {name: row[name] for name in origin(plan.scenario)} == origin(plan.scenario)
    assert (row["mechanism"], row["sampled_days"]) == ("filtered", plan.days)
    low, high = parts[3].interval()
    m, k = MECHANISMS.index("filtered"), list(MEASURES).index("bill")
    assert (row["bill"], row["bill_low"], row["bill_high"]) == (parts[3].mean[m, k], low[m, k], high[m, k])


def test_export_of_an_unfinished_sweep_says_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = make(SMALL, {"households": [5, 6]}, CHUNK + 1)
    with SweepFile(tmp_path / "a.sqlite", plan) as store:
        next(run_plan(plan, store=store))
    for folder in (".", "/"):
        assert main(["export", str(tmp_path / "a.sqlite"), "--csv", folder]) == 2
        assert capsys.readouterr().err == f"rtp: {folder}: is a folder; name a file in it.\n"
    assert main(["export", str(tmp_path / "a.sqlite"), "--csv", str(tmp_path / "a.csv")]) == 0
    assert "2 of 2 points" in capsys.readouterr().err
    table = pd.read_csv(tmp_path / "a.csv")
    assert (table["households"].tolist(), table["sampled_days"].tolist()) == (
        [5] * len(MECHANISMS),
        [CHUNK] * len(MECHANISMS),
    )


def test_export_never_overwrites_the_sweep_and_a_failure_leaves_what_was_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file, old = tmp_path / "a.sqlite", tmp_path / "old.csv"
    complete(file, make(SMALL, {"epsilon": [1.0]}, 1))
    before = file.read_bytes()
    assert main(["export", str(file), "--csv", str(file)]) == 2
    assert str(file) in capsys.readouterr().err
    assert main(["export", str(file), "--csv", str(tmp_path)]) == 2
    assert str(tmp_path) in capsys.readouterr().err
    assert file.read_bytes() == before
    old.write_text("precious")

    def fail(*_: object) -> str:
        raise OSError(28, "No space left on device", str(old))

    monkeypatch.setattr("rtp.cli.run.to_csv", fail)
    assert main(["export", str(file), "--csv", str(old)]) == NOT_DONE
    assert old.read_text() == "precious"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.sqlite", "old.csv"]
