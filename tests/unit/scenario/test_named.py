"""Scenarios under a name: as text, several in a file, pinned to a link."""

import base64
import json
import zlib
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp import PRESETS, Group, House, Scenario, ScenarioError
from rtp.scenario import edit
from rtp.scenario.describe import origin_words
from rtp.scenario.share import (
    LINK_NAMES,
    MAX_LINK_LENGTH,
    MAX_PINS,
    PIN_NAMES,
    Named,
    free_name,
    free_slot,
    from_library,
    must_be_new_name,
    pins_to_link,
    read_pins,
    to_library,
    to_link,
)
from rtp.version import VERSION
from tests.help.sentence import exactly

NO_OBJECT = base64.urlsafe_b64encode(zlib.compress(b"[1]")).decode().rstrip("=")
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


def test_a_text_sets_back_what_its_preset_has() -> None:
    bare = Named(name="Bare", preset="feeder", scenario=PRESETS["feeder"].replace(currency=""))
    assert bare.to_text() == "Bare?preset=feeder&currency="
    assert Named.from_text(bare.to_text()) == bare


def test_what_is_known_of_a_scenario_is_its_changes_in_few_characters() -> None:
    zurich = Named(name="Mine", scenario=Scenario(epsilon=0.1, groups=(Group(name="Zürich"),)))
    assert zurich.known().decode() == (
        '{"preset":"paper","epsilon":0.1,"groups":[{"name":"Zürich","share":1.0,"occupied_max":1.0,'
        '"empty_max":0.5}]}'
    )


def test_a_file_of_several_says_which_lab_wrote_it() -> None:
    assert to_library([]) == f'{{\n  "lab": "{VERSION}",\n  "scenarios": []\n}}'
    assert from_library(to_library([])) == []
    assert from_library('{"scenarios": [{"name": "As is"}]}') == [Named(name="As is", preset="paper")]


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
        ("Tight?~!", "Tight is damaged; copy the whole link again."),
        (
            f"Tight?~{NO_OBJECT}",
            f"Tight holds something else than preset and {' and '.join(Scenario.model_fields)}.",
        ),
        ("x" * 41 + "?", "name is 'xxxxxxxxxxxx...xxxxxxxxxxxxx'; string should have at most 40 characters."),
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
    assert read_pins(full | link, {}).pins == {1: TIGHT}
    assert link["pin1"][:7] == "Tight?~"
    assert [link[f"pin{slot}"] for slot in (2, 3, 4)] == ["Long"] * 3
    assert len(urlencode(full | link)) <= MAX_LINK_LENGTH + len(urlencode({"pin2": "Long"})) * 3
    (fault,) = read_pins({"pin2": "Long"}, {}).damaged
    assert str(fault) == "pin2 was too long for a link, which has its name only."


def test_pins_are_shortened_only_where_they_would_make_a_link_too_long() -> None:
    pin = Named(name="Steady", scenario=PRESETS["steady houses"])
    plain, short = pin.to_text(), pin.to_short_text(b"")

    def link_with(text: str, more: int) -> dict[str, str]:
        """The pin of a link that would have so many characters more than travel, were this text its pin."""
        rest = MAX_LINK_LENGTH - len(urlencode({"pin1": text})) - len("o=")
        return pins_to_link({1: pin}, {"o": "x" * (rest + more)})

    assert link_with(plain, 0) == {"pin1": plain}
    assert link_with(plain, 1) == link_with(short, 0) == {"pin1": short}
    assert link_with(short, 1) == {"pin1": "Steady"}


def test_pins_cost_little_beside_the_houses_that_a_link_lists() -> None:
    """Where the houses are too many for the link, pins are compressed without them."""
    mill_lane = [House(name=f"Mill {i}", group="Households", occupied=i / 7, empty=0.1) for i in range(1, 9)]
    listed = edit.with_houses(Scenario(), mill_lane)
    pin, own = Named(name="Mine", scenario=listed.replace(epsilon=0.1)), to_link(listed)
    left = 120
    assert len(own["listed"]) > left
    link = own | pins_to_link({1: pin}, own | {"o": "x" * (MAX_LINK_LENGTH - len(urlencode(own)) - left)})
    assert read_pins(link, {}) == ({1: pin}, ())
    too_many = {"listed": "8-0123abcd", "o": "x" * MAX_LINK_LENGTH}
    assert pins_to_link({1: pin}, too_many) == {"pin1": "Mine"}


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
    assert [str(error) for error in read.damaged] == [
        "pin1 is damaged: epsilon is 'x'; it must be a number from 0.0001 to 10,000."
    ]


def test_slots_and_names_are_taken_once() -> None:
    assert free_slot({}) == 1
    assert free_slot({1: TIGHT, 3: TIGHT}) == 2
    assert free_slot(dict.fromkeys(range(1, MAX_PINS + 1), TIGHT)) is None
    assert free_name("A", []) == "A"
    assert free_name("A", ["A", "A (2)"]) == "A (3)"
    assert free_name("x" * 40, ["x" * 40]) == "x" * 34 + " (2)"
    with pytest.raises(ScenarioError, match=exactly("The name 'A' is taken; each may be used once.")):
        must_be_new_name("A", ["A"])


def test_pins_and_scenario_share_no_name_in_a_link() -> None:
    assert not PIN_NAMES.keys() & LINK_NAMES
    assert PIN_NAMES == {"pin1": 1, "pin2": 2, "pin3": 3, "pin4": 4}
