"""`make mutants` changes what runs, one thing at a time, and nothing that only readers or checkers read."""

from pathlib import Path

import pytest

from scripts import mutants

SOURCE = '''"""A docstring."""

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    LIMIT = 3
__all__ = ["f"]
Shape = Literal["round"]


def f(x: "int", é: Literal["round"] = "round") -> "bool":
    """Another."""
    return not x < 1 and -x * 2 != é


def g() -> str:
    return f"{f(1)} of them" if True else None


def h(x: list[int]) -> list[tuple[int, int]]:
    return list(zip(x, x, strict=True))
'''
MUTANTS = [
    ('= "round") -> "bool":', "= 'XXround') -> \"bool\":"),
    ("return not x < 1 and -x * 2 != é", "return None"),
    ("not x < 1 and -x * 2 != é", "(not x < 1 or -x * 2 != é)"),
    ("not x < 1", "(x < 1)"),
    ("x < 1", "(x <= 1)"),
    ("x < 1", "x < 2"),
    ("-x * 2 != é", "(-x * 2 == é)"),
    ("-x * 2", "(-x / 2)"),
    ("-x", "(x)"),
    ("* 2 !=", "* 3 !="),
    ('return f"{f(1)} of them" if True else None', "return None"),
    ('f"{f(1)} of them"', "f'XX{f(1)} of them'"),
    ("if True", "if False"),
    ("return list(zip(x, x, strict=True))", "return None"),
]


def test_every_site_is_changed_once_and_nothing_idle_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rtp").mkdir()
    (tmp_path / "rtp" / "room.py").write_text(SOURCE, encoding="utf-8")
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    made = {mutant.mutated for mutant in mutants.mutants(Path("rtp/room.py"))}
    assert made == {SOURCE.replace(before, after, 1) for before, after in MUTANTS}


def test_a_mutant_is_shown_by_its_line_and_counted_in_its_room() -> None:
    mutant = mutants.Mutant(Path("rtp/street/draw.py"), 2, "a = 1\nb = 2\n", "a = 1\nb = 3\n")
    assert mutant.diff.splitlines() == [
        "--- rtp/street/draw.py",
        "+++ mutant",
        "@@ -2 +2 @@",
        "-b = 2",
        "+b = 3",
    ]
    assert (mutant.part, mutant.room) == ("rtp", "rtp/street")
    screen = mutant._replace(path=Path("app.py"))
    assert (screen.part, screen.room) == ("pages", "app.py")


@pytest.mark.long
def test_the_likeliest_tests_come_first() -> None:
    """Those of its own room, by how near their imports are; then those that import it by name."""
    own, near, far = mutants.tests_of(Path("rtp/leakage/crowd.py"))
    assert own == ["tests/unit/leakage/test_crowd.py"]
    assert {"tests/unit/leakage/test_moment.py", "tests/unit/cli/test_overtime.py"} < set(near)
    assert {"tests/unit/cli/test_cli.py", "tests/proofs/test_frozen.py", "tests/pages/test_words.py"} < set(
        far
    )
    every = [*own, *near, *far]
    assert len(set(every)) == len(every)
    assert "tests/unit/audit/test_checks.py" not in every, "it never imports the crowd"
    assert {file.split("/")[1] for file in mutants.tests_of(Path("app.py")).near} == {"pages"}


@pytest.mark.long
def test_the_first_test_that_fails_or_never_ends_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "test_good.py").write_text("def test_good():\n    pass\n")
    (tmp_path / "test_bad.py").write_text("def test_bad():\n    assert False, 'a - b'\n")
    (tmp_path / "test_endless.py").write_text("import time\ntime.sleep(60)\n")
    assert mutants.failure(tmp_path, ["test_good.py"]) is None
    assert mutants.failure(tmp_path, ["test_good.py"], "slow") is None
    assert mutants.failure(tmp_path, ["test_good.py", "test_bad.py"]) == "test_bad.py::test_bad"
    monkeypatch.setattr(mutants, "SECONDS", 5)
    assert mutants.failure(tmp_path, ["test_endless.py"]) == mutants.ENDLESS
