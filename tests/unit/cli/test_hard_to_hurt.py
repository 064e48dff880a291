"""Nothing is lost on a full disk, and every command ends in one line on Ctrl-C."""

import errno
import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from subprocess import PIPE

import pytest

from rtp import PRESETS
from rtp.cli.main import NOT_DONE, main
from rtp.meters.real_home import sample_frame
from rtp.scenario.export import neutral
from tests.help.root import ROOT

WRITTEN = {"csv": "day.csv", "json": "day.json", "bills": "bills.csv", "report": "report.html"}


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of every text fits."""
    whole = Path.write_text

    def half(path: Path, text: str, encoding: str | None = None) -> int:
        whole(path, text[: len(text) // 2], encoding=encoding)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_text", half)


@pytest.mark.parametrize("option", WRITTEN)
def test_a_full_disk_leaves_the_old_file_and_names_it(
    option: str, tmp_path: Path, full_disk: None, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / WRITTEN[option]
    target.write_bytes(b"old")
    assert main(["run", "--set", "households=3", f"--{option}", str(target)]) == NOT_DONE
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


@pytest.mark.parametrize("text", ["\u200b=1", "\uff1d1", "\ufeff+1", "\u00a0-1", "\u2060\uff20SUM(A1)"])
def test_a_formula_in_disguise_is_none(text: str) -> None:
    assert neutral(text) == f"'{text}"


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
        "overtime": ["overtime", "--secret", "holiday", "--watch", "28"],
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
