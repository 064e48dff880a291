"""Peak memory above what the imports take, in a process of its own."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import Result

HOUSEHOLDS = 1_000_000

# On Linux a child's ru_maxrss starts at its parent's, so the kernel's own high-water mark is read there.
PROGRAM = """
import resource, rtp
from pathlib import Path

def peak():
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return 1024 * int(line.split()[1])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

before = peak()
rtp.simulate(rtp.Scenario(households={households}))
print(peak() - before)
"""


def results() -> Iterator[Result]:
    told = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(households=HOUSEHOLDS)],
        cwd=Path(__file__).parent.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    yield Result(
        subject=f"peak memory per household, {HOUSEHOLDS:,} of them",
        value=int(told.stdout) / HOUSEHOLDS,
        unit=" bytes",
        target=150.0,
    )
