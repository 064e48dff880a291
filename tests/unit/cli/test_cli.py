"""The command line: does what it says, and refuses with exit code 2 and one sentence."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

import rtp
from rtp import PRESETS, Scenario, simulate
from rtp.cli.main import main
from rtp.core.formatting import percent
from rtp.mechanisms import REGISTRY
from rtp.money.bills import bills
from tests.help.plants import NOISES
from tests.proofs.test_extremes import ZERO


def test_run_without_anything_is_the_papers_day(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    for name, release in simulate(PRESETS["paper"]).release.items():
        (line,) = [line for line in out.splitlines() if line.startswith(name + " ")]
        assert f"{percent(release.error)} " in line
        assert f"{percent(release.expected_error)} " in line


def test_a_scenario_goes_through_a_file_and_comes_back_as_csv_and_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["scenario", "tiny street"]) == 0
    source = tmp_path / "street.json"
    source.write_text(capsys.readouterr().out, encoding="utf-8")
    assert Scenario.from_json(source.read_text(encoding="utf-8")) == PRESETS["tiny street"]
    table, numbers = tmp_path / "out.csv", tmp_path / "out.json"
    changes = ["--set", "epsilon=.25", "--set", "habit_clip=closed", "--set", "groups[0].empty_max=0.25"]
    assert main(["run", str(source), *changes, "--csv", str(table), "--json", str(numbers)]) == 0
    tiny = PRESETS["tiny street"]
    group = tiny.groups[0].replace(empty_max=0.25)
    expected = tiny.replace(epsilon=0.25, habit_clip="closed", groups=(group,))
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
        assert paid == pytest.approx(own.published.tolist(), rel=1e-12)
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_an_infinite_error_is_null_in_json(tmp_path: Path) -> None:
    source, numbers = tmp_path / "zero.json", tmp_path / "out.json"
    source.write_text(ZERO.to_json(), encoding="utf-8")
    assert main(["run", str(source), "--json", str(numbers)]) == 0
    told = json.loads(numbers.read_text(encoding="utf-8"), parse_constant=lambda _: 1 / 0)
    assert told["rmsre"]["naive"] is told["error_percent"]["naive"] is None
    assert told["rmsre"]["blowfish"] == 0.0


def test_an_audit_fails_where_noise_is_too_narrow(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where no experiment proves it."""
    noise = NOISES["min for max"](REGISTRY["blowfish"].scale)
    monkeypatch.setitem(REGISTRY, "blowfish", replace(REGISTRY["blowfish"], scale=noise))
    monkeypatch.setattr("rtp.cli.audit.trial", lambda *_, **__: dict.fromkeys(REGISTRY))
    assert main(["audit", "--set", "households=6", "--mechanism", "blowfish"]) == 1
    assert "too narrow" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("run --preset moon", "preset is 'moon'"),
        ("run missing.json", "missing.json: No such file or directory."),
        ("run --workers 0", "--workers is 0"),
        ("run --set epsilon", "--set is 'epsilon'"),
        ("run --set epsilon=NaN", "epsilon is nan"),
        ("run --set epsilon=1 --set epsilon=2", "--set gives epsilon twice"),
        ("run --set groups[0].share=1 --set groups[Households].share=1", "groups[Households].share names"),
        ("run --set groups[Villas].empty_max=1", "groups[Villas].empty_max names"),
        ("run \x1b[31m", "\\x1b[31m: No such file"),
        (f"run --set groups={'[' * 50_000}", "groups is '[[[["),
        ("run --csv no/such/folder/out.csv", "no/such/folder/out.csv: No such file"),
    ],
)
def test_bad_input_is_refused_with_2_and_one_sentence(
    arguments: str,
    words: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments.split()) == 2
    (sentence,) = capsys.readouterr().err.splitlines()
    assert sentence.startswith(f"rtp: {words}")
    assert sentence.endswith(".")


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ("", 2, "COMMAND"),
        ("fly", 2, "'fly'"),
        ("run --frobnicate", 2, "--frobnicate"),
        ("--version", 0, rtp.__version__),
        ("--help", 0, "rtp run"),
    ],
)
def test_unknown_words_are_refused_and_help_is_given(
    arguments: str, code: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments.split())
    assert caught.value.code == code
    assert words in "".join(capsys.readouterr())
