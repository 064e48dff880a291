"""What a scenario's JSON refuses: keys it does not know, wrong types, and text that is no scenario."""

import json
import reprlib
from typing import Any

import pytest

from rtp import PRESETS, Scenario
from rtp.scenario import MAX_JSON_BYTES
from rtp.scenario.validation import SCENARIO_VERSION
from tests.help.sentence import NO_TEXT, refuse


@pytest.mark.parametrize("key", ["epsilonn", "self", "path", "__class__", "x" * 900_000, "a\nb", "a. b", ""])
def test_an_unknown_key_is_refused_by_name(key: str) -> None:
    shown = key if key.isidentifier() and len(key) < 40 else reprlib.repr(key)
    sentence = f"{shown} is not a field of Scenario; known are {', '.join(Scenario.model_fields)}."
    assert refuse(lambda: Scenario.from_json(json.dumps({key: 1}))) == sentence
    if len(key) < 900_000:
        assert refuse(lambda: PRESETS["paper"].replace(**{key: 1})) == sentence


def test_an_unknown_key_deep_inside_is_refused_with_its_path() -> None:
    text = json.dumps({"models": [{"habits": [{}, {"startt": 1}]}]})
    assert refuse(lambda: Scenario.from_json(text)) == (
        "models[0].habits[1].startt is not a field of Habits; known are initial_occupied, periods, weekend."
    )


@pytest.mark.parametrize("text", ['{"\\ud800": 1}', '{"\ud800": 1}'], ids=["escaped", "as it is"])
def test_a_key_that_is_no_text_is_refused(text: str) -> None:
    assert refuse(lambda: Scenario.from_json(text)) == f"A key is '\\ud800'; {NO_TEXT}"


def test_a_missing_field_is_named() -> None:
    sentence = refuse(lambda: Scenario.from_json('{"models": [{"habits": [{"periods": [{"name": "A"}]}]}]}'))
    assert sentence == "models[0].habits[0].periods[0].start is missing from Period."


@pytest.mark.parametrize(("name", "kind"), [("groups", "Group"), ("models", "OccupancyModel")])
@pytest.mark.parametrize("value", [5, "abc", {"a": 1}, None, [5], ["abc"], [[]]])
def test_wrong_types_are_refused(name: str, kind: str, value: Any) -> None:
    sentence = f"{name} is {value!r}; input should be a valid tuple."
    if isinstance(value, list):
        sentence = f"{name}[0] is {value[0]!r}; input should be a valid dictionary or instance of {kind}."
    assert refuse(lambda: Scenario.from_json(json.dumps({name: value}))) == sentence


@pytest.mark.parametrize(
    "text",
    ["", "{", "nonsense", "[" * 100_000, b"\xff\xfe\xfd", '{"seed": ' + "9" * 5000 + "}", "{'a': 1}"],
    ids=["nothing", "cut", "words", "nested", "bytes", "digits", "quotes"],
)
def test_text_that_is_not_json_is_refused(text: str | bytes) -> None:
    with pytest.raises((ValueError, RecursionError)) as why:
        json.loads(text)
    problem = "it is nested too deeply" if why.type is RecursionError else str(why.value)
    sentence = f"The text is not JSON that can be read: {problem}."
    assert refuse(lambda: Scenario.from_json(text)) == sentence


@pytest.mark.parametrize("text", ["[]", "5", '"abc"', "null", "NaN", "true"])
def test_json_that_is_no_object_is_refused(text: str) -> None:
    sentence = refuse(lambda: Scenario.from_json(text))
    assert sentence == f"The JSON is {json.loads(text)!r}; it must be an object."


def test_json_of_megabytes_is_refused_unread() -> None:
    text = '{"seed": 1}' + " " * MAX_JSON_BYTES
    assert Scenario.from_json(text[:1_000_000]) == Scenario(seed=1), "as long as any"
    assert refuse(lambda: Scenario.from_json(text)) == (
        f"The file has {len(text):,} bytes; at most {MAX_JSON_BYTES:,} are read."
    )
    assert refuse(lambda: Scenario.from_json(text.encode())) == (
        "The file has 1,000,011 bytes; at most 1,000,000 are read."
    )
    assert refuse(lambda: Scenario.from_json("é" * (MAX_JSON_BYTES // 2 + 1))) == (
        "The file has 1,000,002 bytes; at most 1,000,000 are read."
    )


def test_a_key_given_twice_is_refused() -> None:
    sentence = refuse(lambda: Scenario.from_json('{"seed": 1, "epsilon": 0.5, "epsilon": 5.0}'))
    assert sentence == "'epsilon' appears twice in one JSON object; it must appear once."


def test_json_from_a_newer_version_is_refused_even_with_fields_we_do_not_know() -> None:
    sentence = refuse(lambda: Scenario.from_json(json.dumps({"version": SCENARIO_VERSION + 1, "quilt": {}})))
    assert sentence == "version is 3, newer than this lab; it reads versions 1 to 2."
