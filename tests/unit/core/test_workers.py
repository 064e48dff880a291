"""Worker processes: results, progress, errors, and how they end."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor
from pathlib import Path

import pytest

from rtp import Scenario, ScenarioError
from rtp.core import workers
from rtp.core.workers import Progress, WorkerError, WorkerPool
from tests.help.root import ROOT

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    with WorkerPool(1) as pool:
        yield pool


def halves(progress: Callable[[float, str], None]) -> str:
    progress(0.5, "half")
    progress(1.0, "whole")
    print("not an answer")
    return "done"


def forever(progress: Progress) -> None:
    while True:
        progress(0.0)
        time.sleep(0.01)


class OwnError(Exception):
    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")


def fail_oddly() -> None:
    raise OwnError(1, 2)


def test_a_call_gives_its_progress_and_its_result_from_another_process(pool: WorkerPool) -> None:
    assert pool.call(divmod, 7, 2) == (3, 1)
    assert pool.call(os.getpid) != os.getpid()
    assert pool.call(int, "11", base=2) == 3
    seen: list[tuple[float, str]] = []
    assert pool.call(halves, progress=lambda *news: seen.append(news)) == "done"
    assert seen == [(0.5, "half"), (1.0, "whole")]


def test_what_is_submitted_is_shared_by_the_workers_and_ends_with_them() -> None:
    with WorkerPool(2) as two:
        assert list(two.map(abs, range(-5, 0))) == [5, 4, 3, 2, 1]
        assert two.submit(os.getpid).result() != os.getpid()
        with pytest.raises(BrokenExecutor):
            two.submit(os._exit, 1).result(timeout=60)
        endless = two.submit(time.sleep, 600)
        while not endless.running():
            time.sleep(0.01)
        before = time.monotonic()
    assert time.monotonic() - before < 10
    assert isinstance(endless.exception(), BrokenExecutor)


def test_work_nobody_wants_ends_with_its_worker(pool: WorkerPool) -> None:
    before = pool.call(os.getpid)

    def stop(done: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        pool.call(forever, progress=stop)
    assert not Path(f"/proc/{before}").exists()
    assert pool.call(os.getpid) != before


def test_errors_are_raised_where_they_were_asked_for(pool: WorkerPool) -> None:
    before = pool.call(os.getpid)
    with pytest.raises(ScenarioError, match="epsilon"):
        pool.call(Scenario, epsilon=-1.0)
    with pytest.raises(RuntimeError, match="1 and 2"):
        pool.call(fail_oddly)
    with pytest.raises(Exception, match="pickle"):
        pool.call(eval, "lambda: None")
    assert pool.call(os.getpid) == before


def test_a_worker_that_dies_is_replaced(pool: WorkerPool) -> None:
    with pytest.raises(WorkerError, match="ended"):
        pool.call(os._exit, 3)
    before = pool.call(os.getpid)
    os.kill(before, 9)
    wait_for_the_end(before)
    assert pool.call(os.getpid) != before


def stop_and_sleep() -> None:
    """Hang as a process does that the system has stopped."""
    os.kill(os.getpid(), signal.SIGSTOP)


def test_a_worker_that_hangs_ends_after_a_time_without_news(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = WorkerPool(1)
    monkeypatch.setattr(workers, "SILENCE", 0.1)
    assert pool.call(abs, -1) == 1, "what starts does not hang"
    monkeypatch.setattr(workers, "SILENCE", 1.5)  # a busy machine may keep a worker quiet for a second or two
    large = bytes(10**6)  # more than a pipe holds
    with pytest.raises(WorkerError, match="no sign of life"):
        pool.call(stop_and_sleep)
    assert pool.call(time.sleep, 2.0) is None, "slow is not dead"
    assert pool.call(len, large) == len(large)
    pool.shutdown()


def test_a_worker_stays_below_its_limit_of_memory_and_loads_what_it_needs() -> None:
    pool = WorkerPool(1, memory=300 * 2**20)
    with pytest.raises(MemoryError):
        pool.call(bytearray, 400 * 2**20)
    loaded = pool.call(eval, "sorted(__import__('sys').modules)")
    assert "rtp.core.workers" in loaded
    assert not {"streamlit", "pandas", "scipy", "tests", "pytest"} & set(loaded), "no more than it needs"
    pool.shutdown()


KILLED = """
import os, threading, time
from rtp.core.workers import WorkerPool
pool = WorkerPool(1)
print(pool.call(os.getpid), flush=True)
threading.Thread(target=pool.call, args=(time.sleep, 60), daemon=True).start()
time.sleep(0.2)
os.kill(os.getpid(), 9)
"""


@pytest.mark.long
def test_a_worker_at_work_ends_when_its_server_is_killed() -> None:
    done = subprocess.run([sys.executable, "-c", KILLED], cwd=ROOT, capture_output=True, text=True)
    wait_for_the_end(int(done.stdout))


def wait_for_the_end(worker: int) -> None:
    deadline = time.monotonic() + 20
    while Path(f"/proc/{worker}").exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.long
def test_a_worker_with_nothing_to_do_ends_and_another_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "GRACE", 0.3)
    idle = WorkerPool(1, idle=0.3)
    first = idle.call(os.getpid)
    wait_for_the_end(first)
    assert idle.call(os.getpid) != first
    idle.shutdown()
