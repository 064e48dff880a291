"""A sweep leaves its file as rows that anyone can read."""

from pathlib import Path

import pandas as pd
import pytest
from pyarrow.parquet import read_schema

from rtp.cli.main import NOT_DONE, main
from rtp.scenario.describe import origin
from rtp.sweep.measures import MEASURES
from rtp.sweep.plan import make
from rtp.sweep.run import run_plan
from rtp.sweep.store import SweepFile, read_sweep
from tests.unit.sweep.files import CHUNK, MECHANISMS, SMALL, complete

pytestmark = pytest.mark.usefixtures("short_units")


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
