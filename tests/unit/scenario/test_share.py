"""A scenario in a link, under a name, several in a file, pinned."""

import base64
import zlib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rtp import PRESETS, House, OccupancyModel, Scenario, ScenarioError
from rtp.scenario import MAX_JSON_BYTES, edit
from rtp.scenario.consumption import house_list_id
from rtp.scenario.share import (
    MAX_PINS,
    MAX_QUERY_LENGTH,
    PACKED,
    Named,
    damage_words,
    free_name,
    from_library,
    pins_to_link,
    read_link,
    read_pins,
    to_library,
    to_link,
)
from tests.help.strategies import detailed_scenarios
from tests.help.streets import ODD

presets = st.sampled_from(list(PRESETS))
STREET = tuple(House(name=f"H{i}", group="Households", occupied=1 / (i + 1), empty=0.1) for i in range(5))
LISTED = edit.with_houses(Scenario(), STREET)


@given(detailed_scenarios() | st.sampled_from([LISTED, *PRESETS.values()]), presets)
@example(ODD["half hours"], "paper")
def test_a_link_comes_back_to_the_last_digit(scenario: Scenario, preset: str) -> None:
    link = to_link(scenario, preset)
    assert all(isinstance(value, str) for value in link.values())
    assert read_link(link) == (preset, scenario, (), ())
    assert set(to_link(PRESETS[preset], preset)) <= {"preset"}


def test_a_link_understands_every_name() -> None:
    for name in ("2019", "true", "null", "NaN", "1e5", "Infinity", "Night owls", "é"):
        scenario = Scenario(models=(OccupancyModel(name=name),), assumed_model=name)
        assert read_link(to_link(scenario)).scenario == scenario


def _packed(text: str | bytes) -> str:
    raw = text.encode() if isinstance(text, str) else text
    return base64.urlsafe_b64encode(zlib.compress(raw)).decode().rstrip("=")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *(("preset", text) for text in ("moon", "x" * 5000)),
        *(("epsilon", text) for text in ("0", "NaN", "-Infinity", "", "[" * 100_000, "[0.5]", '"0.5"')),
        ("households", "1e3"),
        ("seed", "9" * 5000),
        ("self", "1"),
        ("utm_source", "mail"),
        ("groups", "[]"),
        ("clip_at_zero", "yes"),
        ("version", "3"),
        *((PACKED, text) for text in ("!!!", "é", "", "AAAA", _packed("{}")[:-4], "A" * 2 * MAX_JSON_BYTES)),
        *((PACKED, _packed(raw)) for raw in ("not json", b"\xff", "[1]", '{"epsilon": 5}')),
        (PACKED, _packed(" " * (MAX_JSON_BYTES + 1))),
        ("listed", "%%%"),
    ],
)
def test_a_broken_parameter_is_refused_by_name_and_the_rest_is_read(name: str, text: str) -> None:
    reading = read_link({"alpha": "2", name: text})
    assert reading.scenario == Scenario(alpha=2.0)
    assert (reading.unknown or tuple(error.path for error in reading.damaged)) == (name,)
    assert len(damage_words(reading.damaged)) < 700


LEANS_ON_THE_STREET = {"assumed_model", "step_minutes"}  # on its models and periods


@given(detailed_scenarios(), presets, st.data())
def test_damage_to_one_parameter_leaves_all_others_in_force(
    scenario: Scenario, preset: str, data: st.DataObject
) -> None:
    link = to_link(scenario, preset) | {"seed": str(scenario.seed)}
    name = data.draw(st.sampled_from(sorted(link)))
    cut = data.draw(st.integers(0, max(len(link[name]) - 1, 0)))
    reading = read_link(link | {name: link[name][:cut] + data.draw(st.text(max_size=3))})
    faults = {error.path.split("[")[0].split(".")[0] for error in reading.damaged}
    hit = {PACKED, "groups", "models"} if name == PACKED else {name}
    assert faults <= hit | (LEANS_ON_THE_STREET if name in (PACKED, "preset", "step_minutes") else set())
    for field in link.keys() & Scenario.model_fields.keys() - hit - faults:
        assert getattr(reading.scenario, field) == getattr(scenario, field), field


def test_a_list_too_long_for_a_link_is_missing_unless_at_hand() -> None:
    whole = to_link(LISTED)
    length = len(whole["listed"])
    assert to_link(LISTED, longest=length) == whole
    short = to_link(LISTED, longest=length - 1)
    assert short == whole | {"listed": house_list_id(STREET)}
    reading = read_link(short)
    assert reading.scenario == LISTED.replace(houses=None)
    assert [error.path for error in reading.damaged] == ["listed"]
    assert read_link(short, {house_list_id(STREET): STREET}).scenario == LISTED


names = st.from_regex(r"\A[a-zA-Z0-9é][a-z '().,:&/+-]{0,39}\Z")
named = st.builds(
    Named,
    name=names,
    preset=presets,
    scenario=detailed_scenarios() | st.sampled_from(list(PRESETS.values())),
)
TIGHT = Named(name="Tight", scenario=Scenario(epsilon=0.1))


@given(st.dictionaries(st.integers(1, MAX_PINS), named))
def test_text_file_and_link_give_the_same_again(pins: dict[int, Named]) -> None:
    for one in pins.values():
        assert Named.from_text(one.to_text()) == one
        assert Named(name=free_name(one.name, [one.name])).name != one.name
    assert from_library(to_library(list(pins.values()))) == list(pins.values())
    link = pins_to_link(pins, {})
    whole = {slot: pin for slot, pin in pins.items() if link[f"pin{slot}"] != pin.name}
    stranger = read_pins(link, {})
    assert (stranger.pins, len(stranger.damaged)) == (whole, len(pins) - len(whole))
    assert read_pins(link, pins) == (pins, ())


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("Tight?epsilon=0", "epsilon"),
        ("Tight?epsilon=1&weather=3", "Tight"),  # of a newer lab
        ("x" * 41 + "?", "name"),
        ("<b>?epsilon=1", "name"),
        ("Many?" + "x=1&" * 500, "Many"),
        (f'{{"scenarios": [{"{}," * 500}{{}}]}}', "The file"),
        *((f'{{"scenarios": {scenarios}}}', "The file") for scenarios in ("null", "[1]")),
        ('{"scenarios": [{"name": "A", "preset": "moon"}]}', "preset"),
        ('{"scenarios": [{"name": "A", "scenario": {"epsilon": 0}}]}', r"scenario\.epsilon"),
    ],
)
def test_a_damaged_text_or_file_is_refused_by_its_field(text: str, field: str) -> None:
    with pytest.raises(ScenarioError, match=f"^{field} "):
        from_library(text) if text.startswith("{") else Named.from_text(text)


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
