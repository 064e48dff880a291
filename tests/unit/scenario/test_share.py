"""A scenario in a link, under a name, pinned."""

import base64
import json
import zlib
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from rtp import PRESETS, Group, OccupancyModel, Scenario, ScenarioError
from rtp.scenario import MAX_JSON_BYTES
from rtp.scenario.describe import origin_words
from rtp.scenario.share import (
    LINK_NAMES,
    MAX_LINK_LENGTH,
    MAX_PINS,
    MAX_UNKNOWN_NAMES,
    PACKED,
    PIN_NAMES,
    Named,
    damage_words,
    free_name,
    free_slot,
    from_library,
    from_link,
    must_be_new_name,
    pins_to_link,
    read_link,
    read_pins,
    to_library,
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


def test_a_belief_is_read_after_the_street_that_it_names() -> None:
    scenario = Scenario(models=(OccupancyModel(name="Late"),), assumed_model="Late")
    reading = read_link({"epsilon": "x"} | to_link(scenario))
    assert reading.scenario == scenario
    assert [error.path for error in reading.damaged] == ["epsilon"]


def test_up_to_three_unknown_parameters_are_named() -> None:
    assert unknown_words(["a", "b", "c", "d", "e"][: MAX_UNKNOWN_NAMES + 2]) == (
        "Unknown in this link, and ignored: a, b, c, 2 more."
    )
    assert unknown_words(["<b>"]) == "Unknown in this link, and ignored: '<b>'."


alphabet = "aZ09é '().,&/+-"
names = st.builds(str.__add__, st.sampled_from("aZ0é"), st.text(alphabet, max_size=39))
some = [*PRESETS.values(), Scenario(epsilon=0.1), PRESETS["mixed street"].replace(beta=1.0, seed=2**31 - 1)]
named = st.builds(
    Named, name=names, preset=st.sampled_from(list(PRESETS)), scenario=st.sampled_from(some)
)  # any scenario's own link is tried in test_link
TIGHT = Named(name="Tight", scenario=Scenario(epsilon=0.1))


@given(named)
def test_a_text_and_a_file_give_the_same_again(one: Named) -> None:
    assert Named.from_text(one.to_text()) == one
    assert from_library(to_library([one])) == [one]
    assert json.loads(to_library([one]))["scenarios"][0]["lab"] == origin_words(one.scenario)


def test_a_text_reads_like_what_changed() -> None:
    assert TIGHT.to_text() == "Tight?epsilon=0.1"
    assert Named(name="As is", preset="mansions", scenario=PRESETS["mansions"]).to_text() == (
        "As is?preset=mansions"
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Tight?epsilon=0", "epsilon is 0; it must be a number from 0.0001 to 10,000."),
        ("Tight?epsilon=1&weather=3", "Tight was saved by a newer lab; this one does not know all of it."),
        (
            "<b>?epsilon=1",
            "name is '<b>'; it must start with a letter or digit and use only letters, digits, spaces and "
            "' ( ) . , : & / + -.",
        ),
    ],
)
def test_a_damaged_text_is_refused_in_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(ScenarioError, match=exactly(sentence)):
        Named.from_text(text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{}", "The file holds no list of scenarios."),
        ('{"scenarios": [1]}', "The file holds no list of scenarios."),
        (
            json.dumps({"scenarios": [{"name": "A", "preset": "moon"}]}),
            f"preset is 'moon'; it must be one of {', '.join(PRESETS)}.",
        ),
        (
            json.dumps({"scenarios": [{"name": "A", "scenario": {"epsilon": 0}}]}),
            "scenario.epsilon is 0; it must be a number from 0.0001 to 10,000.",
        ),
    ],
)
def test_a_damaged_file_is_refused_in_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(ScenarioError, match=exactly(sentence)):
        from_library(text)


@given(st.dictionaries(st.integers(1, MAX_PINS), named), named)
def test_pins_come_back_from_a_link_unless_too_long(pins: dict[int, Named], shown: Named) -> None:
    own = to_link(shown.scenario, shown.preset)
    link = own | pins_to_link(pins, own)
    assert len(link) == len(own) + len(pins)
    whole = {slot: pin for slot, pin in pins.items() if link[f"pin{slot}"] != pin.name}
    stranger, holder = read_pins(link, {}), read_pins(link, pins)
    assert stranger.pins == whole
    assert len(stranger.damaged) == len(pins) - len(whole)
    assert holder == (pins, ())


