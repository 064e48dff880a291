"""The commands `learn` and `run --replay`: from readings to a scenario, and back through every mechanism."""

import json
import re
from argparse import Namespace
from concurrent.futures import Executor
from csv import DictReader
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
import pytest

from rtp import Scenario
from rtp.cli.learn import learn_feeders
from rtp.cli.main import main, parser
from rtp.core.formatting import percent
from rtp.mechanisms import REGISTRY
from rtp.meters import read, replay, watch
from rtp.meters.check import RULE, THREE
from rtp.meters.learned import NO_TWO_STATES
from rtp.meters.learning import GROUPS
from rtp.output.check import ALL_HOUSES
from rtp.output.replayed import observed_frame
from rtp.scenario import edit
from rtp.simulation import draw_day
from tests.help.simulated_home import simulated_homes
from tests.unit.meters.files import csv, table
from tests.unit.meters.streets import known_street

pytestmark = pytest.mark.slow

HOUSES, DAYS = 3, 14
BOUNDS = ["--bound", "1", "--empty-bound", "0.1"]
NAMES = [f"h{i}" for i in range(HOUSES)]


def written(path: Path, names: list[str], days: int = DAYS, seed: int = 4) -> Path:
    """A file of readings of houses with these names."""
    power = known_street(HOUSES, days, 60, seed, empty_share=(0.05, 0.1)).readings.power
    frame = table(60, houses=HOUSES, days=days).assign(kWh=power.ravel())
    path.write_bytes(csv(frame.replace({f"h{i}": name for i, name in enumerate(names)})))
    return path


@pytest.fixture(scope="module")
def feeder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("meters") / "feeder.csv", NAMES)


@pytest.fixture(scope="module")
def scenario(feeder: Path) -> Path:
    path = feeder.with_name("scenario.json")
    assert main(["learn", str(feeder), "-o", str(path), *BOUNDS]) == 0
    return path


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        return list(DictReader(file))


def test_learn_writes_a_scenario_that_runs(scenario: Path, capsys: pytest.CaptureFixture[str]) -> None:
    street = Scenario.from_json(scenario.read_bytes())
    assert (street.households, street.step_minutes, street.power_unit) == (HOUSES, 60, "kW")
    assert (street.groups[0].occupied_max, street.groups[0].empty_max) == (1.0, 0.1)
    assert main(["run", str(scenario)]) == 0
    assert capsys.readouterr().out.startswith(f"{HOUSES} households")


def test_laws_are_written_where_they_are_asked_for(scenario: Path, feeder: Path, tmp_path: Path) -> None:
    assert main(["learn", str(feeder), "-o", str(tmp_path / "laws.json"), *BOUNDS, "--laws"]) == 0
    found = Scenario.from_json((tmp_path / "laws.json").read_bytes())
    assert found.has_laws
    assert edit.without_laws(found) == Scenario.from_json(scenario.read_bytes())


