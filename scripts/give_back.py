"""Memory that a process holds and does not need goes back to the system, where the system can be told so.

Two kinds of it. What was taken for work and freed since stays with the process, for the next work to have.
And of libraries all that was read while they were loaded stays mapped, although most of it is never read
again: it has not been changed, so whoever needs a part of it finds it in the file.
"""

import ctypes
import re
import sys
from collections.abc import Iterator
from pathlib import Path

MAPS = Path("/proc/self/smaps")
MAPPING = re.compile(r"^([0-9a-f]+)-([0-9a-f]+) r-[x-]p \S+ \S+ \d+ +/")
CHANGED = re.compile(r"^Anonymous: +(\d+) kB")
DONTNEED = 4  # of madvise: what is unchanged is dropped


def unused() -> None:
    """What was taken and freed."""
    if trim := getattr(ctypes.CDLL(None), "malloc_trim", None):
        trim(0)


def files() -> None:
    """What was read of files that can only be read."""
    if sys.platform == "linux" and MAPS.exists():
        system = ctypes.CDLL(None)
        for start, length in list(unchanged(MAPS.read_text())):
            system.madvise(ctypes.c_void_p(start), ctypes.c_size_t(length), DONTNEED)


def unchanged(maps: str) -> Iterator[tuple[int, int]]:
    """Where such files are mapped, and how far, as long as not a page of it has been written to (a library's
    tables are, before they are closed to writing)."""
    here: tuple[int, int] | None = None
    for line in maps.splitlines():
        if found := MAPPING.match(line):
            first, last = (int(end, 16) for end in found.groups())
            here = first, last - first
        elif line[:1] in "0123456789abcdef":
            here = None
        elif here and (changed := CHANGED.match(line)):
            if changed[1] == "0":
                yield here
            here = None
