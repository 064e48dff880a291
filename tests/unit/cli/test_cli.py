"""The command line: does what it says, and refuses with exit code 2 and one sentence."""

import csv
import errno
import json
import os
import re
import signal
import subprocess
import sys
import time
from argparse import Namespace
from concurrent.futures import BrokenExecutor
from functools import partial
from pathlib import Path
from subprocess import PIPE

import pytest

from rtp import PRESETS, Scenario, simulate
from rtp.audit.trial import RELEASES
from rtp.audit.worlds import BALANCED
from rtp.cli.main import NOT_DONE, main
from rtp.cli.options import NotDone, executor_of
from rtp.meters.real_home import sample_frame
from rtp.money.bills import bills
from rtp.scenario import BOUNDS
from tests.help.root import ROOT
from tests.proofs.test_properties import ZERO


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
    f"run --set groups={'[' * 50_000}": "groups is a list",
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


def test_a_worker_that_dies_is_one_sentence() -> None:
    with (
        pytest.raises(NotDone, match=r"worker ended .* Kept"),
        executor_of(Namespace(dask=None, workers=1), "Kept."),
    ):
        raise BrokenExecutor


# `rtp app` opens the app of this checkout, or of the package, with what its options say and no more


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What took the process over: its folder, then its arguments."""
    found: list[str] = []

    def execv(_: str, arguments: list[str]) -> int:
        found.extend(arguments[1:])
        return 0

    monkeypatch.delenv("RTP_PORT", raising=False)
    monkeypatch.setattr(os, "chdir", lambda folder: found.append(str(folder)))
    monkeypatch.setattr(os, "execv", execv)
    return found


STREAMLIT = ["-m", "streamlit", "run", "app.py"]


@pytest.mark.parametrize(
    ("options", "command"),
    [
        ([], STREAMLIT),
        (
            ["--port", "8600", "--no-browser", "--", "--server.baseUrlPath", "lab"],
            [*STREAMLIT, "--server.port=8600", "--server.headless=true", "--server.baseUrlPath", "lab"],
        ),
        (["--class", "--port", "8700"], ["-m", "scripts.classroom", "8700"]),
    ],
)
def test_what_is_said_reaches_streamlit_and_the_rest_is_left_to_its_settings(
    options: list[str], command: list[str], started: list[str]
) -> None:
    main(["app", *options])
    assert started == [str(ROOT), *command]


def test_a_port_that_is_none_is_refused(started: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    for port in ("0", "65536"):
        assert main(["app", "--port", port]) == 2
        assert "--port" in capsys.readouterr().err
    assert not started


def test_without_the_extra_it_says_what_to_install(
    started: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("rtp.cli.main.NEEDED", ("streamlit", "surely_missing"))
    assert main(["app"]) == NOT_DONE
    said = capsys.readouterr().err
    assert "rtp-privacy-lab[app]" in said
    assert "surely_missing" in said
    assert not started


# Nothing is lost on a full disk, and every command ends in one line on Ctrl-C


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of every text fits."""
    whole = Path.write_text

    def half(path: Path, text: str, encoding: str | None = None) -> int:
        whole(path, text[: len(text) // 2], encoding=encoding)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_text", half)


def test_a_full_disk_leaves_the_old_file_and_names_it(
    tmp_path: Path, full_disk: None, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "day.csv"
    target.write_bytes(b"old")
    assert main(["run", "--set", "households=3", "--csv", str(target)]) == NOT_DONE
    assert target.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == [target.name]
    assert str(target) in capsys.readouterr().err


def test_too_little_memory_ends_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def takes_all(*args: object, **options: object) -> None:
        raise MemoryError

    monkeypatch.setattr("rtp.cli.learn.read", takes_all)
    assert main(["learn", "readings.csv", "-o", str(tmp_path / "out.json")]) == NOT_DONE
    assert "memory" in capsys.readouterr().err


def commands(folder: Path) -> dict[str, list[str]]:
    """One of each command, long enough to be stopped."""
    (folder / "mine.json").write_text(PRESETS["paper"].replace(households=10**6, days=5).to_json())
    spec = {"preset": "paper", "grid": {"epsilon": [0.1, 1.0]}, "days": 5000}
    (folder / "spec.json").write_text(json.dumps(spec))
    sample_frame().to_csv(folder / "readings.csv", index=False)
    street = str(folder / "mine.json")
    return {
        "run": ["run", street],
        "audit": ["audit", "--n", "100000"],
        "overtime": ["overtime", "--secret", "week"],
        "sweep": ["sweep", str(folder / "spec.json"), "--out", str(folder / "a.db"), "--workers", "2"],
        "learn": ["learn", str(folder / "readings.csv"), "-o", str(folder / "out.json")],
    }


@pytest.mark.long
@pytest.mark.parametrize("name", ["run", "audit", "overtime", "sweep", "learn"])
def test_control_c_ends_a_command_in_one_line(name: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "rtp", *commands(tmp_path)[name]]
    heard = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # what runs in the background is deaf to it
    with subprocess.Popen(
        command, cwd=ROOT, stderr=PIPE, stdout=PIPE, text=True, start_new_session=True, preexec_fn=heard
    ) as process:
        try:
            time.sleep(6)
            assert process.poll() is None, "it was over before it could be stopped"
            os.killpg(process.pid, signal.SIGINT)
            _, said = process.communicate(timeout=20)
        finally:
            process.kill()
    assert process.returncode == 130
    lines = [line for line in said.replace("\r", "\n").splitlines() if line.strip() and "left" not in line]
    assert len(lines) == 1, said
