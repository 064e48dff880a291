"""`make mutants` changes what is computed, one thing at a time: no words, constants, defaults or layouts."""

from pathlib import Path

import pytest

from scripts import mutants

SOURCE = '''"""A docstring."""

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    LIMIT = 3
MOST = 2 * 8
Shape = Literal["round"]


def f(x: "int", é: Literal["round"] = "round", most: int = 3) -> "bool":
    """Another."""
    return not x < 1 and -x * 2 != é


def g() -> str:
    return f"{f(1 + 1)} of them"


def h(x: list[int]) -> list[tuple[int, int]]:
    return list(zip(x, {"width": 3}, strict=True))
'''
MUTANTS = [
    ("return not x < 1 and -x * 2 != é", "return None"),
    ("not x < 1 and -x * 2 != é", "(not x < 1 or -x * 2 != é)"),
    ("not x < 1", "(x < 1)"),
    ("x < 1", "(x <= 1)"),
    ("x < 1", "x < 2"),
    ("-x * 2 != é", "(-x * 2 == é)"),
    ("-x * 2", "(-x / 2)"),
    ("-x", "(x)"),
    ("* 2 !=", "* 3 !="),
    ('return f"{f(1 + 1)} of them"', "return None"),
    ('return list(zip(x, {"width": 3}, strict=True))', "return None"),
]


def test_every_site_is_changed_once_and_nothing_idle_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rtp").mkdir()
    (tmp_path / "rtp" / "room.py").write_text(SOURCE, encoding="utf-8")
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    made = {mutant.mutated for mutant in mutants.mutants(Path("rtp/room.py"))}
    assert made == {SOURCE.replace(before, after, 1) for before, after in MUTANTS}
