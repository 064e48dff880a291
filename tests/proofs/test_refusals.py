"""What a scenario and its JSON refuse: one sentence that names the field and what would be accepted."""

import json
import math
import re
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from rtp import Group, Habits, OccupancyModel, Period, Scenario
from rtp.scenario import BOUNDS, MAX_GROUPS, MAX_JSON_BYTES, MAX_MODELS, Law, period
from rtp.scenario.validation import MAX_PERIODS, SCENARIO_VERSION
from tests.help.sentence import refuse

ROWS = ((0.5, 0.5), (0.5, 0.5))
NO_NUMBERS = [math.nan, math.inf, -math.inf, "1", True, [1]]


def _scenario(name: str, value: Any) -> object:
    return Scenario(**{name: value})


def _group(name: str, value: Any) -> object:
    return Group(**({"occupied_max": 1e6, "empty_max": 1e6} | {name: value}))


def _cell(name: str, value: Any) -> object:
    rest = 1 - value if isinstance(value, float) and math.isfinite(value) else 0.5
    return Period(name="Noon", start=8.0, matrix=((value, rest), (0.5, 0.5)))


MAKERS: dict[str, Callable[[str, Any], object]] = {
    **{name: _scenario for name in BOUNDS if name in Scenario.model_fields},
    **{name: _group for name in BOUNDS if name in Group.model_fields},
    "initial_occupied": lambda name, value: Habits(**{name: value}),
    "start": lambda name, value: Period(**{"name": "Noon", "matrix": ROWS, name: value}),
    "matrix": _cell,
}


def beside(name: str) -> list[float]:
    """The nearest values below and above what is allowed."""
    low, high, _ = BOUNDS[name]
    if BOUNDS[name].whole:
        return [low - 1, high + 1]
    return [float(np.nextafter(low, -math.inf)), float(np.nextafter(high, math.inf))]


@pytest.mark.parametrize("name", MAKERS)
def test_numbers_at_their_limits_are_taken(name: str) -> None:
    for limit in BOUNDS[name][:2]:
        MAKERS[name](name, limit)


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name in MAKERS for value in (*beside(name), *NO_NUMBERS)]
)
def test_a_number_beside_its_limits_is_refused_with_them(name: str, value: Any) -> None:
    sentence = refuse(lambda: MAKERS[name](name, value))
    assert sentence.startswith(name)
    _, _, accepted = sentence.rpartition(" from ")
    limits = [float(each.replace(",", "")) for each in accepted.rstrip(".").split(" to ")]
    assert limits == pytest.approx(BOUNDS[name][:2], rel=1e-9)


MODEL = Scenario().models[0].name
ONE, TWO = (OccupancyModel(name=f"{n} groups", habits=(Habits(),) * n) for n in (1, 2))


def _groups(*shares: float, names: str = "ABCDEFGHIJ") -> tuple[Group, ...]:
    return tuple(Group(name=name, share=share) for name, share in zip(names, shares, strict=False))


def _periods(*starts: float) -> tuple[Period, ...]:
    return tuple(period(f"P{i}", start, leave=0.5, arrive=0.5) for i, start in enumerate(starts))


def _law(**changed: object) -> Law:
    return Law(**({"edges": [0, 1], "empty": [1], "occupied": [1]} | changed))