def test_a_link_with_pins_stays_within_a_length_that_travels() -> None:
    long = Named(name="Long", scenario=Scenario(groups=_odd_groups(), models=_odd_models()))
    assert len(long.to_text()) > MAX_LINK_LENGTH / MAX_PINS
    full = {"other": "x" * (MAX_LINK_LENGTH - 100)}
    link = pins_to_link({1: TIGHT, 2: long, 3: long, 4: long}, full)
    assert link["pin1"].startswith("Tight?~")
    assert [link[f"pin{slot}"] for slot in (2, 3, 4)] == ["Long"] * 3
    assert len(urlencode(full | link)) <= MAX_LINK_LENGTH + len(urlencode({"pin2": "Long"})) * 3
    (fault,) = read_pins({"pin2": "Long"}, {}).damaged
    assert str(fault) == "pin2 was too long for a link, which has its name only."


def test_a_link_holds_four_pins_of_a_street_of_ones_own() -> None:
    """Three were too long, and one was lost, when each had the whole street again."""
    street = Scenario(groups=_odd_groups(), models=_odd_models())
    rest = street.groups[1:]
    what_ifs = {
        1: street.replace(epsilon=0.34),
        2: street.replace(households=180, epsilon=0.1),
        3: street.replace(groups=(street.groups[0].replace(occupied_max=2.5), *rest)),
        4: PRESETS["mixed street"].replace(seed=4),
    }
    pins = {slot: Named(name=f"What if {slot}", scenario=each) for slot, each in what_ifs.items()}
    assert len(urlencode({str(slot): pin.to_text() for slot, pin in pins.items()})) > MAX_LINK_LENGTH
    own = to_link(street)
    link = own | pins_to_link(pins, own)
    assert len(urlencode(link)) <= MAX_LINK_LENGTH
    assert read_pins(link, {}) == (pins, ())
    assert read_pins(link, {2: pins[2]}) == (pins, ())  # who holds one reads the rest
    first, *_others = read_pins(link | {"pin2": link["pin2"][:-4]}, {}).damaged
    assert first.path == "pin2"


def _odd_groups() -> tuple[Group, ...]:
    shares = [0.1234567, 0.2345678, 0.3456789]
    rest = [Group(name=f"G{s}", share=s, occupied_max=1 + s**0.5, empty_max=s**2.5) for s in shares]
    return (*rest, Group(name="Rest", share=1 - sum(shares)))


def _odd_models() -> tuple[object, ...]:
    model = PRESETS["mixed street"].models[0]
    habits = tuple(model.habits[0].replace(initial_occupied=0.1 + i / 7) for i in range(4))
    return tuple(model.replace(name=f"M{i}", habits=habits) for i in range(3))


@given(st.dictionaries(st.sampled_from(sorted(PIN_NAMES)), st.text(max_size=20)))
def test_no_pin_of_a_link_does_worse_than_be_told(link: dict[str, str]) -> None:
    read = read_pins(link, {})
    assert len(read.pins) + len(read.damaged) == len(link)


def test_one_damaged_pin_leaves_the_others() -> None:
    read = read_pins({"pin1": "Tight?epsilon=x", "pin3": "Tight?epsilon=0.1"}, {})
    assert read.pins == {3: TIGHT}
    assert [error.path for error in read.damaged] == ["pin1"]


def test_slots_and_names_are_taken_once() -> None:
    assert free_slot({}) == 1
    assert free_slot({1: TIGHT, 3: TIGHT}) == 2
    assert free_slot(dict.fromkeys(range(1, MAX_PINS + 1), TIGHT)) is None
    assert free_name("A", []) == "A"
    assert free_name("A", ["A", "A (2)"]) == "A (3)"
    with pytest.raises(ScenarioError, match=exactly("The name 'A' is taken; each may be used once.")):
        must_be_new_name("A", ["A"])


def test_pins_and_scenario_share_no_name_in_a_link() -> None:
    assert not PIN_NAMES.keys() & LINK_NAMES