@pytest.mark.long
def test_a_replay_prints_and_writes_what_it_finds(
    scenario: Path, feeder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ("out.csv", "bills.csv", "street.html", "out.json")
    steps, bills, page, numbers = (tmp_path / name for name in names)
    taken = ["--csv", str(steps), "--bills", str(bills), "--report", str(page), "--json", str(numbers)]
    assert main(["run", str(scenario), "--replay", str(feeder), *taken]) == 0
    told = capsys.readouterr().out
    assert not {"None", "**"} & {*told.split()}, "sentences, without marks for a screen"
    found = replay(read(feeder), Scenario.from_json(scenario.read_bytes()))
    for name, mechanism in REGISTRY.items():
        line = next(line for line in told.splitlines() if line.startswith(f"{mechanism.label} "))
        assert percent(found.error(name)) in line
        assert [float(row[f"{name}_bill"]) for row in rows(bills)] == pytest.approx(list(found.paid[name]))
    assert observed_frame(watch(found)).to_string() in told
    written = json.loads(numbers.read_text(encoding="utf-8"))
    assert written["error_percent"] == {name: 100 * found.error(name) for name in REGISTRY}
    assert written["bills"] == pytest.approx({name: found.paid[name].sum() for name in REGISTRY})
    assert Scenario.from_json(json.dumps(written["scenario"])).epsilon == found.scenario.epsilon
    assert len(rows(steps)) == DAYS * 24
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert main(["run", str(scenario), "--replay", str(feeder), "--house", "nobody"]) == 2
    assert "h0, h1, h2" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--groups", "0"], f"--groups is 0; .* {GROUPS.low:g} to {GROUPS.high:g}"),
        (["--bound", "-1"], "--bound is -1"),
        (["--unit", "BTU"], "unit is 'BTU'"),
        (["--from", "soon"], "'soon'"),
        (["--to", "2024-05-05"], "2024-05-06 to 2024-05-19"),
        (["--bills", "no/such/folder/b.csv"], "no/such/folder/b.csv: No such file"),
        (["--report", "."], "is a folder"),
    ],
)
def test_what_cannot_be_done_is_refused_before_learning(
    arguments: list[str],
    words: str,
    feeder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("rtp.cli.learn.learn", None)
    out = feeder.with_name("never.json")
    assert main(["learn", str(feeder), "-o", str(out), *arguments]) == 2
    told = capsys.readouterr().err.splitlines()[-1]
    assert re.search(words, told), told
    assert not out.exists()


def test_several_feeders_have_a_folder_and_no_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here, there = (str(tmp_path / place / "feeder.csv") for place in ("here", "there"))
    out = ["-o", str(tmp_path / "out")]
    for option in ("--bills", "--report"):
        assert main(["learn", here, there, *out, option, str(tmp_path / "b")]) == 2
        assert f"rtp: {option} " in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    assert main(["learn", here, there, *out]) == 2
    assert "twice" in capsys.readouterr().err


# Many feeders on any executor: the same files, and no more work than is left


def feeders(folder: Path) -> list[Path]:
    """Two small ones of a week, the least that is learned from."""
    return [written(folder / f"feeder{seed}.csv", NAMES, days=7, seed=seed) for seed in (1, 2)]


def asked(some: list[Path], folder: Path) -> Namespace:
    """The command that learns them."""
    return parser().parse_args(["learn", *map(str, some), "-o", str(folder), "--groups", "1", *BOUNDS])


def made(some: list[Path], folder: Path, executor: Executor | None = None) -> dict[str, bytes]:
    """Every file's content after the work."""
    folder.mkdir(exist_ok=True)
    for _ in learn_feeders(asked(some, folder), Scenario(), executor):
        pass
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def assert_the_same_there(executor: Executor, folder: Path) -> None:
    """Feeders read and learned on an executor, and a street that lives there, give the bytes of
    one process. Where a pool or a cluster is up, `tests/unit/sweep` asks it."""
    street = Scenario(households=5000, step_minutes=60)
    assert made(feeders(folder), folder / "there", executor) == made_here()
    assert np.array_equal(draw_day(street, executor=executor).demand, draw_day(street).demand)


@cache
def made_here() -> dict[str, bytes]:
    """By this process: the same for every executor that is asked."""
    with TemporaryDirectory() as folder:
        return made(feeders(Path(folder)), Path(folder) / "here")


def test_only_what_is_missing_is_done(tmp_path: Path) -> None:
    """A folder from which one scenario was taken away; what is whole is not looked at again."""
    some = feeders(tmp_path)
    before = made(some, tmp_path / "out")
    assert list(before) == ["feeder1.csv.json", "feeder2.csv.json"]
    (tmp_path / "out" / "feeder2.csv.json").unlink()
    (tmp_path / "out" / "feeder2.csv.json.part").write_bytes(b"half a scenario")
    some[0].unlink()
    left = learn_feeders(asked(some, tmp_path / "out"), Scenario())
    assert [path.name for path, _ in left] == ["feeder2.csv"]
    assert made(some, tmp_path / "out") == before


def test_a_check_needs_labels_and_nothing_learned_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The labels judge and are not learned from; of a house that shows nothing no scenario is written."""
    home = simulated_homes(1, DAYS, 60, seed=3)
    assert home.occupied is not None
    labelled = table(60, houses=1, days=DAYS).assign(kWh=home.power.ravel(), occupied=home.occupied.ravel())
    path, out = tmp_path / "labelled.csv", tmp_path / "none.json"
    path.write_bytes(csv(labelled))
    second = labelled.assign(house="b", kWh=np.roll(labelled["kWh"], 24))
    path.write_bytes(csv(pd.concat([labelled, second.iloc[: 24 * DAYS]])))
    taken = {kind: tmp_path / f"scores.{kind}" for kind in ("csv", "json")}
    for target in taken.values():
        assert main(["learn", str(path), "--check", "--scores", str(target)]) == 0
    told = capsys.readouterr().out
    assert all(name in told for name in (THREE, RULE))
    scores = pd.read_csv(taken["csv"])
    assert scores["house"].unique().tolist() == ["h0", "b", ALL_HOUSES]
    assert np.allclose(scores["right"], [row["right"] for row in json.loads(taken["json"].read_text())])
    three = scores[scores["answer"] == THREE].set_index("house")
    whole = np.average(three["right"][["h0", "b"]], weights=three["labelled"][["h0", "b"]])
    assert three["right"][ALL_HOUSES] == pytest.approx(whole)
    path.write_bytes(csv(labelled.drop(columns="occupied")))
    assert main(["learn", str(path), "--check"]) == 2
    flat = np.random.default_rng(0).uniform(0.1, 0.12, len(labelled))
    path.write_bytes(csv(labelled.drop(columns="occupied").assign(kWh=flat)))
    capsys.readouterr()
    assert main(["learn", str(path), "-o", str(out)]) == 1
    assert capsys.readouterr().out.count(NO_TWO_STATES) == 1
    assert not out.exists()
