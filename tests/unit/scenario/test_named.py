"""Scenarios under a name: as text, several in a file, pinned to a link."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp import PRESETS, House, Scenario, ScenarioError
from rtp.scenario import edit
from rtp.scenario.share import (
    MAX_PINS,
    MAX_QUERY_LENGTH,
    PIN_NAMES,
    Named,
    free_name,
    from_library,
    pins_to_link,
    read_pins,
    to_library,
)
from tests.help.strategies import detailed_scenarios

names = st.from_regex(r"\A[a-zA-Z0-9é][a-z '().,:&/+-]{0,39}\Z")
named = st.builds(
    Named,
    name=names,
    preset=st.sampled_from(list(PRESETS)),
    scenario=detailed_scenarios() | st.sampled_from(list(PRESETS.values())),
)
TIGHT = Named(name="Tight", scenario=Scenario(epsilon=0.1))


@given(st.dictionaries(st.integers(1, MAX_PINS), named))
def test_text_file_and_link_give_the_same_again(pins: dict[int, Named]) -> None:
    for one in pins.values():
        assert Named.from_text(one.to_text()) == one
    assert from_library(to_library(list(pins.values()))) == list(pins.values())
    link = pins_to_link(pins, {})
    whole = {slot: pin for slot, pin in pins.items() if link[f"pin{slot}"] != pin.name}
    stranger = read_pins(link, {})
    assert (stranger.pins, len(stranger.damaged)) == (whole, len(pins) - len(whole))
    assert read_pins(link, pins) == (pins, ())


def test_a_text_reads_like_what_changed() -> None:
    assert TIGHT.to_text() == "Tight?epsilon=0.1"
    bare = Named(name="Bare", preset="feeder", scenario=PRESETS["feeder"].replace(currency=""))
    assert bare.to_text() == "Bare?preset=feeder&currency="
    assert Named.from_text(bare.to_text()) == bare


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("Tight?epsilon=0", "epsilon"),
        ("Tight?epsilon=1&weather=3", "Tight"),  # of a newer lab
        ("x" * 41 + "?", "name"),
        ("<b>?epsilon=1", "name"),
    ],
)
def test_a_damaged_text_is_refused_by_its_field(text: str, field: str) -> None:
    with pytest.raises(ScenarioError, match=f"^{field} "):
        Named.from_text(text)


@pytest.mark.parametrize(
    ("scenarios", "field"),
    [
        (None, "The file"),
        ([1], "The file"),
        ([{"name": "A", "preset": "moon"}], "preset"),
        ([{"name": "A", "scenario": {"epsilon": 0}}], r"scenario\.epsilon"),
        ([{"name": "A", "colour": 1}], "colour"),
    ],
)
def test_a_damaged_file_is_refused_by_its_field(scenarios: object, field: str) -> None:
    with pytest.raises(ScenarioError, match=f"^{field} "):
        from_library(json.dumps({"scenarios": scenarios}))


def test_an_old_file_of_several_is_read() -> None:
    old = {"lab": "1.2", "scenarios": [{"name": "As is", "lab": "x"}, {"name": "B", "scenario": {"seed": 3}}]}
    assert from_library(json.dumps(old)) == [Named(name="As is"), Named(name="B", scenario=Scenario(seed=3))]


def test_a_pin_too_long_for_servers_leaves_its_name() -> None:
    houses = [
        House(name=f"H{i}", group="Households", occupied=(i * 7919 % 997) / 997, empty=0) for i in range(900)
    ]
    long = Named(name="Long", scenario=edit.with_houses(Scenario(), houses))
    pins = {1: TIGHT, 2: long, 3: TIGHT.replace(name="Last")}
    assert len(long.to_text()) > MAX_QUERY_LENGTH
    link = pins_to_link(pins, {})
    assert link["pin2"] == "Long"
    stranger = read_pins(link, {})
    assert (list(stranger.pins), [error.path for error in stranger.damaged]) == ([1, 3], ["pin2"])
    assert read_pins(link, pins) == (pins, ())
    free = MAX_QUERY_LENGTH - len("&pin1=Tight%3Fepsilon%3D0.1") - len("o=")
    fits = [
        pins_to_link({1: TIGHT}, {"o": "x" * (free + more)})["pin1"] == TIGHT.to_text() for more in (0, 1)
    ]
    assert fits == [True, False]


@given(
    st.dictionaries(
        st.sampled_from(sorted(PIN_NAMES)), st.text(max_size=20) | st.just("A?~eJw") | st.just("A?")
    )
)
def test_no_pin_of_a_link_does_worse_than_be_told(link: dict[str, str]) -> None:
    read = read_pins(link, {})
    assert len(read.pins) + len(read.damaged) == len(link)
    assert {error.path for error in read.damaged} == {
        name for name, slot in PIN_NAMES.items() if name in link and slot not in read.pins
    }


def test_a_free_name_is_the_first_that_is_not_taken() -> None:
    assert free_name("A", ["A", "A (2)"]) == "A (3)"
    long = free_name("x" * 40, ["x" * 40])
    assert Named(name=long).name != "x" * 40
