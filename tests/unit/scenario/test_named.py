"""Scenarios under a name: their text, their file, and the pins of a link."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp import PRESETS, Group, Scenario, ScenarioError
from rtp.scenario.describe import origin_words
from rtp.scenario.share import (
    MAX_LINK_LENGTH,
    MAX_PINS,
    NAMES,
    PIN_NAMES,
    Named,
    free_name,
    free_slot,
    from_library,
    must_be_new_name,
    pins_to_link,
    read_pins,
    to_library,
)
from tests.help.sentence import exactly

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
            "' ( ) . , & / + -.",
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


@given(st.dictionaries(st.integers(1, MAX_PINS), named))
def test_pins_come_back_from_a_link_or_are_named_as_too_long(pins: dict[int, Named]) -> None:
    link = pins_to_link(pins, used=0)
    assert len(link) == len(pins)
    whole = {slot: pin for slot, pin in pins.items() if link[f"pin{slot}"] == pin.to_text()}
    stranger, holder = read_pins(link, {}), read_pins(link, pins)
    assert stranger.pins == whole
    assert len(stranger.damaged) == len(pins) - len(whole)
    assert holder == (pins, ())


def test_a_link_with_pins_stays_within_a_length_that_travels() -> None:
    long = Named(name="Long", scenario=Scenario(groups=_odd_groups(), models=_odd_models()))
    assert len(long.to_text()) > MAX_LINK_LENGTH / MAX_PINS
    link = pins_to_link({1: TIGHT, 2: long, 3: long, 4: long}, used=MAX_LINK_LENGTH - 100)
    assert link == {"pin1": "Tight?epsilon=0.1", "pin2": "Long", "pin3": "Long", "pin4": "Long"}
    (fault,) = read_pins({"pin2": "Long"}, {}).damaged
    assert str(fault) == "pin2 was too long for a link, which has its name only."


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
    assert not PIN_NAMES.keys() & NAMES
