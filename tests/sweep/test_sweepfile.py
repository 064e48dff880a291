"""A sweep's file: survives kill -9, refuses what is not its own, and leaves as rows that anyone can read."""

import json
import re
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from rtp import Scenario, ScenarioError
from rtp.cli.main import main
from rtp.mechanisms import REGISTRY
from rtp.scenario.origin import origin
from rtp.sweep.file import SweepFile, frame, read
from rtp.sweep.measures import MEASURES, Part
from rtp.sweep.plan import Plan, from_json, make
from rtp.sweep.runs import run_plan
from rtp.version import VERSION
from tests.help.root import ROOT

CHUNK = 3  # days in a unit: what is to be shown of many units does not need long ones
MECHANISMS = list(REGISTRY)
SMALL = Scenario(households=15, step_minutes=60)
NOON = "models[0].habits[0].periods[Noon].leave"
SPEC: dict[str, Any] = {
    "scenario": {"households": 15, "step_minutes": 60},
    "grid": {"epsilon": [0.1, 1.0], NOON: [0.5, 0.95]},
    "days": CHUNK + 2,
}


@pytest.fixture(autouse=True)
def short_units(monkeypatch: pytest.MonkeyPatch) -> None:
    for room in ("runs", "file"):
        monkeypatch.setattr(f"rtp.sweep.{room}.CHUNK", CHUNK)


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    path = tmp_path / "spec.json"
    path.write_text(json.dumps(SPEC), encoding="utf-8")
    return path


def complete(path: Path, plan: Plan) -> dict[int, Part]:
    with SweepFile(path, plan) as store:
        for _ in run_plan(plan, store=store):
            pass
    return read(path)[1]


def equal(one: dict[int, Part], other: dict[int, Part]) -> bool:
    return one.keys() == other.keys() and all(
        np.array_equal(one[p].mean, other[p].mean) and np.array_equal(one[p].spread, other[p].spread)
        for p in one
    )


def test_what_is_stored_is_what_was_measured(tmp_path: Path) -> None:
    plan = make(SMALL, {"epsilon": [0.1, 1.0], "households": [5, 6]}, CHUNK + 1)
    measured = {result.point: result.part for result in run_plan(plan)}
    assert equal(complete(tmp_path / "a.sqlite", plan), measured)
    assert read(tmp_path / "a.sqlite")[0] == plan


def test_the_file_says_which_lab_made_it(tmp_path: Path) -> None:
    with SweepFile(tmp_path / "a.sqlite", make(SMALL, {"epsilon": [0.1]}, 1)):
        pass
    database = sqlite3.connect(tmp_path / "a.sqlite")
    assert database.execute("SELECT value FROM meta WHERE key = 'lab'").fetchall() == [(VERSION,)]
    database.close()


def test_finished_points_are_there_for_anyones_sql(tmp_path: Path) -> None:
    plan = make(SMALL, {"epsilon": [0.1, 1.0]}, 3)
    parts = complete(tmp_path / "a.sqlite", plan)
    rows = sqlite3.connect(tmp_path / "a.sqlite").execute(
        'SELECT p."values", p.days, e.mean, e.low, e.high FROM point p JOIN estimate e ON e.point = p.id '
        "WHERE e.mechanism = 'blowfish' AND e.measure = 'rmsre' ORDER BY p.id"
    )
    m, k = MECHANISMS.index("blowfish"), list(MEASURES).index("rmsre")
    for point, (values, days, mean, low, high) in enumerate(rows):
        assert json.loads(values) == plan.values(point)
        expected = parts[point].mean[m, k], *(end[m, k] for end in parts[point].interval())
        assert (days, mean, low, high) == (3, *expected)


@pytest.mark.slow
@pytest.mark.parametrize("stop_after", [1, 3, 5])
def test_an_interrupted_sweep_goes_on_where_it_was(tmp_path: Path, stop_after: int) -> None:
    plan = make(SMALL, {"epsilon": [0.1, 1.0], "households": [5, 6]}, 2 * CHUNK + 1)
    whole = complete(tmp_path / "whole.sqlite", plan)
    with SweepFile(tmp_path / "parts.sqlite", plan) as store:
        results = run_plan(plan, store=store)
        for _ in range(stop_after):
            next(results)
    known = sum(part.days for part in read(tmp_path / "parts.sqlite")[1].values())
    assert 0 < known < 4 * plan.days
    reported: list[float] = []
    with SweepFile(tmp_path / "parts.sqlite", plan) as store:
        for _ in run_plan(plan, store=store, progress=reported.append):
            pass
    assert reported[0] > known / (4 * plan.days) - 1e-9  # what was done is not done again
    assert equal(read(tmp_path / "parts.sqlite")[1], whole)


