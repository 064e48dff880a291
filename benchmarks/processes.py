"""What a process and those it has started take of the machine, as Linux counts it."""

import os
from pathlib import Path


def memory(pid: int) -> float:
    """MB that a family occupies: what several share counts once."""
    return sum(_shares(process) for process in family(pid)) / 1024


def _shares(process: Path) -> int:
    rollup = process.joinpath("smaps_rollup").read_text().splitlines()
    return int(next(line for line in rollup if line.startswith("Pss:")).split()[1])


def processor(pid: int) -> float:
    """Seconds of processor time that a family has used."""
    spent = [time for process in family(pid) for time in _stat(process)[11:13]]
    return sum(map(int, spent)) / os.sysconf("SC_CLK_TCK")


def family(pid: int) -> list[Path]:
    """A process and all that it, and they in turn, have started from their main threads."""
    found = [Path(f"/proc/{pid}")]
    for process in found:
        children = process.joinpath("task", process.name, "children").read_text()
        found += [Path(f"/proc/{child}") for child in children.split()]
    return found


def _stat(process: Path) -> list[str]:
    """What the system says of it, from its state on."""
    return process.joinpath("stat").read_text().rpartition(")")[2].split()
