"""A sweep's file: keeps what was measured, and refuses what is not its own or damaged."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rtp import ScenarioError
from rtp.cli.main import main
from rtp.sweep.measures import MEASURES
from rtp.sweep.plan import from_json, make
from rtp.sweep.run import run_plan
from rtp.sweep.store import SweepFile, frame, read_sweep
from rtp.version import VERSION
from tests.help.sentence import exactly
from tests.unit.sweep.files import CHUNK, MECHANISMS, NOON, SMALL, SPEC, complete, equal

pytestmark = pytest.mark.usefixtures("short_units")


def test_what_is_stored_is_what_was_measured(tmp_path: Path) -> None:
    plan = make(SMALL, {"epsilon": [0.1, 1.0], "households": [5, 6]}, CHUNK + 1)
    measured = {result.point: result.part for result in run_plan(plan)}
    assert equal(complete(tmp_path / "a.sqlite", plan), measured)
    assert read_sweep(tmp_path / "a.sqlite")[0] == plan


def test_the_file_says_whose_it_is_which_lab_made_it_and_what_its_numbers_depend_on(tmp_path: Path) -> None:
    path, plan = tmp_path / "a.sqlite", make(SMALL, {"epsilon": [0.1]}, 1)
    with SweepFile(path, plan):
        pass
    assert path.read_bytes()[68:72] == b"RTPs"
    database = sqlite3.connect(path)
    told = dict(database.execute("SELECT key, value FROM meta"))
    database.close()
    measures, spec = list(MEASURES), plan.as_dict()
    assert told["lab"] == VERSION
    assert json.loads(told["sweep"]) == {
        "plan": spec,
        "chunk": CHUNK,
        "mechanisms": MECHANISMS,
        "measures": measures,
    }
    with pytest.raises(ScenarioError, match=exactly(f"{tmp_path / 'b'} does not exist.")):
        read_sweep(tmp_path / "b")


def test_finished_points_are_there_for_anyones_sql(tmp_path: Path) -> None:
    plan = make(SMALL, {"epsilon": [0.1, 1.0]}, 3)
    parts = complete(tmp_path / "a.sqlite", plan)
    rows = sqlite3.connect(tmp_path / "a.sqlite").execute(
        'SELECT p."values", p.days, e.mean, e.low, e.high FROM point p JOIN estimate e ON e.point = p.id '
        "WHERE e.mechanism = 'blowfish' AND e.measure = 'rmsre' ORDER BY p.id"
    )
    m, k = MECHANISMS.index("blowfish"), list(MEASURES).index("rmsre")
    for point, (values, days, mean, low, high) in enumerate(rows):
        assert json.loads(values) == plan.values(point)
        expected = parts[point].mean[m, k], *(end[m, k] for end in parts[point].interval())
        assert (days, mean, low, high) == (3, *expected)


def test_a_slower_twin_does_not_overwrite_what_a_faster_one_has_found(tmp_path: Path) -> None:
    plan = make(SMALL, {"epsilon": [1.0]}, 2 * CHUNK)
    with SweepFile(tmp_path / "a.sqlite", plan) as slow:
        early = next(run_plan(plan)).part
        whole = complete(tmp_path / "a.sqlite", plan)
        slow.save({0: early})
    assert equal(read_sweep(tmp_path / "a.sqlite")[1], whole)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"days": 4}, "days is 5 there and 4 here"),
        ({"scenario": {"households": 16}}, "scenario.households is 15 there and 16 here"),
        ({"grid": {**SPEC["grid"], "epsilon": [0.1, 2.0]}}, "grid.epsilon[1] is 1.0 there and 2.0 here"),
        ({"grid": {"epsilon": [0.1, 1.0]}}, f"grid.{NOON} is only in the file"),
        ({"grid": {**SPEC["grid"], "beta": [1.0]}}, "grid.beta is only in yours"),
        (
            {"grid": dict(reversed(SPEC["grid"].items()))},
            f"the fields of grid are in another order: epsilon, {NOON}",
        ),
    ],
)
def test_another_spec_is_refused_with_the_difference_named(
    tmp_path: Path, change: dict[str, Any], sentence: str
) -> None:
    path = tmp_path / "a.sqlite"
    with SweepFile(path, from_json(json.dumps(SPEC))):
        before = path.read_bytes()
    with pytest.raises(ScenarioError) as refused:
        SweepFile(path, from_json(json.dumps({**SPEC, **change})))
    assert str(refused.value) == (
        f"{path} holds another sweep: {sentence}. Name another file, or the same sweep."
    )
    assert path.read_bytes() == before


def foreign(path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE recipes (name TEXT)")


@pytest.mark.parametrize(
    "make_file", [lambda p: p.write_text("dear diary"), foreign], ids=["text", "database"]
)
def test_a_file_that_is_no_sweep_is_left_as_it_is(
    tmp_path: Path, spec: Path, make_file: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine"
    make_file(path)
    before = path.read_bytes()
    for command in (
        ["sweep", str(spec), "--out", str(path)],
        ["export", str(path), "--csv", str(tmp_path / "x")],
    ):
        assert main(command) == 2
        assert capsys.readouterr().err == f"rtp: {path} is not a sweep's file; it was left as it is.\n"
    assert path.read_bytes() == before
    assert not (tmp_path / "x").exists()


def test_an_empty_file_is_where_a_sweep_was_killed_before_it_began(tmp_path: Path) -> None:
    (tmp_path / "a.sqlite").touch()
    assert complete(tmp_path / "a.sqlite", make(SMALL, {"epsilon": [1.0]}, 1))


def test_a_damaged_sweep_gets_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    plan = make(SMALL, {"epsilon": [1.0]}, 1)
    complete(path, plan)
    path.write_bytes(path.read_bytes()[:4096] + b"\xff" * 8192)
    for look, verb in ((lambda: read_sweep(path), "read"), (lambda: complete(path, plan), "written")):
        with pytest.raises(ScenarioError) as refused:
            look()
        assert str(refused.value) == f"{path} cannot be {verb}: database disk image is malformed."


def test_a_damaged_sweep_is_refused_without_a_progress_bar(
    tmp_path: Path, spec: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.sqlite"
    complete(path, from_json(spec.read_bytes()))
    with sqlite3.connect(path) as database:
        database.execute("UPDATE point SET days = 'many'")
    database.close()
    assert main(["sweep", str(spec), "--out", str(path)]) == 2
    assert capsys.readouterr().err == (
        f"rtp: {path} {DAMAGED}point 0 has 'many' of 5 days; there are 4 points.\n"
    )


def test_a_finished_sweep_can_be_given_more_days(tmp_path: Path, spec: Path) -> None:
    """To rounding what it would have had from the start: a chunk that was cut short is added in two parts."""
    out, days = tmp_path / "a.sqlite", 2 * CHUNK + 2
    assert main(["sweep", str(spec), "--out", str(out)]) == 0
    first = read_sweep(out)[1]
    assert main(["sweep", str(spec), "--days", str(days), "--out", str(out)]) == 0
    plan, parts = read_sweep(out)
    assert plan == from_json(spec.read_bytes(), days)
    at_once = {result.point: result.part for result in run_plan(plan)}
    for point, part in parts.items():
        assert (first[point].days, part.days) == (SPEC["days"], days)
        np.testing.assert_allclose(part.mean, at_once[point].mean, rtol=1e-12)
        np.testing.assert_allclose(part.spread, at_once[point].spread, rtol=1e-9, atol=1e-12)


def test_more_days_keep_what_there_is_while_they_are_missing(tmp_path: Path) -> None:
    grid = {"households": [5, 6]}
    path, more = tmp_path / "a.sqlite", make(SMALL, grid, 2 * CHUNK)
    complete(path, make(SMALL, grid, CHUNK))
    with SweepFile(path, more) as store:
        results = run_plan(more, store=store)
        for _ in range(3):
            next(results)  # both as they are, the first with more
    with sqlite3.connect(path) as database:
        told = database.execute("SELECT id, days, finished FROM point ORDER BY id").fetchall()
    assert told == [(0, 2 * CHUNK, 1), (1, CHUNK, 0)]
    assert frame(*read_sweep(path))["sampled_days"].unique().tolist() == [2 * CHUNK, CHUNK]


DAMAGED = "is damaged, and was left as it is: "
OTHER_LAB = "was made by another version of this lab: "
DAMAGE = {
    "no identity": ("UPDATE meta SET value = ''", f"{DAMAGED}Expecting value: line 1 column 1 (char 0)."),
    "another identity": ("UPDATE meta SET value = '[1]'", f"{DAMAGED}'list' object is not a mapping."),
    "no plan": (
        "UPDATE meta SET value = json_remove(value, '$.plan.grid') WHERE key = 'sweep'",
        f"{DAMAGED}'grid'.",
    ),
    "no scenario": (
        "UPDATE meta SET value = json_set(value, '$.plan.scenario.epsilon', -1) WHERE key = 'sweep'",
        f"{DAMAGED}epsilon is -1; it must be a number from 0.0001 to 10,000.",
    ),
    "a cut array": (
        "UPDATE point SET mean = substr(mean, 3)",
        f"{DAMAGED}buffer size must be a multiple of element size.",
    ),
    "no array": (
        "UPDATE point SET spread = 'none'",
        f"{DAMAGED}a bytes-like object is required, not 'str'.",
    ),
    "a point beyond": (
        "UPDATE point SET id = 1",
        f"{DAMAGED}point 1 has 1 of 1 days; there are 1 points.",
    ),
    "a point before": (
        "UPDATE point SET id = -1",
        f"{DAMAGED}point -1 has 1 of 1 days; there are 1 points.",
    ),
    "not a day": ("UPDATE point SET days = 0", f"{DAMAGED}point 0 has 0 of 1 days; there are 1 points."),
    "a day too many": ("UPDATE point SET days = 2", f"{DAMAGED}point 0 has 2 of 1 days; there are 1 points."),
    "no days": (
        "UPDATE point SET days = 'many'",
        f"{DAMAGED}point 0 has 'many' of 1 days; there are 1 points.",
    ),
    "a long reason": (
        f"UPDATE point SET days = '{300 * 'm'}'",
        f"{DAMAGED}point 0 has '{187 * 'm'}.",  # 200 characters of it
    ),
    "no sweep": ("DELETE FROM meta WHERE key = 'sweep'", "was never started: it holds no sweep yet."),
    "another chunk": (
        "UPDATE meta SET value = json_set(value, '$.chunk', 99) WHERE key = 'sweep'",
        f"{OTHER_LAB}chunk is 99 there and 3 here.",
    ),
    "an odd chunk": (
        "UPDATE meta SET value = json_set(value, '$.chunk', json('{}')) WHERE key = 'sweep'",
        f"{OTHER_LAB}chunk is {{}} there and 3 here.",
    ),
    "a long name": (
        f"UPDATE meta SET value = json_set(value, '$.mechanisms[0]', '{58 * 'ε'}') WHERE key = 'sweep'",
        f'{OTHER_LAB}mechanisms[0] is "{58 * "ε"}" there and "optimal" here.',
    ),
    "a longer name": (
        f"UPDATE meta SET value = json_set(value, '$.mechanisms[0]', '{59 * 'ε'}') WHERE key = 'sweep'",
        f'{OTHER_LAB}mechanisms[0] is "{56 * "ε"}… there and "optimal" here.',
    ),
    "no table": ("DROP TABLE point", "cannot be read: no such table: point."),
}
PLAN = make(SMALL, {"epsilon": [1.0]}, 1)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a finished sweep."""
    path = tmp_path_factory.mktemp("sweep") / "a.sqlite"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rtp.sweep.store.CHUNK", CHUNK)
        complete(path, PLAN)
    return path.read_bytes()


@pytest.mark.parametrize("damage", DAMAGE)
def test_what_no_sweep_would_say_gets_one_sentence_and_the_file_stays(
    tmp_path: Path, whole: bytes, damage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path, (statement, told) = tmp_path / "a.sqlite", DAMAGE[damage]
    path.write_bytes(whole)
    with sqlite3.connect(path) as database:
        database.execute(statement)
    database.close()
    before = path.read_bytes()
    assert main(["export", str(path), "--csv", str(tmp_path / "a.csv")]) == 2
    assert capsys.readouterr().err == f"rtp: {path} {told}\n"
    with pytest.raises(ScenarioError), SweepFile(path, PLAN) as store:
        store.load()
    assert path.read_bytes() == before
    assert not (tmp_path / "a.csv").exists()
