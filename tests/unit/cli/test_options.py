"""What commands take when nothing is said, who does their work, and what is said where that fails."""

import io
import logging
import re
import sys
from argparse import Namespace
from concurrent.futures import BrokenExecutor, CancelledError
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tqdm import tqdm

from rtp import ScenarioError
from rtp.cli import options, run
from rtp.cli.main import main, parser
from rtp.cli.options import executor_of, kept_in, progress_bar, text_table
from tests.help.sentence import exactly

WHICH: dict[str, object] = {"scenario": None, "preset": None, "set": [], "street": []}
ALONE: dict[str, object] = {"workers": 1, "dask": None}


@pytest.mark.parametrize(
    ("command", "taken"),
    [
        ("audit", WHICH | {"n": 400, "trial_seed": None, "mechanism": None}),
        (
            "overtime",
            WHICH
            | {"house": None, "leak": None, "secret": None, "watch": 7, "lives": 400}
            | {"crowd": None, "total": None},
        ),
        ("sweep a --out b", ALONE | {"spec": Path("a"), "out": Path("b"), "days": None}),
        ("export a", {"file": Path("a"), "csv": None, "parquet": None}),
        ("presets", {}),
        ("scenario", {"preset": "paper"}),
    ],
)
def test_what_is_not_said_is_taken_so(command: str, taken: dict[str, object]) -> None:
    told = vars(parser().parse_args(command.split()))
    assert callable(told.pop("command"))
    assert told == taken


def test_a_run_takes_one_worker_and_writes_nothing_unless_told() -> None:
    told = vars(parser().parse_args(["run"]))
    assert {name: told[name] for name in (*WHICH, *ALONE)} == WHICH | ALONE
    assert [told[name] for name in ("csv", "json", "replay", "house", "bills", "report")] == [None] * 6


def test_a_crowd_without_its_delta_has_the_usual_one() -> None:
    assert parser().parse_args(["overtime", "--crowd"]).crowd == 1e-6


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (OSError("odd"), "the file: odd."),
        (OSError(28, "No space left", "a.csv"), "a.csv: No space left."),
        (OSError(28, "No space left"), "the file: No space left."),
        (ScenarioError("epsilon", "is odd."), "epsilon is odd."),
    ],
)
def test_what_goes_wrong_is_said_in_a_sentence(
    error: Exception, sentence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_: Namespace) -> int:
        raise error

    monkeypatch.setattr(run, "_presets", fail)
    assert main(["presets"]) == 2
    assert capsys.readouterr().err == f"rtp: {sentence}\n"


def test_a_table_has_its_corner_above_the_names() -> None:
    rows = {"naive": {"error": "1 %", "noise": "–"}, "blowfish": {"error": "12 %", "noise": "3"}}
    assert text_table("rate", rows) == (
        "rate     error noise\nnaive      1 %     –\nblowfish  12 %     3"
    )  # fmt: skip


KEPT = "What is done is kept in a.sqlite; the same command goes on from there."


@pytest.mark.parametrize(("kept", "more"), [("", ""), (KEPT, f" {KEPT}")])
def test_a_worker_that_ends_is_one_sentence_and_what_is_kept(kept: str, more: str) -> None:
    assert kept_in(Path("a.sqlite")) == KEPT
    told = exactly(f"A worker ended unexpectedly, perhaps out of memory.{more}")
    with pytest.raises(ScenarioError, match=told), executor_of(Namespace(dask=None, workers=1), kept):
        raise BrokenExecutor
    with executor_of(Namespace(dask=None, workers=1)) as workers:
        assert workers is None, "the process itself"


class Killed(Exception):
    """As Dask says it."""


@pytest.fixture
def scheduler(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """A cluster's scheduler that does nothing but note what it is asked for."""
    asked: list[object] = []

    def connect(address: str, **how: object) -> Any:
        asked.append((address, how))
        return SimpleNamespace(get_executor=lambda: "workers", close=close)

    def close(**how: object) -> None:
        asked.append(how)
        raise OSError("gone")

    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(KilledWorker=Killed, Client=connect))
    return asked


def test_a_cluster_is_asked_quietly_and_left_in_time(scheduler: list[object]) -> None:
    before = logging.root.manager.disable
    with executor_of(Namespace(dask="tcp://there:1", workers=1)) as workers:
        assert str(workers) == "workers"
        assert logging.root.manager.disable == logging.CRITICAL
    assert logging.root.manager.disable == before
    assert scheduler == [("tcp://there:1", {"timeout": 10, "set_as_default": False}), {"timeout": 2}]


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (Killed("unit 3"), "A worker ended unexpectedly, perhaps out of memory. Kept."),
        (CancelledError(), "--dask has a scheduler that no longer answers. Kept."),
        (
            ImportError("No module named 'rtp'"),
            "--dask has workers that cannot run this project (No module named 'rtp'); start them where it is "
            "installed.",
        ),
    ],
)
def test_what_goes_wrong_on_a_cluster_is_one_sentence(
    error: Exception, sentence: str, scheduler: list[object]
) -> None:
    with (
        pytest.raises(ScenarioError, match=exactly(sentence)),
        executor_of(Namespace(dask="there", workers=1), "Kept."),
    ):
        raise error


@pytest.mark.parametrize("error", [OSError("timed\n  out"), ValueError("timed out")])
def test_a_cluster_that_does_not_answer_is_one_sentence(
    error: Exception, monkeypatch: pytest.MonkeyPatch, scheduler: list[object]
) -> None:
    def connect(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(sys.modules["distributed"], "Client", connect)
    told = exactly("--dask is 'there', where no Dask scheduler answers (timed out).")
    with (
        pytest.raises(ScenarioError, match=told),
        executor_of(Namespace(dask="there", workers=1)),
    ):
        pass


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("stream", "often"), [(Terminal(), 0.1), (io.StringIO(), 10.0)])
def test_progress_is_drawn_seldom_where_nobody_watches(
    stream: io.StringIO, often: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    bars: list[Any] = []

    def noted(**how: Any) -> Any:
        bars.append((how["mininterval"], tqdm(**how)))
        return bars[-1][1]

    monkeypatch.setattr(options, "tqdm", noted)
    with progress_bar(stream):
        pass
    assert bars == [], "nothing is drawn before there is something to tell"
    with progress_bar(stream) as show:
        show(0.25)
        show(0.75)
        ((interval, bar),) = bars
        assert (interval, bar.n, bar.total) == (often, 0.75, 1.0)
    assert bar.disable, "it is closed"
    assert re.fullmatch(r"75% \[#{7} {3}\] \S+ left", stream.getvalue().strip().split("\r ")[-1])


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    path = tmp_path / "spec.json"
    path.write_text('{"preset": "tiny street", "grid": {"epsilon": [1.0]}}', encoding="utf-8")
    return path


def test_a_sweep_of_one_point_and_one_day_is_said_so(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = spec.with_name("a.sqlite")
    assert main(["sweep", str(spec), "--out", str(out), "--days", "1"]) == 0
    assert capsys.readouterr().out == f"1 point, 1 day each, in {out}\n"


def test_a_sweep_that_is_stopped_says_what_is_kept(
    spec: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rtp.cli.sweep.run_plan", stop)
    out = spec.with_name("a.sqlite")
    assert main(["sweep", str(spec), "--out", str(out)]) == 130
    assert capsys.readouterr().err == f"rtp: stopped. {kept_in(out)}\n"
