"""The commands `learn` and `run --replay`: from readings to a scenario, and back through every mechanism."""

from csv import DictReader
from pathlib import Path

import pytest

from rtp import Scenario
from rtp.cli.main import main
from rtp.core.formatting import percent
from rtp.mechanisms import REGISTRY
from rtp.meters import read, replay
from rtp.meters.answering import watch, watched_frame
from rtp.meters.words import LEAKS
from rtp.scenario import edit
from tests.unit.meters.files import csv, table
from tests.unit.meters.streets import known_street

pytestmark = pytest.mark.slow

HOUSES, DAYS = 3, 14


@pytest.fixture(scope="module")
def feeder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    street = known_street(HOUSES, DAYS, 60, 4, empty_share=(0.05, 0.1))
    path = tmp_path_factory.mktemp("meters") / "feeder.csv"
    path.write_bytes(csv(table(60, houses=HOUSES, days=DAYS).assign(kWh=street.readings.power.ravel())))
    return path


@pytest.fixture(scope="module")
def scenario(feeder: Path) -> Path:
    path = feeder.with_name("scenario.json")
    assert main(["learn", str(feeder), "-o", str(path), "--bound", "1", "--empty-bound", "0.1"]) == 0
    return path


def test_learn_writes_a_scenario_that_runs(scenario: Path, capsys: pytest.CaptureFixture[str]) -> None:
    street = Scenario.from_json(scenario.read_bytes())
    assert (street.households, street.step_minutes, street.power_unit) == (HOUSES, 60, "kW")
    assert (street.groups[0].occupied_max, street.groups[0].empty_max) == (1.0, 0.1)
    assert [model.name for model in street.models] == ["Learned", *(f"Other weeks {i}" for i in (1, 2, 3))]
    assert main(["run", str(scenario)]) == 0
    assert capsys.readouterr().out.startswith(f"{HOUSES} households, one day")


