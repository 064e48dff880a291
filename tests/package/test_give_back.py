"""Memory that is given back: what is dropped is only what the file still has."""

import subprocess
import sys

import pytest

from scripts.give_back import unchanged
from tests.help.root import ROOT

MAPS = """\
5000-7000 r-xp 00000000 fe:00 12 /usr/lib/code.so
Rss:                   8 kB
Anonymous:             0 kB
VmFlags: rd ex mr
7000-8000 r--p 00002000 fe:00 12 /usr/lib/code.so
Rss:                   4 kB
Anonymous:             4 kB
8000-9000 rw-p 00003000 fe:00 12 /usr/lib/code.so
Anonymous:             0 kB
9000-a000 r--p 00000000 00:00 0
Anonymous:             0 kB
a000-b000 r--s 00000000 fe:00 13 /usr/share/cache
Anonymous:             0 kB
b000-e000 r--p 00000000 fe:00 14 /usr/lib/table
Anonymous:             0 kB
f000-ff00 r-xp 00000000 00:00 0                          [vdso]
Anonymous:             0 kB
"""


def test_neither_what_was_written_nor_what_can_be_nor_what_has_no_file_is_dropped() -> None:
    assert list(unchanged(MAPS)) == [(0x5000, 0x2000), (0xB000, 0x3000)]


ALIVE = """
import numpy as np, scipy.special
from benchmarks.processes import memory
from scripts import give_back
import os
before = memory(os.getpid())
give_back.unused()
give_back.files()
after = memory(os.getpid())
found = np.linalg.inv(np.eye(3) * 2) @ np.ones(3), float(scipy.special.ndtri(0.5))
assert found[0].tolist() == [0.5] * 3 and found[1] == 0, found
assert after < before, (before, after)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the system cannot be told so")
def test_libraries_work_on_when_what_was_read_of_them_is_dropped() -> None:
    done = subprocess.run([sys.executable, "-c", ALIVE], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
