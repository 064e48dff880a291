"""A scenario in a link."""

import base64
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp import PRESETS, House, OccupancyModel, Scenario, ScenarioError
from rtp.scenario import MAX_JSON_BYTES, edit
from rtp.scenario.consumption import house_list_id
from rtp.scenario.share import LINK_NAMES, PACKED, damage_words, from_link, read_link, to_link, unknown_words
from tests.help.strategies import detailed_scenarios

presets = st.sampled_from(list(PRESETS))
STREET = tuple(House(name=f"H{i}", group="Households", occupied=1 / (i + 1), empty=0.1) for i in range(5))
LISTED = edit.with_houses(Scenario(), STREET)


@given(detailed_scenarios() | st.sampled_from([LISTED, *PRESETS.values()]), presets)
def test_a_link_comes_back_to_the_last_digit(scenario: Scenario, preset: str) -> None:
    link = to_link(scenario, preset)
    assert all(isinstance(value, str) for value in link.values())
    assert from_link(link) == (preset, scenario)
    assert read_link(link) == (preset, scenario, (), ())
    assert set(to_link(PRESETS[preset], preset)) <= {"preset"}


def test_a_link_reads_like_what_changed() -> None:
    changed = Scenario(epsilon=0.1, households=200, clip_at_zero=True, habit_clip="closed")
    wanted = {"epsilon": "0.1", "households": "200", "clip_at_zero": "true", "habit_clip": "closed"}
    assert to_link(changed) == wanted
    assert from_link({"preset": "elastic demand", "reference_rate": "null"})[1].reference_rate is None


@pytest.mark.parametrize("name", ["2019", "true", "null", "NaN", "1e5", "Infinity", "Night owls", "é"])
def test_a_model_may_be_called_anything_a_link_could_mistake(name: str) -> None:
    scenario = Scenario(models=(OccupancyModel(name=name),), assumed_model=name)
    assert from_link(to_link(scenario))[1] == scenario


def test_a_link_understands_numbers_as_every_field_does() -> None:
    for text in ("0.2", ".2", "0,2", "1/5", "20 %"):
        assert from_link({"epsilon": text}) == ("paper", Scenario(epsilon=0.2))


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
        *((PACKED, text) for text in ("!!!", "é", "", "AAAA", _packed("{}")[:-4], "!!!!" + _packed("{}"))),
        *((PACKED, _packed(raw)) for raw in ("not json", b"\xff", "[" * 100_000, "[1]", '{"epsilon": 5}')),
        (PACKED, _packed(" " * (MAX_JSON_BYTES + 1))),
        ("listed", "%%%"),
    ],
)
def test_a_broken_parameter_is_refused_by_name_and_the_rest_is_read(name: str, text: str) -> None:
    with pytest.raises(ScenarioError, match=f"^{name} ") as refused:
        from_link({name: text})
    assert len(str(refused.value)) < 600
    reading = read_link({"alpha": "2", name: text})
    assert reading.scenario == Scenario(alpha=2.0)
    assert (reading.unknown or tuple(error.path for error in reading.damaged)) == (name,)


@given(st.dictionaries(st.text(max_size=12) | st.sampled_from(sorted(LINK_NAMES)), st.text(max_size=30)))
def test_no_link_at_all_is_refused_by_the_lenient_reading(link: dict[str, str]) -> None:
    reading = read_link(link)
    assert set(reading.unknown) == link.keys() - LINK_NAMES
    assert len(reading.damaged) <= len(link.keys() & LINK_NAMES)
    for said, names in (
        (damage_words(reading.damaged), [error.path for error in reading.damaged]),
        (unknown_words(reading.unknown), reading.unknown),
    ):
        assert bool(said) == bool(names)


LEANS_ON_THE_STREET = {"assumed_model", "conversion", "step_minutes"}  # on its models, matrices and periods


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


def test_what_depends_on_another_parameter_is_read_after_it() -> None:
    late = Scenario(models=(OccupancyModel(name="Late"),), assumed_model="Late")
    for scenario in (late, LISTED):
        reading = read_link({"epsilon": "x"} | dict(reversed(to_link(scenario).items())))
        assert reading.scenario == scenario
        assert [error.path for error in reading.damaged] == ["epsilon"]


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


def test_unknown_parameters_are_named_quoted_or_counted() -> None:
    said = unknown_words(["a", "<b>", "c", "d", "e"])
    assert all(name in said for name in ("a", "'<b>'", "c", "2 more"))