# The command, halting at a chosen moment until a signal ends it. SIGINT is restored: who starts it, a shell's
# background job for one, may have it ignored.
HALTING = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)
from rtp.cli.main import main
from rtp.sweep import file, runs

def halting(function, last):
    calls = 0
    def counted(*arguments):
        nonlocal calls
        calls += 1
        if calls == last:
            print("halted", flush=True)
            time.sleep(60)
        return function(*arguments)
    return counted

moment, call, runs.CHUNK, file.CHUNK = sys.argv[1], *map(int, (sys.argv[2], sys.argv[3], sys.argv[3]))
if moment == "living a day":
    runs.live = halting(runs.live, call)
else:
    file._blob = halting(file._blob, call)
sys.exit(main(sys.argv[4:]))
"""
SECOND_UNIT = {
    "living a day": CHUNK + 2,
    "amid a transaction": 2 * 2 + 3,  # two arrays for each of two points: the second point of the second save
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "workers", "moment"),
    [
        (signal.SIGKILL, "1", "living a day"),
        (signal.SIGKILL, "2", "amid a transaction"),
        (signal.SIGINT, "1", "amid a transaction"),
    ],
)
def test_killed_at_any_moment_and_started_again_it_gives_the_same_numbers(
    tmp_path: Path, spec: Path, how: signal.Signals, workers: str, moment: str
) -> None:
    """Also with worker processes: had they outlived it, its output would still be open."""
    days = 2 * CHUNK
    out, whole = tmp_path / "killed.sqlite", tmp_path / "whole.sqlite"
    command = ["sweep", str(spec), "--days", str(days), "--out", str(out)]
    process = subprocess.Popen(
        [
            *(sys.executable, "-c", HALTING, moment, str(SECOND_UNIT[moment]), str(CHUNK)),
            *(*command, "--workers", workers),
        ],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "halted\n"
    process.send_signal(how)
    _, said = process.communicate(timeout=60)
    if how == signal.SIGINT:
        assert process.returncode == 130
        assert said.endswith(
            f"rtp: stopped. What is done is kept in {out}; the same command goes on from there.\n"
        )
    else:
        assert process.returncode == -signal.SIGKILL
    kept = [part.days for part in read(out)[1].values()]
    assert kept in ([CHUNK] * 2, [days] * 2)  # what was committed, for both budgets of one street
    if workers == "1":
        assert kept == [CHUNK] * 2
    assert main(command) == 0
    assert equal(read(out)[1], complete(whole, from_json(spec.read_bytes(), days)))


def test_a_slower_twin_does_not_overwrite_what_a_faster_one_has_found(tmp_path: Path) -> None:
    plan = make(SMALL, {"epsilon": [1.0]}, 2 * CHUNK)
    with SweepFile(tmp_path / "a.sqlite", plan) as slow:
        early = next(run_plan(plan)).part
        whole = complete(tmp_path / "a.sqlite", plan)
        slow.save({0: early})
    assert equal(read(tmp_path / "a.sqlite")[1], whole)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"days": 4}, "days is 5 there and 4 here"),
        ({"scenario": {"households": 16}}, "scenario.households is 15 there and 16 here"),
        ({"grid": {**SPEC["grid"], "epsilon": [0.1, 2.0]}}, "grid.epsilon[1] is 1.0 there and 2.0 here"),
        ({"grid": {"epsilon": [0.1, 1.0]}}, f"grid.{NOON} is only in the file"),
        ({"grid": {**SPEC["grid"], "beta": [1.0]}}, "grid.beta is only in yours"),
        (
            {"grid": dict(reversed(SPEC["grid"].items()))},
            f"the fields of grid are in another order: epsilon, {NOON}",
        ),
    ],
)
def test_another_spec_is_refused_with_the_difference_named(
    tmp_path: Path, change: dict[str, Any], sentence: str
) -> None:
    path = tmp_path / "a.sqlite"
    with SweepFile(path, from_json(json.dumps(SPEC))):
        before = path.read_bytes()
    with pytest.raises(ScenarioError) as refused:
        SweepFile(path, from_json(json.dumps({**SPEC, **change})))
    assert str(refused.value) == (
        f"{path} holds another sweep: {sentence}. Name another file, or the same sweep."
    )
    assert path.read_bytes() == before


def foreign(path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE recipes (name TEXT)")


@pytest.mark.parametrize(
    "make_file", [lambda p: p.write_text("dear diary"), foreign], ids=["text", "database"]
)
def test_a_file_that_is_no_sweep_is_left_as_it_is(
    tmp_path: Path, spec: Path, make_file: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine"
    make_file(path)
    before = path.read_bytes()
    for command in (
        ["sweep", str(spec), "--out", str(path)],
        ["export", str(path), "--csv", str(tmp_path / "x")],
    ):
        assert main(command) == 2
        assert capsys.readouterr().err == f"rtp: {path} is not a sweep's file; it was left as it is.\n"
    assert path.read_bytes() == before
    assert not (tmp_path / "x").exists()


def test_an_empty_file_is_where_a_sweep_was_killed_before_it_began(tmp_path: Path) -> None:
    (tmp_path / "a.sqlite").touch()
    assert complete(tmp_path / "a.sqlite", make(SMALL, {"epsilon": [1.0]}, 1))


def test_a_damaged_sweep_gets_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    plan = make(SMALL, {"epsilon": [1.0]}, 1)
    complete(path, plan)
    path.write_bytes(path.read_bytes()[:4096] + b"\xff" * 8192)
    for look, verb in ((lambda: read(path), "read"), (lambda: complete(path, plan), "written")):
        with pytest.raises(ScenarioError) as refused:
            look()
        assert str(refused.value) == f"{path} cannot be {verb}: database disk image is malformed."


def test_a_finished_sweep_can_be_given_more_days(tmp_path: Path, spec: Path) -> None:
    """To rounding what it would have had from the start: a chunk that was cut short is added in two parts."""
    out, days = tmp_path / "a.sqlite", 2 * CHUNK + 2
    assert main(["sweep", str(spec), "--out", str(out)]) == 0
    first = read(out)[1]
    assert main(["sweep", str(spec), "--days", str(days), "--out", str(out)]) == 0
    plan, parts = read(out)
    assert plan == from_json(spec.read_bytes(), days)
    at_once = {result.point: result.part for result in run_plan(plan)}
    for point, part in parts.items():
        assert (first[point].days, part.days) == (SPEC["days"], days)
        np.testing.assert_allclose(part.mean, at_once[point].mean, rtol=1e-12)
        np.testing.assert_allclose(part.spread, at_once[point].spread, rtol=1e-9, atol=1e-12)


def test_more_days_keep_what_there_is_while_they_are_missing(tmp_path: Path) -> None:
    grid = {"households": [5, 6]}
    path, more = tmp_path / "a.sqlite", make(SMALL, grid, 2 * CHUNK)
    complete(path, make(SMALL, grid, CHUNK))
    with SweepFile(path, more) as store:
        results = run_plan(more, store=store)
        for _ in range(3):
            next(results)  # both as they are, the first with more
    with sqlite3.connect(path) as database:
        told = database.execute("SELECT id, days, finished FROM point ORDER BY id").fetchall()
    assert told == [(0, 2 * CHUNK, 1), (1, CHUNK, 0)]
    assert frame(*read(path))["sampled_days"].unique().tolist() == [2 * CHUNK, CHUNK]


DAMAGE = {
    "no identity": ("UPDATE meta SET value = ''", "is damaged, and was left as it is: "),
    "another identity": ("UPDATE meta SET value = '[1]'", "is damaged, and was left as it is: "),
    "no plan": (
        "UPDATE meta SET value = json_remove(value, '$.plan.grid') WHERE key = 'sweep'",
        "is damaged, ",
    ),
    "no scenario": (
        "UPDATE meta SET value = json_set(value, '$.plan.scenario.epsilon', -1) WHERE key = 'sweep'",
        "is damaged, ",
    ),
    "a cut array": ("UPDATE point SET mean = substr(mean, 3)", "is damaged, "),
    "no array": ("UPDATE point SET spread = 'none'", "is damaged, "),
    "a point beyond": ("UPDATE point SET id = id + 1000", "is damaged, "),
    "no days": ("UPDATE point SET days = 'many'", "is damaged, "),
    "no table": ("DROP TABLE point", "cannot be read: no such table: point."),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_what_no_sweep_would_say_gets_one_sentence_and_the_file_stays(
    tmp_path: Path, damage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path, (statement, told) = tmp_path / "a.sqlite", DAMAGE[damage]
    complete(path, make(SMALL, {"epsilon": [1.0]}, 1))
    with sqlite3.connect(path) as database:
        database.execute(statement)
    database.close()
    before = path.read_bytes()
    assert main(["export", str(path), "--csv", str(tmp_path / "a.csv")]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"rtp: {path} {told}")
    assert len(said.splitlines()) == 1
    with pytest.raises(ScenarioError), SweepFile(path, make(SMALL, {"epsilon": [1.0]}, 1)) as store:
        store.load()
    assert path.read_bytes() == before
    assert not (tmp_path / "a.csv").exists()


@pytest.mark.parametrize("folder", [".", ""])
def test_export_into_a_folder_asks_for_a_file(
    folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    complete(Path("a.sqlite"), make(SMALL, {"epsilon": [1.0]}, 1))
    for kind in ("--csv", "--parquet"):
        assert main(["export", "a.sqlite", kind, folder]) == 2
        assert capsys.readouterr().err == "rtp: . is a folder; name a file in it.\n"


def test_export_gives_a_row_per_point_and_mechanism(tmp_path: Path, spec: Path) -> None:
    file, csv, parquet = tmp_path / "a.sqlite", tmp_path / "a.csv", tmp_path / "a.parquet"
    assert main(["sweep", str(spec), "--out", str(file)]) == 0
    assert main(["export", str(file), "--csv", str(csv), "--parquet", str(parquet)]) == 0
    table = pd.read_csv(csv)
    pd.testing.assert_frame_equal(table, pd.read_parquet(parquet), check_exact=True, check_dtype=False)
    plan, parts = read(file)
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
    assert main(["export", str(tmp_path / "a.sqlite"), "--csv", str(tmp_path / "a.csv")]) == 0
    assert capsys.readouterr().err == (
        "rtp: 2 of 2 points not finished; sampled_days says how many days each has.\n"
    )
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
    assert capsys.readouterr().err == f"rtp: {file} is the sweep itself; name another file to export to.\n"
    assert file.read_bytes() == before
    old.write_text("precious")

    def fail(*_: object) -> str:
        raise OSError(28, "No space left on device", str(old))

    monkeypatch.setattr("rtp.cli.sweep.to_csv", fail)
    assert main(["export", str(file), "--csv", str(old)]) == 2
    assert old.read_text() == "precious"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.sqlite", "old.csv"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["sweep", "{tmp}/spec.json", "--out", "{tmp}/none/a.sqlite"],
            "{tmp}/none/a.sqlite cannot be opened: unable to open database file.",
        ),
        (
            ["sweep", "{tmp}/none.json", "--out", "{tmp}/a"],
            "{tmp}/none.json: No such file or directory.",
        ),
        (
            ["sweep", "{tmp}/spec.json", "--out", "{tmp}/a", "--workers", "0"],
            "--workers is 0; it must be a whole number from 1 to 512.",
        ),
        (
            ["sweep", "{tmp}/spec.json", "--out", "{tmp}/a", "--days", "0"],
            "days is 0; it must be a whole number from 1 to 1,000,000.",
        ),
        (["export", "{tmp}/none"], "export needs --csv FILE, --parquet FILE or both."),
        (["export", "{tmp}/none", "--csv", "{tmp}/x"], "{tmp}/none does not exist."),
    ],
)
def test_bad_commands_get_one_sentence_and_write_nothing(
    tmp_path: Path, spec: Path, arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([argument.format(tmp=tmp_path) for argument in arguments]) == 2
    assert capsys.readouterr().err == f"rtp: {sentence.format(tmp=tmp_path)}\n"
    assert list(tmp_path.iterdir()) == [spec]


def test_the_progress_bar_is_plain_text(
    spec: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sweep", str(spec), "--out", str(tmp_path / "a.sqlite")]) == 0
    out, err = capsys.readouterr()
    assert out == f"4 points, 5 days each, in {tmp_path / 'a.sqlite'}\n"
    assert re.fullmatch(r"100% \[#+\] 00:00 left", err.splitlines()[-1])
    assert err.isascii()


def test_a_frame_of_nothing_is_empty() -> None:
    assert frame(make(SMALL, {"epsilon": [1.0]}, 1), {}).empty
