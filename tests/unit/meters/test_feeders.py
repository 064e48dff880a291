"""Many feeders on any executor: the same files, and no more work than is left."""

from concurrent.futures import Executor, ThreadPoolExecutor
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from rtp import Scenario
from rtp.cli.main import main
from rtp.meters.feeders import Feeder, learn_feeders
from rtp.simulation import live
from rtp.sweep.store import read
from tests.unit.meters.files import csv, table
from tests.unit.meters.streets import known_street

GRID = {"epsilon": [0.1, 1.0]}, 2
DAYS = 7  # a week, the least that is learned from


def feeders(folder: Path) -> list[Feeder]:
    """Two small ones, to be learned and swept."""
    result = []
    for seed in (1, 2):
        path = folder / f"feeder{seed}.csv"
        power = known_street(3, DAYS, 60, seed, empty_share=(0.05, 0.1)).readings.power
        path.write_bytes(csv(table(60, houses=3, days=DAYS).assign(kWh=power.ravel())))
        result.append(
            Feeder(path=path, base=Scenario(), groups=1, occupied_max=1.0, empty_max=0.1, sweep=GRID)
        )
    return result


def made(some: list[Feeder], folder: Path, executor: Executor | None = None) -> dict[str, object]:
    """Every file's content after the work."""
    folder.mkdir(exist_ok=True)
    for _ in learn_feeders(some, folder, executor):
        pass
    return {
        path.name: path.read_bytes()
        if path.suffix == ".json"
        else [part.mean.tolist() for part in read(path)[1].values()]
        for path in sorted(folder.iterdir())
    }


def assert_the_same_there(executor: Executor, folder: Path) -> None:
    """Feeders read, learned and swept on an executor, and a street that lives there, give the bytes of
    one process. Where a pool or a cluster is up, `tests/unit/sweep` asks it."""
    street = Scenario(households=5000, step_minutes=60)
    assert made(feeders(folder), folder / "there", executor) == made_here()
    assert np.array_equal(live(street, executor=executor).demand, live(street).demand)


@cache
def made_here() -> dict[str, object]:
    """By this process: the same for every executor that is asked."""
    with TemporaryDirectory() as folder:
        return made(feeders(Path(folder)), Path(folder) / "here")


def test_only_what_is_missing_is_done(tmp_path: Path) -> None:
    """A folder from which one sweep was taken away; what is whole is not looked at again."""
    some = feeders(tmp_path)
    before = made(some, tmp_path / "out")
    assert list(before) == [f"feeder{i}.csv.{end}" for i in (1, 2) for end in ("json", "sqlite")]
    (tmp_path / "out" / "feeder2.csv.sqlite").unlink()
    (tmp_path / "out" / "feeder2.csv.part").write_bytes(b"half a sweep")
    some[0].path.unlink()
    assert [path.name for path, _ in learn_feeders(some, tmp_path / "out")] == ["feeder2.csv"]
    assert made(some, tmp_path / "out") == before


@pytest.mark.slow
def test_the_command_line_sweeps_and_runs_on_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("rtp.cli.options.processes", ThreadPoolExecutor)
    feeder, spec, out = feeders(tmp_path)[0], tmp_path / "spec.json", tmp_path / "out"
    spec.write_text('{"grid": {"epsilon": [0.1, 1.0]}, "days": 2}', encoding="utf-8")
    command = ["learn", str(feeder.path), "-o", str(out), "--bound", "1", "--empty-bound", "0.1"]
    assert main([*command, "--sweep", str(spec), "--workers", "2"]) == 0
    plan, parts = read(out / "feeder1.csv.sqlite")
    assert (len(plan), plan.days, len(parts)) == (2, 2, 2)
    assert plan.scenario == Scenario.from_json((out / "feeder1.csv.json").read_bytes())
    spec.write_text('{"preset": "paper", "grid": {"epsilon": [0.1]}}', encoding="utf-8")
    assert main([*command, "--sweep", str(spec)]) == 2
    assert "preset is not part of a sweep's spec; known are grid and days." in capsys.readouterr().err
    told = []
    for workers in ("1", "2"):
        assert main(["run", "--set", "households=5000", "--workers", workers]) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]
