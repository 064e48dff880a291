"""Measuring: best of several repeats, taken in turns, so that a busy machine hits both sides of a ratio; and
what processes take of the machine, as Linux counts it."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time
from typing import NamedTuple

import numpy as np

from rtp.core.time import STEPS_PER_DAY

Work = Callable[[], object]

# On Linux a child's ru_maxrss starts at its parent's, so the kernel's own high-water mark is read there.
PEAK = """
import resource
from pathlib import Path

def peak():
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return 1024 * int(line.split()[1])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

{prepare}
before = peak()
{work}
print(peak() - before)
"""


@dataclass(frozen=True, kw_only=True)
class Result:
    """One line of the report. Without a target it is for information."""

    subject: str
    value: float
    unit: str = "×"
    target: float | None = None

    @property
    def verdict(self) -> str:
        if self.target is None:
            return ""
        return "ok" if self.value <= self.target else "over"


def seconds(work: Work) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def processor_best(repeats: int, *works: Work) -> list[float]:
    """The shortest processor time of each piece of work, all done once per round."""
    rounds = [[processor(work) for work in works] for _ in range(repeats)]
    return [min(times) for times in zip(*rounds, strict=True)]


def processor(work: Work) -> float:
    start = process_time()
    work()
    return process_time() - start


class Ticks(NamedTuple):
    """Of all cores of the machine, as Linux counts them."""

    total: int
    lost: int  # in which another machine on the same hardware ran


def ticks() -> Ticks:
    """So far; elsewhere than on Linux none is known."""
    counts = Path("/proc/stat")
    if not counts.exists():
        return Ticks(0, 0)
    each = [int(count) for count in counts.read_text().splitlines()[0].split()[1:9]]
    return Ticks(sum(each), each[7])


def lost_since(before: Ticks) -> float:
    """The fraction of the machine's time that others had."""
    now = ticks()
    return (now.lost - before.lost) / max(now.total - before.total, 1)


def peak_memory(prepare: str, work: str) -> int:
    """By how many bytes some lines raise the peak that others have reached, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", PEAK.format(prepare=prepare, work=work)],
        cwd=Path(__file__).parent.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    return int(done.stdout)


def uniforms(households: int) -> Work:
    """The floor: the 2·N·T uniforms of a textbook day, on one core, into a buffer that stays in cache."""
    rng, buffer = np.random.default_rng(0), np.empty(min(2 * households, 16_384))
    whole, rest = divmod(2 * households * STEPS_PER_DAY, len(buffer))

    def draw() -> None:
        for _ in range(whole):
            rng.random(out=buffer)
        rng.random(out=buffer[:rest])

    return draw


def family_memory(pid: int) -> float:
    """Return the MB that a process and its descendants occupy; what several share counts once."""
    return sum(_proportional_kb(process) for process in _family(pid)) / 1024


def own_memory(pid: int) -> float:
    """Return the MB that a process alone occupies, its share of what it shares included."""
    return _proportional_kb(Path(f"/proc/{pid}")) / 1024


def own_processor(pid: int) -> float:
    """Return the seconds of processor time that a process has used so far."""
    return sum(_processor_times(Path(f"/proc/{pid}"))[:2])


def family_processor(pid: int) -> float:
    """Return what a process and its descendants have used so far, those included that have ended."""
    return sum(map(sum, map(_processor_times, _family(pid))))


def workers_of(pid: int) -> list[int]:
    """Return the descendants of a process."""
    return [int(process.name) for process in _family(pid)[1:]]


def _family(pid: int) -> list[Path]:
    """A process and all that it, and they in turn, have started, from whichever thread."""
    members = [Path(f"/proc/{pid}")]
    for process in members:
        for children in process.glob("task/*/children"):
            members += [Path(f"/proc/{child}") for child in children.read_text().split()]
    return members


def _proportional_kb(process: Path) -> int:
    """Nothing, where it has ended since it was listed."""
    try:
        rollup = process.joinpath("smaps_rollup").read_text().splitlines()
    except (ProcessLookupError, FileNotFoundError):
        return 0
    return int(next(line for line in rollup if line.startswith("Pss:")).split()[1])


def _processor_times(process: Path) -> list[float]:
    """Seconds: its own, in user and system mode, and those of its children that were waited for."""
    stat = process.joinpath("stat").read_text().rpartition(")")[2].split()
    return [int(ticks) / os.sysconf("SC_CLK_TCK") for ticks in stat[11:15]]
