"""`make record`: write anew all that is recorded, numbers, readings of the paper and outlines of screens, and
print what changed.

For a change that is meant to move them: read what is printed, and commit it with the change.
"""

import json
import logging
from collections.abc import Iterator
from difflib import unified_diff
from math import isclose, isnan
from pathlib import Path

from rtp.paper.readings import DATA
from tests.help.app import in_one_process
from tests.help.numbers import ROOMS, flat, numbers
from tests.help.outline import KEPT, SCREENS, outline_of
from tests.help.readings import recorded_text
from tests.help.root import TESTS

RENEW = "if this is meant: make record"
NUMBERS = TESTS / "recorded"
# Beyond what exp and log may differ between machines, once summed over a day.
RELATIVE, ABSOLUTE = 1e-9, 1e-11
READINGS_ROUNDING = 1e-6  # of readings, which are shown and nothing is computed from
DIGITS = 11  # that are written


def recorded(room: str) -> dict[str, float]:
    """Return the numbers that were recorded, by their paths."""
    lines = (NUMBERS / f"{room}.txt").read_text(encoding="utf-8").splitlines()
    return {path: float(number) for path, _, number in (line.rpartition(": ") for line in lines)}


def changes(before: dict[str, float], now: dict[str, float], relative: float = RELATIVE) -> Iterator[str]:
    """Yield a line for every number that moved by more than rounding, came or went."""
    for path in [*before, *(path for path in now if path not in before)]:
        one, other = before.get(path), now.get(path)
        if one is None or other is None or not _same(one, other, relative):
            yield f"{path}: {one} became {other}"


def _same(one: float, other: float, relative: float) -> bool:
    return isclose(one, other, rel_tol=relative, abs_tol=ABSOLUTE) or (isnan(one) and isnan(other))


def record_numbers(room: str) -> str:
    """Write a room's numbers, if one has moved; return what changed."""
    now = numbers(room)
    path = NUMBERS / f"{room}.txt"
    moved = list(changes(recorded(room) if path.exists() else {}, now))
    if moved:
        path.write_text(
            "".join(f"{name}: {value:.{DIGITS}g}\n" for name, value in now.items()), encoding="utf-8"
        )
    return "\n".join(moved)


def record_readings() -> str:
    """Write the readings of the paper, if a number has moved; return what changed."""
    before = DATA.read_text(encoding="utf-8") if DATA.exists() else "{}"
    now = recorded_text()
    moved = list(changes(dict(flat(json.loads(before))), dict(flat(json.loads(now))), READINGS_ROUNDING))
    if moved:
        DATA.write_text(now, encoding="utf-8")
    return "\n".join(moved)


def record_words(name: str, text: str) -> str:
    """Write a screen's outline; return what changed."""
    path = KEPT / f"{name}.txt"
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    path.write_text(text, encoding="utf-8")
    return "\n".join(unified_diff(before.splitlines(), text.splitlines(), lineterm="", n=0))


def forgotten() -> list[Path]:
    """Return the files that nothing records any more."""
    known = {NUMBERS / f"{room}.txt" for room in ROOMS} | {KEPT / f"{name}.txt" for name in SCREENS}
    return [path for folder in (NUMBERS, KEPT) for path in sorted(folder.iterdir()) if path not in known]


def main() -> None:
    logging.disable(logging.WARNING)  # Streamlit's, of every screen that is opened without a browser
    NUMBERS.mkdir(exist_ok=True)
    KEPT.mkdir(exist_ok=True)
    found = {f"recorded/{room}.txt": record_numbers(room) for room in ROOMS}
    found["rtp/paper/data/readings.json"] = record_readings()
    with in_one_process():
        found |= {f"screens/{name}.txt": record_words(name, outline_of(name)) for name in SCREENS}
    for path in forgotten():
        path.unlink()
        found[path.name] = "removed"
    for name, changed in found.items():
        if changed:
            print(f"{name}\n{changed}\n")
    print(f"{sum(map(bool, found.values()))} of {len(found)} files changed")


if __name__ == "__main__":
    main()
