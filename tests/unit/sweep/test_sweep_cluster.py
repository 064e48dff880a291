"""The same sweep on a Dask cluster of worker processes, and with one of them killed."""

import json
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from rtp.cli.main import main
from rtp.sweep.measures import Part
from rtp.sweep.run import sweep
from rtp.sweep.store import read_sweep
from tests.unit.cli.test_learn import assert_the_same_there
from tests.unit.sweep.files import CHUNK, SMALL, equal, finished

pytestmark = pytest.mark.usefixtures("short_units")

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


def test_without_dask_one_sentence_says_how_to_get_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(command(tmp_path, "tcp://127.0.0.1:1")) != 0
    assert "requirements-cluster.txt" in capsys.readouterr().err
