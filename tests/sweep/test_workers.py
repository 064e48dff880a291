"""Worker processes: they leave Ctrl-C to the program that asked for them, and a dead one is noticed."""

import os
import signal
from concurrent.futures import BrokenExecutor

import pytest

from rtp.sweep.workers import processes


@pytest.mark.slow
def test_a_worker_leaves_ctrl_c_to_its_parent_and_one_that_dies_is_noticed() -> None:
    """Workers that outlive their parent are looked for where it is killed, in test_sweepfile."""
    with processes(1) as pool:
        assert pool.submit(signal.getsignal, signal.SIGINT).result(timeout=60) == signal.SIG_IGN
        with pytest.raises(BrokenExecutor):
            pool.submit(os._exit, 1).result(timeout=60)
