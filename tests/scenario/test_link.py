"""A link gives the same scenario again; a broken one is refused in one sentence."""

import base64
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp import PRESETS, OccupancyModel, Scenario, ScenarioError
from rtp.scenario import MAX_JSON_BYTES
from rtp.scenario.link import PACKED, from_link, to_link
from tests.help.sentence import exactly
from tests.help.strategies import scenarios


@pytest.mark.parametrize("preset", PRESETS)
def test_a_presets_link_is_its_name(preset: str) -> None:
    link = to_link(PRESETS[preset], preset)
    assert link == ({} if preset == "paper" else {"preset": preset})
    assert from_link(link) == (preset, PRESETS[preset])


@given(scenarios(), st.sampled_from(list(PRESETS)))
def test_a_link_gives_the_same_scenario_again(scenario: Scenario, preset: str) -> None:
    link = to_link(scenario, preset)
    assert all(isinstance(value, str) for value in link.values())
    assert from_link(link) == (preset, scenario)


def test_a_link_reads_like_what_changed() -> None:
    link = to_link(
        Scenario(epsilon=0.1, households=200, clip_at_zero=True, habit_clip="closed", reference_rate=9.5)
    )
    assert link == {
        "epsilon": "0.1",
        "households": "200",
        "clip_at_zero": "true",
        "habit_clip": "closed",
        "reference_rate": "9.5",
    }


@pytest.mark.parametrize("name", ["2019", "true", "null", "NaN", "1e5", "Infinity", "Night owls", "é"])
def test_a_model_may_be_called_anything_a_link_could_mistake(name: str) -> None:
    scenario = Scenario(models=(OccupancyModel(name=name),), assumed_model=name)
    assert from_link(to_link(scenario))[1] == scenario


def test_a_link_can_set_back_what_its_preset_changed() -> None:
    elastic = PRESETS["elastic demand"].replace(reference_rate=5.0)
    assert from_link(to_link(elastic, "elastic demand"))[1] == elastic
    assert from_link({"preset": "elastic demand", "reference_rate": "null"})[1].reference_rate is None


def _packed(text: str | bytes) -> str:
    raw = text.encode() if isinstance(text, str) else text
    return base64.urlsafe_b64encode(zlib.compress(raw)).decode().rstrip("=")


EPSILON = "it must be a number from 0.0001 to 10,000."
FIELDS = f"is not a field of Scenario; known are {', '.join(Scenario.model_fields)}."
PRESET = f"it must be one of {', '.join(PRESETS)}."
DAMAGED = "street is damaged; copy the whole link again."
ELSE = "street holds something else than groups and models."


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ({"preset": "moon"}, f"preset is 'moon'; {PRESET}"),
        ({"preset": "x" * 5000}, f"preset is 'xxxxxxxxxxxx...xxxxxxxxxxxxx'; {PRESET}"),
        ({"epsilon": "0"}, f"epsilon is 0; {EPSILON}"),
        ({"epsilon": "NaN"}, f"epsilon is nan; {EPSILON}"),
        ({"epsilon": "-Infinity"}, f"epsilon is -inf; {EPSILON}"),
        ({"epsilon": ""}, f"epsilon is ''; {EPSILON}"),
        ({"epsilon": "[" * 100_000}, f"epsilon is '[[[[[[[[[[[[...[[[[[[[[[[[[['; {EPSILON}"),
        ({"epsilon": "[0.5]"}, f"epsilon is '[0.5]'; {EPSILON}"),
        ({"epsilon": '"0.5"'}, f"epsilon is '0.5'; {EPSILON}"),
        (
            {"households": "1e3"},
            "households is 1000.0; it must be a whole number from 1 to 10,000,000.",
        ),
        (
            {"seed": "9" * 5000},
            "seed is '999999999999...9999999999999'; it must be a whole number from 0 to 2,147,483,647.",
        ),
        ({"self": "1"}, f"self {FIELDS}"),
        ({"utm_source": "mail"}, f"utm_source {FIELDS}"),
        ({"groups": "[]"}, "groups is '[]'; input should be a valid tuple."),
        ({"clip_at_zero": "yes"}, "clip_at_zero is 'yes'; input should be a valid boolean."),
        ({"version": "3"}, "version is 3; it must be a whole number from 1 to 2."),
        ({PACKED: "!!!"}, DAMAGED),
        ({PACKED: "é"}, DAMAGED),
        ({PACKED: ""}, DAMAGED),
        ({PACKED: "AAAA"}, DAMAGED),
        ({PACKED: _packed("{}")[:-4]}, DAMAGED),
        ({PACKED: _packed("not json")}, DAMAGED),
        ({PACKED: _packed(b"\xff")}, DAMAGED),
        ({PACKED: _packed("[" * 100_000)}, DAMAGED),
        ({PACKED: _packed(" " * (MAX_JSON_BYTES + 1))}, DAMAGED),
        ({PACKED: _packed("[1]")}, ELSE),
        ({PACKED: _packed('{"epsilon": 5}')}, ELSE),
        (
            {PACKED: _packed('{"groups": [{"share": 2}]}')},
            "groups[0].share is 2; it must be a number from 0 to 1.",
        ),
    ],
)
def test_a_broken_link_is_refused_in_one_sentence(link: dict[str, str], sentence: str) -> None:
    with pytest.raises(ScenarioError, match=exactly(sentence)) as refused:
        from_link(link)
    assert refused.value.path == sentence.split(" ")[0]


@given(st.dictionaries(st.text(max_size=12), st.text(max_size=30), max_size=4))
def test_no_link_does_worse_than_be_refused(link: dict[str, str]) -> None:
    try:
        _, scenario = from_link(link)
    except ScenarioError:
        return
    assert isinstance(scenario, Scenario)
