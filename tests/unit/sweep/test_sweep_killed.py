"""A sweep that is interrupted or killed goes on where it was, to the same numbers."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from rtp.cli.main import main
from rtp.sweep.measures import Part
from rtp.sweep.plan import from_json
from rtp.sweep.run import sweep
from rtp.sweep.store import read_sweep
from tests.help.root import ROOT
from tests.unit.cli.test_learn import assert_the_same_there
from tests.unit.sweep.files import CHUNK, SMALL, complete, equal, finished

# The command, halting at a chosen moment until a signal ends it. SIGINT is restored: who starts it, a shell's
# background job for one, may have it ignored.
HALTING = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)
from rtp.cli.main import main
from rtp.sweep import run, store

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

moment, call, run.CHUNK, store.CHUNK = sys.argv[1], *map(int, (sys.argv[2], sys.argv[3], sys.argv[3]))
if moment == "living a day":
    run.draw_day = halting(run.draw_day, call)
else:
    store._blob = halting(store._blob, call)
sys.exit(main(sys.argv[4:]))
"""

SECOND_UNIT = {
    "living a day": CHUNK + 2,
    "amid a transaction": 2 * 2 + 3,  # two arrays for each of two points: the second point of the second save
}


@pytest.mark.usefixtures("short_units")
@pytest.mark.long
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
        assert str(out) in said.splitlines()[-1]
    else:
        assert process.returncode == -signal.SIGKILL
    kept = [part.days for part in read_sweep(out)[1].values()]
    assert kept in ([CHUNK] * 2, [days] * 2)  # what was committed, for both budgets of one street
    if workers == "1":
        assert kept == [CHUNK] * 2
    assert main(command) == 0
    assert equal(read_sweep(out)[1], complete(whole, from_json(spec.read_bytes(), days)))


# The same sweep on a Dask cluster of worker processes, and with one of them killed


GRID: dict[str, Any] = {"epsilon": [0.1, 1.0], "households": [5, 10, 15]}
DAYS = 3 * CHUNK


@contextmanager
def two_workers() -> Iterator[Any]:
    """The client of a cluster of two workers, each a process of its own, as on two machines. Dask is loaded
    here: it takes a second, and only who runs this needs it. It is loaded once for all workers, too: each is
    a copy of a process that has done so and nothing else."""
    import dask
    import distributed

    connect: Any = distributed.Client
    local: Any = distributed.LocalCluster
    with (
        dask.config.set({"distributed.worker.multiprocessing-method": "forkserver"}),
        local(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        connect(cluster, set_as_default=False) as client,
    ):
        yield client


@pytest.mark.usefixtures("short_units")
@pytest.mark.long
def test_a_cluster_gives_the_numbers_of_one_process_and_a_killed_worker_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One test, because a cluster takes seconds to start. A busy machine may answer late."""
    monkeypatch.setattr("rtp.cli.options.DASK_PATIENCE", 120)
    serial = finished(sweep(SMALL, GRID, DAYS))
    with two_workers() as client:
        assert equal(finished(sweep(SMALL, GRID, DAYS, executor=client.get_executor())), serial)
        assert equal(from_the_command_line(client.scheduler.address, tmp_path), serial)
        assert_the_same_there(client.get_executor(), tmp_path)
        assert equal(with_a_worker_killed(client), serial)


def with_a_worker_killed(client: Any) -> dict[int, Part]:
    """Killed when the first days are done. Whether those are all that a point has is luck: units come in any
    order, and are added up in their own."""
    workers = list(client.run(os.getpid).values())
    assert len(set(workers)) == 2
    results = sweep(SMALL, GRID, DAYS, executor=client.get_executor())
    first = next(results)
    os.kill(workers[0], signal.SIGKILL)
    return finished(chain([first], results))


def from_the_command_line(address: str, folder: Path) -> dict[int, Part]:
    spec, out = folder / "spec.json", folder / "a.sqlite"
    spec.write_text(
        json.dumps({"scenario": {"households": 15, "step_minutes": 60}, "grid": GRID}), encoding="utf-8"
    )
    assert main(["sweep", str(spec), "--days", str(DAYS), "--out", str(out), "--dask", address]) == 0
    return read_sweep(out)[1]


def command(tmp_path: Path, address: str, days: int = 1) -> list[str]:
    spec = tmp_path / "spec.json"
    spec.write_text(json.dumps({"preset": "tiny street", "grid": {"epsilon": [1]}}), encoding="utf-8")
    return ["sweep", str(spec), "--days", str(days), "--out", str(tmp_path / "a.sqlite"), "--dask", address]


@pytest.mark.usefixtures("short_units")
def test_without_dask_one_sentence_says_how_to_get_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(command(tmp_path, "tcp://127.0.0.1:1")) != 0
    assert "requirements-cluster.txt" in capsys.readouterr().err
