"""A field by its address: read, changed, named in a sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp import PRESETS, Scenario, ScenarioError
from rtp.scenario import BOUNDS
from rtp.scenario.fields import bounds, get, numbers, put, put_together, sentence
from tests.help.strategies import detailed_scenarios

MIXED = PRESETS["mixed street"]
WORK = "models[0].habits[0].periods[1]"


@given(detailed_scenarios() | st.sampled_from(list(PRESETS.values())), st.data())
def test_every_number_can_be_read_put_back_and_changed(scenario: Scenario, data: st.DataObject) -> None:
    labels = numbers(scenario)
    assert len(set(labels.values())) == len(labels), "no two have one label"
    for address in data.draw(st.lists(st.sampled_from(sorted(labels)), max_size=5)):
        value = get(scenario, address)
        assert put(scenario, address, value) == scenario, address
        limits = bounds(address)
        assert limits is not None
        for beyond in (limits.low - 1, limits.high + 1):
            with pytest.raises(ScenarioError, match=r"from .* to"):
                put(scenario, address, beyond)


@pytest.mark.parametrize(
    ("path", "preset", "names"),
    [
        ("models[0].habits[1].weekend[2].matrix", "real habits", ["Aged 25 to 54", "Mostly home", "Morning"]),
        ("models[0].habits[1].periods[9].start", "unsure curator", ["Early birds", "Flats", "10"]),
        ("groups[1].occupied_max", "unsure curator", ["Flats", BOUNDS["occupied_max"].words]),
        ("models[7].habits", "unsure curator", ["Model 8"]),
        ("epsilon", "paper", ["epsilon is wrong."]),
    ],
)
def test_the_place_is_said_in_words(path: str, preset: str, names: list[str]) -> None:
    error = ScenarioError(path, "is wrong.")
    said = sentence(error, PRESETS[preset])
    assert all(name in said for name in names)
    assert said.endswith("is wrong.")
    assert "[" not in sentence(error), "without a scenario by numbers from one"


def test_shares_set_together_are_what_each_was_set_to() -> None:
    shares = {"groups[0].share": 0.1, "groups[Home].share": 0.3}
    changed = put_together(MIXED, shares | {"epsilon": 2.0})
    assert [group.share for group in changed.groups] == pytest.approx([0.1, 0.3, 0.6])
    assert changed.epsilon == 2.0
    alone = put_together(MIXED, {"groups[0].share": 0.2})
    assert alone == put(MIXED, "groups[0].share", 0.2)
    assert [group.share for group in alone.groups] == pytest.approx([0.2, 0.8 * 0.6, 0.8 * 0.4])
    for refused, named in (
        ({"groups[1].share": 0.1, "groups[Home].share": 0.1}, r"groups\[Home\].share.*groups\[1\].share"),
        (shares | {"groups[0].share": 2}, r"groups\[0\].share.*0 to 1"),
        (shares | {"groups[0].share": 0.9}, "1.2.*sum to 1"),
        ({"epsilon": 2.0, "days": 0}, "days.*1 to 31"),
    ):
        with pytest.raises(ScenarioError, match=named):
            put_together(MIXED, refused)


def test_a_number_is_a_place_whatever_the_groups_are_called() -> None:
    """A sweep labelled "2: Largest bound" varied the group named 1."""
    street = MIXED.replace(groups=tuple(g.replace(name=str(n)) for n, g in enumerate(MIXED.groups, 1)))
    for address, label in numbers(street).items():
        if label == f"2: {BOUNDS['occupied_max'].words}":
            assert [g.occupied_max for g in put(street, address, 9.0).groups] == [1.5, 9.0, 2.0]
    assert get(street, "groups[3].share") == street.groups[2].share, "no place, so a name"


def test_what_is_set_together_is_judged_together() -> None:
    bounds_of_a_group = {"groups[0].occupied_min": 2.0, "groups[0].occupied_max": 3.0}
    clock = {"step_minutes": 30, f"{WORK}.start": 8.5}
    for values in (bounds_of_a_group, clock):
        one, other = (put_together(MIXED, dict(order)) for order in (values.items(), [*values.items()][::-1]))
        assert one == other
        assert {address: get(one, address) for address in values} == values
    with pytest.raises(ScenarioError, match=r"occupied_min is 4\.0.*at most occupied_max, 3"):
        put_together(MIXED, bounds_of_a_group | {"groups[0].occupied_min": 4.0})
