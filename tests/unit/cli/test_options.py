"""Who does the commands' work, how far it is, and what is said where that fails."""

import sys
from argparse import Namespace
from concurrent.futures import BrokenExecutor, CancelledError
from pathlib import Path
from types import SimpleNamespace

import pytest

from rtp import ScenarioError
from rtp.cli.main import main
from rtp.cli.options import executor_of, kept_in


class Killed(Exception):
    """As Dask says it."""


class Scheduler:
    """A cluster's, which does nothing, and is gone when one takes leave of it."""

    def __init__(self, address: str, **_: object) -> None:
        if address == "nowhere":
            raise OSError("timed\n  out")

    def get_executor(self) -> str:
        return "workers"

    def close(self, **_: object) -> None:
        raise OSError("gone")


@pytest.mark.parametrize(
    ("dask", "error", "words"),
    [
        (None, BrokenExecutor(), "worker ended .* Kept"),
        ("there", Killed("unit 3"), "worker ended .* Kept"),
        ("there", CancelledError(), "--dask .* Kept"),
        ("there", ImportError("No module named 'rtp'"), "--dask .*No module named 'rtp'"),
        ("nowhere", AssertionError(), "--dask is 'nowhere'.*timed out"),
    ],
)
def test_workers_that_fail_are_one_sentence(
    dask: str | None, error: Exception, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(KilledWorker=Killed, Client=Scheduler))
    with pytest.raises(ScenarioError, match=words), executor_of(Namespace(dask=dask, workers=1), "Kept."):
        raise error


def test_a_sweep_that_is_stopped_says_what_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rtp.cli.sweep.run_plan", stop)
    spec, out = tmp_path / "spec.json", tmp_path / "a.sqlite"
    spec.write_text('{"preset": "tiny street", "grid": {"epsilon": [1.0]}}', encoding="utf-8")
    assert main(["sweep", str(spec), "--out", str(out)]) == 130
    assert kept_in(out) in capsys.readouterr().err
