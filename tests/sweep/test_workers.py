"""Worker processes: they know nothing of the program that asked for them, and end with it."""

import os
import subprocess
import sys
from concurrent.futures import BrokenExecutor
from pathlib import Path

import pytest

from rtp.sweep.workers import processes

ROOT = Path(__file__).parent.parent
PROGRAM = """
print("the page runs")
from rtp import Scenario
from rtp.sweep.runs import sweep
from rtp.sweep.workers import processes
with processes(2) as pool:
    results = sweep(Scenario(households=5), {"households": [2, 3, 4]}, 20, executor=pool)
    print(sum(result.finished for result in results))
"""


def test_a_page_that_asks_for_workers_does_not_run_in_them(tmp_path: Path) -> None:
    """A page's script has no `if __name__ == "__main__"`; a worker that imported it would run it again."""
    script = tmp_path / "page.py"
    script.write_text(PROGRAM, encoding="utf-8")
    told = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=60,
    )
    assert told.stdout == "the page runs\n3\n"
    assert told.stderr == ""


def test_a_worker_that_dies_is_noticed() -> None:
    with processes(1) as pool, pytest.raises(BrokenExecutor):
        pool.submit(os._exit, 1).result(timeout=60)
