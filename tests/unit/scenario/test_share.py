"""A scenario in a link."""

import base64
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from rtp import PRESETS, OccupancyModel, Scenario, ScenarioError
from rtp.scenario import MAX_JSON_BYTES
from rtp.scenario.share import (
    LINK_NAMES,
    MAX_UNKNOWN_NAMES,
    PACKED,
    damage_words,
    from_link,
    read_link,
    to_link,
    unknown_words,
)
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


def test_a_link_understands_numbers_as_every_field_does() -> None:
    for text in ("0.2", ".2", "0,2", "1/5", "20 %"):
        assert from_link({"epsilon": text}) == ("paper", Scenario(epsilon=0.2))


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
        ({PACKED: "!!!!" + _packed("{}")}, DAMAGED),
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


LEANS_ON_THE_STREET = {"assumed_model", "conversion"}  # a name of its models; a root of its matrices


@st.composite
def damaged_links(draw: DrawFn) -> tuple[Scenario, dict[str, str], str]:
    """A scenario, its link with one parameter damaged, and which."""
    scenario, preset = draw(scenarios()), draw(st.sampled_from(list(PRESETS)))
    link = to_link(scenario, preset) | {"seed": str(scenario.seed)}
    name = draw(st.sampled_from(sorted(link)))
    cut = draw(st.integers(0, len(link[name]) - 1))
    return scenario, link | {name: link[name][:cut] + draw(st.text(max_size=3))}, name


@given(damaged_links())
def test_damage_to_one_parameter_leaves_all_others_in_force(
    damaged: tuple[Scenario, dict[str, str], str],
) -> None:
    scenario, link, name = damaged
    reading = read_link(link)
    assert reading.unknown == ()
    faults = {error.path.split("[")[0].split(".")[0] for error in reading.damaged}
    hit = {PACKED, "groups", "models"} if name == PACKED else {name}
    assert faults <= hit | (LEANS_ON_THE_STREET if name in (PACKED, "preset") else set())
    for field in link.keys() & Scenario.model_fields.keys() - hit - faults:
        assert getattr(reading.scenario, field) == getattr(scenario, field), field
    if name not in (PACKED, "preset"):
        assert (reading.scenario.groups, reading.scenario.models) == (scenario.groups, scenario.models)


@given(scenarios(), st.sampled_from(list(PRESETS)))
def test_an_undamaged_link_is_read_without_remarks(scenario: Scenario, preset: str) -> None:
    assert read_link(to_link(scenario, preset)) == (preset, scenario, (), ())


@given(st.dictionaries(st.text(max_size=12) | st.sampled_from(sorted(LINK_NAMES)), st.text(max_size=30)))
def test_no_link_at_all_is_refused_by_the_lenient_reading(link: dict[str, str]) -> None:
    reading = read_link(link)
    assert isinstance(reading.scenario, Scenario)
    assert set(reading.unknown) == link.keys() - LINK_NAMES
    assert len(reading.damaged) <= len(link.keys() & LINK_NAMES)
    assert bool(damage_words(reading.damaged)) == bool(reading.damaged)
    assert bool(unknown_words(reading.unknown)) == bool(reading.unknown)


def test_a_damaged_link_says_what_is_damaged() -> None:
    link = {"preset": "mansions", "epsilon": "0", "seed": "7", "utm_source": "mail", PACKED: "!"}
    reading = read_link(link)
    assert reading.scenario == PRESETS["mansions"].replace(seed=7)
    assert damage_words(reading.damaged) == (
        f"2 parts of this link are damaged; all the rest is used. {DAMAGED} epsilon is 0; {EPSILON}"
    )
    assert unknown_words(reading.unknown) == "Unknown in this link, and ignored: utm_source."


def test_one_damaged_part_is_one() -> None:
    assert damage_words(read_link({"epsilon": "0"}).damaged) == (
        f"A part of this link is damaged; all the rest is used. epsilon is 0; {EPSILON}"
    )
    moon = read_link({"preset": "moon", "seed": "7"})
    assert (moon.preset, moon.scenario) == ("paper", Scenario(seed=7))
    assert [str(error) for error in moon.damaged] == [f"preset is 'moon'; {PRESET}"]


def test_a_belief_is_read_after_the_street_that_it_names() -> None:
    scenario = Scenario(models=(OccupancyModel(name="Late"),), assumed_model="Late")
    reading = read_link({"epsilon": "x"} | to_link(scenario))
    assert reading.scenario == scenario
    assert [error.path for error in reading.damaged] == ["epsilon"]


def test_up_to_three_unknown_parameters_are_named() -> None:
    assert unknown_words(["a", "b", "c", "d", "e"][: MAX_UNKNOWN_NAMES + 2]) == (
        "Unknown in this link, and ignored: a, b, c, 2 more."
    )
    assert unknown_words(["a", "b", "c"]) == "Unknown in this link, and ignored: a, b, c."
    assert unknown_words(["<b>"]) == "Unknown in this link, and ignored: '<b>'."
