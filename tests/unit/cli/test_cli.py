"""The command line: does what it says, and refuses with exit code 2 and one sentence."""

import csv
import json
import subprocess
import sys
from pathlib import Path
from textwrap import fill

import pytest

import rtp
from rtp import PRESETS, Scenario, ScenarioError, simulate
from rtp.cli.main import main
from rtp.core.formatting import percent, plain
from rtp.metrics import ERROR_MEANS, RMSRE_DIGITS
from rtp.money.bills import bills
from rtp.scenario import LIBRARY, edit
from rtp.scenario.describe import origin_words
from rtp.scenario.fields import get
from tests.help.root import ROOT
from tests.proofs.test_extremes import ZERO


def test_run_without_anything_is_the_papers_day(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run"]) == 0
    out, err = capsys.readouterr()
    day = simulate(PRESETS["paper"])
    assert out.startswith("1,000 households, one day, ε = 0.5, seed 0\n")
    assert err == ""
    for name, release in day.release.items():
        (line,) = [line for line in out.splitlines() if line.startswith(name + " ")]
        told = [percent(release.error), percent(release.expected_error), plain(release.rmsre, RMSRE_DIGITS)]
        assert line.split()[1:6] == " ".join(told).split()
    assert out.endswith(f"\n{fill(ERROR_MEANS, 100)}\n")


def test_a_scenario_goes_through_a_file_and_comes_back_as_csv_and_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["scenario", "tiny street"]) == 0
    source = tmp_path / "street.json"
    source.write_text(capsys.readouterr().out, encoding="utf-8")
    assert Scenario.from_json(source.read_text(encoding="utf-8")) == PRESETS["tiny street"]
    table, numbers = tmp_path / "out.csv", tmp_path / "out.json"
    changes = ["--set", "epsilon=0.25", "--set", "habit_clip=closed", "--set", "days=2"]
    assert main(["run", str(source), *changes, "--csv", str(table), "--json", str(numbers)]) == 0
    told = capsys.readouterr().out.splitlines()[0]
    assert told == "5 households, 2 days, ε = 0.25, seed 0"
    expected = PRESETS["tiny street"].replace(epsilon=0.25, habit_clip="closed", days=2)
    day = simulate(expected)
    with table.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert [float(row["naive_rate"]) for row in rows] == day.release["naive"].rate.tolist()
    written = numbers.read_text(encoding="utf-8")
    numbers_told = json.loads(written)
    assert written == json.dumps(numbers_told, indent=2)
    assert list(numbers_told) == [
        "lab",
        "scenario",
        "error_percent",
        "expected_error_percent",
        "rmsre",
        "expected_rmsre",
    ]
    assert numbers_told["lab"] == origin_words(expected)
    assert Scenario.from_json(json.dumps(numbers_told["scenario"])) == expected
    assert numbers_told["rmsre"] == {name: release.rmsre for name, release in day.release.items()}
    off = {name: 100 * release.error for name, release in day.release.items()}
    assert numbers_told["error_percent"] == off
    assert numbers_told["expected_error_percent"]["naive"] == 100 * day.release["naive"].expected_error
    assert numbers_told["expected_rmsre"]["filtered"] == day.release["filtered"].expected_rmsre


def test_run_writes_each_houses_bills_and_a_report(tmp_path: Path) -> None:
    table, page = tmp_path / "bills.csv", tmp_path / "day.html"
    assert main(["run", "--preset", "tiny street", "--bills", str(table), "--report", str(page)]) == 0
    day = simulate(PRESETS["tiny street"])
    with table.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert [row["house"] for row in rows] == [str(i) for i in range(day.scenario.households)]
    for name, own in bills(day).items():
        assert [float(row[f"{name}_bill"]) for row in rows] == pytest.approx(
            own.published.tolist(), rel=1e-12
        )
    assert "What privacy cost over " in page.read_text(encoding="utf-8")


def test_set_takes_the_addresses_of_a_sweep(tmp_path: Path) -> None:
    numbers = tmp_path / "out.json"
    changes = {
        "households": 9,
        "groups[Office].share": 0.1,
        "groups[1].share": 0.3,
        "models[0].habits[0].periods[Work].arrive": 0.5,
    }
    options = [option for name, value in changes.items() for option in ("--set", f"{name}={value}")]
    assert main(["run", "--preset", "mixed street", *options, "--json", str(numbers)]) == 0
    told = Scenario.from_json(json.dumps(json.loads(numbers.read_text(encoding="utf-8"))["scenario"]))
    assert [get(told, address) for address in changes] == list(changes.values())
    assert told.groups[2].share == pytest.approx(0.6)


def test_set_restates_everybodys_habits_for_another_step(tmp_path: Path) -> None:
    numbers = tmp_path / "out.json"
    changes = ["--set", "step_minutes=30", "--set", "epsilon=0.1"]
    assert main(["run", "--preset", "tiny street", *changes, "--json", str(numbers)]) == 0
    told = Scenario.from_json(json.dumps(json.loads(numbers.read_text(encoding="utf-8"))["scenario"]))
    assert told == edit.set_step_minutes(PRESETS["tiny street"], 30).replace(epsilon=0.1)


def test_set_understands_a_number_that_begins_with_a_point(tmp_path: Path) -> None:
    numbers = tmp_path / "out.json"
    assert main(["run", "--preset", "tiny street", "--set", "epsilon=.1", "--json", str(numbers)]) == 0
    assert json.loads(numbers.read_text(encoding="utf-8"))["scenario"]["epsilon"] == 0.1