# What is refused, and words that its sentence must have: the field, and what it should have been.
REFUSED: dict[str, tuple[Callable[[], object], tuple[str, ...]]] = {
    "a row that sums to 1.1": (
        lambda: Period(name="Noon", start=8.0, matrix=((0.5, 0.6), (0.5, 0.5))),
        ("matrix[0]", "sum to 1"),
    ),
    "a start between steps": (lambda: Period(name="Noon", start=7.12, matrix=ROWS), ("start", "5 minutes")),
    "periods that overlap": (lambda: Habits(periods=_periods(8, 7, 16)), ("periods", "start after")),
    "too many periods": (
        lambda: Habits(periods=_periods(*(i / 4 for i in range(MAX_PERIODS + 1)))),
        ("periods", f"at most {MAX_PERIODS}"),
    ),
    "shares of 0.9": (lambda: Scenario(groups=_groups(0.5, 0.4), models=(TWO,)), ("groups", "sum to 1")),
    "two groups of one name": (
        lambda: Scenario(groups=_groups(0.5, 0.5, names="AA"), models=(TWO,)),
        ("groups", "once"),
    ),
    "two models of one name": (lambda: Scenario(models=(ONE, ONE)), ("models", "once")),
    "habits for other groups": (lambda: Scenario(models=(ONE, TWO)), ("models[1].habits", "1 groups")),
    "an unknown model": (lambda: Scenario(assumed_model="Martians"), ("assumed_model", MODEL)),
    "too many groups": (
        lambda: Scenario(groups=_groups(*[1 / (MAX_GROUPS + 1)] * (MAX_GROUPS + 1))),
        ("groups", f"at most {MAX_GROUPS}"),
    ),
    "too many models": (
        lambda: Scenario(models=tuple(OccupancyModel(name=f"M{i}") for i in range(MAX_MODELS + 1))),
        ("models", f"at most {MAX_MODELS}"),
    ),
    "another choice": (lambda: Scenario(naive_bound="other"), ("naive_bound", "nominal", "realised")),
    "a law that sums to 0.5": (lambda: _law(occupied=[0.5]), ("occupied", "sum to 1")),
    "a law with a bin too many": (lambda: _law(occupied=[0.5, 0.5]), ("occupied", "1 bins")),
    "edges that fall": (lambda: _law(edges=[1, 0]), ("edges",)),
    "too many edges": (lambda: _law(edges=list(range(26))), ("edges", "at most 25")),
    "too many houses for laws": (
        lambda: Scenario(groups=(Group(law=_law()),), households=100_001),
        ("households", "100,000"),
    ),
    **{
        f"the name {name!r}": (partial(Group, name=name), ("name",))
        for name in ("", "x" * 41, 5, "=cmd()", "<b>", "a\nb", "_a", "\ud800")
    },
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_is_refused_by_its_name(case: str) -> None:
    make, words = REFUSED[case]
    sentence = refuse(make)
    assert [word for word in words if word not in sentence] == []


@pytest.mark.parametrize("key", ["epsilonn", "__class__", "x" * 900_000, "a\nb", "", "\ud800"])
def test_an_unknown_key_is_refused_in_a_short_sentence(key: str) -> None:
    sentence = refuse(lambda: Scenario.from_json(json.dumps({key: 1})))
    assert re.sub(r"[^\w]", "", key[:8]) in sentence or "ud800" in sentence


DEEP = {
    "models[0].habits[1].startt": {"models": [{"habits": [{}, {"startt": 1}]}]},
    "models[0].habits[0].periods[0].start": {"models": [{"habits": [{"periods": [{"name": "A"}]}]}]},
    "groups": {"groups": "abc"},
    "groups[0].share": {"groups": [{"share": -0.1}]},
    "version": {"version": SCENARIO_VERSION + 1, "quilt": {}},
}


@pytest.mark.parametrize("path", DEEP)
def test_json_is_refused_with_the_path_of_its_fault(path: str) -> None:
    assert refuse(lambda: Scenario.from_json(json.dumps(DEEP[path]))).startswith(f"{path} is ")


@pytest.mark.parametrize(
    "text", ["", "{", "[" * 100_000, b"\xff\xfe", f'{{"seed": {"9" * 5000}}}', "[]", "NaN"]
)
def test_text_that_is_no_json_object_is_refused(text: str | bytes) -> None:
    assert "JSON" in refuse(lambda: Scenario.from_json(text))


def test_json_is_read_up_to_its_limit_and_not_beyond() -> None:
    text = '{"seed": 1}'.ljust(MAX_JSON_BYTES)
    assert Scenario.from_json(text) == Scenario(seed=1)
    for longer in (text + " ", (text + " ").encode(), "é" * (MAX_JSON_BYTES // 2 + 1)):
        assert f"{MAX_JSON_BYTES:,}" in refuse(partial(Scenario.from_json, longer))


def test_a_key_given_twice_is_refused() -> None:
    assert "epsilon" in refuse(lambda: Scenario.from_json('{"seed": 1, "epsilon": 0.5, "epsilon": 5.0}'))
