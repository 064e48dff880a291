"""The command line: does what it says, and refuses with exit code 2 and one sentence."""

import csv
import json
import re
import socket
import sys
from argparse import Namespace
from concurrent.futures import BrokenExecutor, CancelledError
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import MagicMock

import pytest

from rtp import PRESETS, Scenario, simulate
from rtp.audit.trial import RELEASES
from rtp.audit.worlds import BALANCED
from rtp.cli.main import main
from rtp.cli.options import NotDone, executor_of
from rtp.money.bills import bills
from rtp.scenario import BOUNDS
from tests.proofs.test_extremes import ZERO


def test_a_scenario_goes_through_a_file_and_comes_back_as_csv_and_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["scenario", "tiny street"]) == 0
    source = tmp_path / "street.json"
    source.write_text(capsys.readouterr().out, encoding="utf-8")
    assert Scenario.from_json(source.read_text(encoding="utf-8")) == PRESETS["tiny street"]
    table, numbers = tmp_path / "out.csv", tmp_path / "out.json"
    changes = ["--set", "epsilon=.25", "--set", "naive_bound=realised", "--set", "groups[0].empty_max=0.25"]
    assert main(["run", str(source), *changes, "--csv", str(table), "--json", str(numbers)]) == 0
    tiny = PRESETS["tiny street"]
    group = tiny.groups[0].replace(empty_max=0.25)
    expected = tiny.replace(epsilon=0.25, naive_bound="realised", groups=(group,))
    day = simulate(expected)
    with table.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert [float(row["naive_rate"]) for row in rows] == day.release["naive"].rate.tolist()
    told = json.loads(numbers.read_text(encoding="utf-8"))
    assert Scenario.from_json(json.dumps(told["scenario"])) == expected
    for name, release in day.release.items():
        assert (told["rmsre"][name], told["expected_rmsre"][name]) == (release.rmsre, release.expected_rmsre)
        assert told["error_percent"][name] == 100 * release.error
        assert told["expected_error_percent"][name] == 100 * release.expected_error


def test_run_writes_each_houses_bills_and_a_report(tmp_path: Path) -> None:
    table, page = tmp_path / "bills.csv", tmp_path / "day.html"
    assert main(["run", "--preset", "tiny street", "--bills", str(table), "--report", str(page)]) == 0
    day = simulate(PRESETS["tiny street"])
    with table.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert [row["house"] for row in rows] == [str(i) for i in range(day.scenario.households)]
    for name, own in bills(day).items():
        paid = [float(row[f"{name}_bill"]) for row in rows]
        assert paid == pytest.approx(own.tolist(), rel=1e-12)
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_an_infinite_error_is_null_in_json(tmp_path: Path) -> None:
    source, numbers = tmp_path / "zero.json", tmp_path / "out.json"
    source.write_text(ZERO.to_json(), encoding="utf-8")
    assert main(["run", str(source), "--json", str(numbers)]) == 0
    told = json.loads(numbers.read_text(encoding="utf-8"), parse_constant=lambda _: 1 / 0)
    assert told["rmsre"]["naive"] is told["error_percent"]["naive"] is None
    assert told["rmsre"]["blowfish"] == 0.0


# What is refused, and what its sentence begins with: the field, its value and what is accepted.
REFUSED = {
    "run --preset moon": "preset is 'moon'",
    "run missing.json": r"missing.json: No such file or directory\.",
    "run --workers 0": "--workers is 0",
    "run --house 7": ".*--replay",
    "run --unit kWh": "--unit .*--replay",
    "run --zone Europe/Berlin": "--zone .*--replay",
    "run --set epsilon": "--set is 'epsilon'",
    "run --set epsilon=1 --set epsilon=2": "--set gives epsilon twice",
    "run --set groups[0].share=1 --set groups[Households].share=1": r"groups\[Households\].share names",
    "run --set groups[Villas].empty_max=1": r"groups\[Villas\].empty_max names",
    "run \x1b[31m": r"\\x1b\[31m: No such file",
    f"run --set groups={'[' * 50_000}": r"groups is '\[\[\[\[",
    f"audit --n {RELEASES.low - 1:g}": f"n .* from {RELEASES.low:g}",
    f"audit --n {RELEASES.low + 1:g}": f"n .*multiple of {BALANCED}",
    "audit --trial-seed -1": f"--trial-seed .*{BOUNDS['seed'].high:,.0f}",
    "overtime --preset tiny%street --house 5": "house is 5; .* 0 to 4",
    "overtime --rarest 0.6": "--rarest is 0.6; .* 0.5",
    "overtime --preset tiny%street --total -1": "--total is -1",
    "overtime --preset tiny%street --crowd 2": "--crowd is 2",
    "sweep spec.json --out none/a.sqlite": ".*none/a.sqlite",
    "sweep none.json --out a": ".*none.json",
    "sweep spec.json --out a --workers 0": "--workers is 0; .* 1 to",
    "sweep spec.json --out a --days 0": "days is 0; .* 1 to",
    "export none": ".*--csv",
    "export none --csv x": ".*none",
}


@pytest.mark.parametrize("arguments", REFUSED)
def test_bad_input_is_refused_with_2_and_one_sentence_and_nothing_is_written(
    arguments: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (spec := tmp_path / "spec.json").write_text('{"preset": "paper", "grid": {"epsilon": [1]}}')
    assert main([word.replace("%", " ") for word in arguments.split()]) == 2
    printed = capsys.readouterr()
    (sentence,) = printed.err.splitlines()
    assert not printed.out, "nothing is done first"
    assert re.match(f"rtp: {REFUSED[arguments]}", sentence), sentence
    assert sentence.endswith(".")
    assert list(tmp_path.iterdir()) == [spec]


# Who does the work


class Killed(Exception):
    """As Dask says it."""


@pytest.mark.parametrize(
    ("dask", "error", "words"),
    [
        (None, BrokenExecutor(), "worker ended .* Kept"),
        ("there:1", Killed("unit 3"), "worker ended .* Kept"),
        ("there:1", CancelledError(), "--dask .* Kept"),
        ("there:1", ImportError("No module named 'rtp'"), "--dask .*No module named 'rtp'"),
    ],
)
def test_workers_that_fail_are_one_sentence(
    dask: str | None, error: Exception, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = MagicMock()
    client.close.side_effect = OSError("gone")
    dask_itself = SimpleNamespace(KilledWorker=Killed, Client=MagicMock(return_value=client))
    monkeypatch.setitem(sys.modules, "distributed", dask_itself)
    monkeypatch.setattr(socket, "create_connection", lambda *_: StringIO())
    with pytest.raises(NotDone, match=words), executor_of(Namespace(dask=dask, workers=1), "Kept."):
        raise error