def test_an_infinite_error_is_null_in_json(tmp_path: Path) -> None:
    source, numbers = tmp_path / "zero.json", tmp_path / "out.json"
    source.write_text(ZERO.to_json(), encoding="utf-8")
    assert main(["run", str(source), "--json", str(numbers)]) == 0

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    told = json.loads(numbers.read_text(encoding="utf-8"), parse_constant=refuse)
    assert told["rmsre"]["naive"] is told["error_percent"]["naive"] is None
    assert told["rmsre"]["blowfish"] == 0.0


def test_presets_lists_all_with_what_to_look_at(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["presets"]) == 0
    told = "".join(f"{name}\n    {LIBRARY[name].look_at}\n" for name in PRESETS)
    assert capsys.readouterr().out == told


EPSILON = "it must be a number from 0.0001 to 10,000."
FIELDS = f"is not a field of Scenario; known are {', '.join(Scenario.model_fields)}."
MOON = f"preset is 'moon'; it must be one of {', '.join(PRESETS)}."


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["run", "--preset", "moon"], MOON),
        (["scenario", "moon"], MOON),
        (["run", "missing.json"], "missing.json: No such file or directory."),
        (["run", "--workers", "0"], "--workers is 0; it must be a whole number from 1 to 512."),
        (["run", "."], ".: Is a directory."),
        (
            ["run", "street.json", "--preset", "paper"],
            "preset is 'paper' beside a scenario file; give one of the two.",
        ),
        (["run", "--set", "epsilon"], "--set is 'epsilon'; it must be FIELD=VALUE."),
        (["run", "--set", "epsilon=0"], f"epsilon is 0; {EPSILON}"),
        (["run", "--set", "epsilon=NaN"], f"epsilon is nan; {EPSILON}"),
        (["run", "--set", "epsilon=half"], f"epsilon is 'half'; {EPSILON}"),
        (["run", "--set", "self=1"], f"self {FIELDS}"),
        (["run", "--set", "=1"], f"'' {FIELDS}"),
        (["run", "--set", "epsilon=1", "--set", "epsilon=2"], "--set gives epsilon twice; give it once."),
        (
            ["run", "--set", "groups[0].share=1", "--set", "groups[Households].share=1"],
            "groups[Households].share names the same field as groups[0].share; give it once.",
        ),
        (
            ["run", "--set", "groups[Villas].empty_max=1"],
            "groups[Villas].empty_max names groups[Villas]; there are Households.",
        ),
        (["run", "\x1b[31m"], "\\x1b[31m: No such file or directory."),
        (
            ["run", "--set", "groups=" + "[" * 50_000],
            "groups is '[[[[[[[[[[[[...[[[[[[[[[[[[['; input should be a valid tuple.",
        ),
        (
            ["run", "--set", "households=0"],
            "households is 0; it must be a whole number from 1 to 10,000,000.",
        ),
        (
            ["run", "--set", "days=1", "--csv", "no/such/folder/out.csv"],
            "no/such/folder/out.csv: No such file or directory.",
        ),
    ],
)
def test_bad_input_is_refused_with_2_and_one_sentence(
    arguments: list[str],
    sentence: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    assert capsys.readouterr().err == f"rtp: {sentence}\n"


@pytest.mark.parametrize("content", [b"{", b"\xff", b'{"epsilon": -1}'])
def test_a_broken_file_is_refused_as_the_scenario_refuses_it(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "broken.json"
    source.write_bytes(content)
    with pytest.raises(ScenarioError) as refused:
        Scenario.from_json(content)
    assert main(["run", str(source)]) == 2
    assert capsys.readouterr().err == f"rtp: {refused.value}\n"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ([], "the following arguments are required: COMMAND"),
        (["fly"], "argument COMMAND: invalid choice: 'fly' (choose from "),  # each Python quotes them its way
        (["run", "--frobnicate"], "unrecognized arguments: --frobnicate"),
        (["run", "a.json", "b.json"], "unrecognized arguments: b.json"),
    ],
)
def test_unknown_words_are_refused_with_2(
    arguments: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    usage, refusal = capsys.readouterr().err.splitlines()
    assert usage == "usage: rtp [-h] [--version] COMMAND ..."
    assert refusal.startswith(f"rtp: error: {problem}")


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--version"])
    assert caught.value.code == 0
    assert capsys.readouterr().out == f"RTP Privacy Lab {rtp.__version__}\n"


def test_help_says_where_to_start(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--help"])
    assert caught.value.code == 0
    out = capsys.readouterr().out
    assert out.startswith("usage: rtp [-h] [--version] COMMAND ...\n")
    assert out.endswith("\n\nStart with: rtp run\n")
    words = "What privacy costs when electricity prices are published in real time."
    assert out.splitlines()[2] == words
    for command in ("run", "presets", "scenario", "audit", "sweep", "export"):
        assert f"\n    {command} " in out


@pytest.mark.slow
def test_it_runs_as_a_module() -> None:
    told = subprocess.run(
        [sys.executable, "-m", "rtp", "run", "--set", "epsilon=-1"], cwd=ROOT, capture_output=True, text=True
    )
    assert told.returncode == 2
    assert told.stdout == ""
    assert told.stderr == "rtp: epsilon is -1; it must be a number from 0.0001 to 10,000.\n"