def test_laws_are_written_where_they_are_asked_for(
    scenario: Path, feeder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same scenario but for them; a replay then relies on them, and says so."""
    plain, path = Scenario.from_json(scenario.read_bytes()), feeder.with_name("laws.json")
    options = ["--bound", "1", "--empty-bound", "0.1", "--laws"]
    assert main(["learn", str(feeder), "-o", str(path), *options]) == 0
    found = Scenario.from_json(path.read_bytes())
    assert found.has_laws
    assert edit.without_laws(found) == plain
    capsys.readouterr()
    assert main(["run", str(path), "--replay", str(feeder)]) == 0
    assert "use noise made for the learned consumption distributions" in capsys.readouterr().out


def test_a_replay_prints_what_it_finds(
    scenario: Path, feeder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.csv"
    assert main(["run", str(scenario), "--replay", str(feeder), "--csv", str(out)]) == 0
    told = capsys.readouterr().out
    found = replay(read(feeder), Scenario.from_json(scenario.read_bytes()))
    for name, mechanism in REGISTRY.items():
        line = next(line for line in told.splitlines() if line.startswith(f"{mechanism.label} "))
        assert percent(found.error(name)) in line
    watched = watch(found)
    assert watched_frame(watched).to_string() in told
    assert f"{watched.name}, watched by an insider" in told
    assert main(["run", str(scenario), "--replay", str(feeder), "--house", "nobody"]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == "rtp: house is 'nobody'; it must be one of h0, h1, h2."
    assert len(out.read_text(encoding="utf-8").splitlines()) == 1 + DAYS * 24


def test_learning_ends_in_an_answer_bills_and_a_report(
    feeder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, bills, page = (tmp_path / name for name in ("street.json", "bills.csv", "street.html"))
    taken = ["-o", str(out), "--bills", str(bills), "--report", str(page)]
    assert main(["learn", str(feeder), *taken, "--bound", "1", "--empty-bound", "0.1"]) == 0
    told = capsys.readouterr().out.partition("The answer\n")[2]
    assert f"of {HOUSES} houses" in told
    assert "On real demand, over 14 days" in told
    assert "The house that shows most is h" in told
    with bills.open(encoding="utf-8") as file:
        rows = list(DictReader(file))
    assert [row["house"] for row in rows] == [f"h{i}" for i in range(HOUSES)]
    energy = known_street(HOUSES, DAYS, 60, 4, empty_share=(0.05, 0.1)).readings.power.sum(axis=1)
    assert [float(row["energy_kWh"]) for row in rows] == pytest.approx(list(energy), rel=1e-3)
    assert page.read_text(encoding="utf-8").count("<h2>") == 8


def test_a_replay_writes_the_same_bills_and_a_report(scenario: Path, feeder: Path, tmp_path: Path) -> None:
    bills, page = tmp_path / "bills.csv", tmp_path / "street.html"
    command = ["run", str(scenario), "--replay", str(feeder), "--bills", str(bills), "--report", str(page)]
    assert main(command) == 0
    found = replay(read(feeder), Scenario.from_json(scenario.read_bytes()))
    with bills.open(encoding="utf-8") as file:
        rows = list(DictReader(file))
    for name in REGISTRY:
        assert [float(row[f"{name}_bill"]) for row in rows] == pytest.approx(list(found.paid[name]))
    assert "What each house would have paid" in page.read_text(encoding="utf-8")


def test_bills_and_a_report_are_of_one_feeder(
    feeder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [str(feeder), str(tmp_path / "other.csv")]
    assert main(["learn", *files, "-o", str(tmp_path / "out"), "--bills", str(tmp_path / "b.csv")]) == 2
    assert capsys.readouterr().err == "rtp: --bills is written for one file of readings; give one.\n"
    assert main(["learn", *files, "-o", str(tmp_path / "out"), "--report", str(tmp_path / "b.html")]) == 2
    assert capsys.readouterr().err == "rtp: --report is written for one file of readings; give one.\n"
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--groups", "0"], "--groups is 0; it must be a whole number from 1 to 8."),
        (["--groups", "9"], "--groups is 9; it must be a whole number from 1 to 8."),
        (["--bound", "-1"], "--bound is -1.0; it must be a number from 1e-06 to 1,000,000."),
        (["--empty-bound", "-1"], "--empty-bound is -1.0; it must be a number from 0 to 1,000,000."),
        (["--workers", "0"], "--workers is 0; it must be a whole number from 1 to 512."),
        (["--unit", "BTU"], "unit is 'BTU'; it must be one of kWh, Wh, MWh, kW, W, MW."),
        (["--zone", "Mars"], "zone is 'Mars'; it must be a time zone such as Europe/Berlin."),
        (["--from", "soon"], "The date 'soon' cannot be read; write it as 2024-12-31."),
        (
            ["--to", "2024-05-05"],
            "The readings are from 2024-05-06 to 2024-05-19; choose a first and a last day among these.",
        ),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    arguments: list[str], sentence: str, feeder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = feeder.with_name("never.json")
    assert main(["learn", str(feeder), "-o", str(out), *arguments]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == f"rtp: {sentence}"
    assert not out.exists()


def test_a_missing_file_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["learn", str(tmp_path / "none.csv"), "-o", str(tmp_path / "out.json")]) == 2
    told = capsys.readouterr().err.splitlines()[-1]
    assert told == f"rtp: {tmp_path / 'none.csv'}: No such file or directory."


def test_many_feeders_go_into_a_folder_and_what_is_there_is_not_done_again(
    feeder: Path, scenario: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One is good, one is not, one is there already; with bounds and seed alike the numbers are the same."""
    bad, done = tmp_path / "bad.csv", tmp_path / "done.csv"
    bad.write_bytes(b"house,kWh\na,1\n")
    done.write_bytes(b"anything")
    out = tmp_path / "out"
    out.mkdir()
    (out / "done.csv.json").write_text("there", encoding="utf-8")
    files = [str(path) for path in (feeder, bad, done)]
    assert main(["learn", *files, "-o", str(out), "--bound", "1", "--empty-bound", "0.1"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{feeder}: {HOUSES} houses, {DAYS} days",
        f"{bad}: not learned: The table has no column of times among 'house', 'kWh'.",
        f"{out}: {LEAKS}",
    ]
    assert sorted(path.name for path in out.iterdir()) == ["done.csv.json", "feeder.csv.json"]
    assert (out / "feeder.csv.json").read_bytes() == scenario.read_bytes()
    assert (out / "done.csv.json").read_text(encoding="utf-8") == "there"


def test_two_feeders_of_one_name_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(tmp_path / place / "feeder.csv") for place in ("here", "there")]
    assert main(["learn", *files, "-o", str(tmp_path / "out")]) == 2
    sentence = "The files have a name twice; their scenarios would overwrite each other."
    assert capsys.readouterr().err.splitlines()[-1] == f"rtp: {sentence}"
