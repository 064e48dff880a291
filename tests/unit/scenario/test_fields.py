"""A field by its address: read, changed, named in a sentence."""

from typing import Any

import pytest

from rtp import PRESETS, Group, Habits, OccupancyModel, Scenario, ScenarioError
from rtp.scenario import period
from rtp.scenario.fields import RANGES, bounds, get, numbers, put, put_together, sentence, value_from_text
from tests.help.sentence import exactly

MIXED = PRESETS["mixed street"]
WORK = "models[0].habits[0].periods[1]"


@pytest.mark.parametrize("name", PRESETS)
def test_every_number_can_be_read_and_put_back(name: str) -> None:
    scenario = PRESETS[name]
    for address in numbers(scenario):
        value = get(scenario, address)
        assert put(scenario, address, value) == scenario, address


def test_numbers_name_every_field_that_has_bounds() -> None:
    found = {address.rsplit(".", 1)[-1] for address in numbers(MIXED)}
    free = {"leave", "arrive"}
    named = {name for name in Scenario.model_fields if bounds(name)} - {"version"}
    assert found == named | free | {"share", *RANGES, "initial_occupied"}


@pytest.mark.parametrize(
    ("address", "value"),
    [
        ("epsilon", 0.25),
        ("households", 7),
        ("groups[1].occupied_max", 4.0),
        ("groups[Home].empty_max", 0.1),
        ("models[0].habits[2].initial_occupied", 0.9),
        ("models[Three ways to live].habits[0].periods[Work].arrive", 0.3),
        ("models[0].habits[0].periods[3].start", 22.5),
        ("groups[000000001].empty_max", 0.1),
        ("clip_at_zero", True),
        ("reference_rate", None),
    ],
)
def test_a_value_is_where_it_was_put(address: str, value: Any) -> None:
    assert get(put(MIXED, address, value), address) == value


def test_leave_and_arrive_take_their_complement_along() -> None:
    place = "models[0].habits[1].periods[2]"
    changed = put(put(MIXED, f"{place}.leave", 0.25), f"{place}.arrive", 0.75)
    assert get(changed, f"{place}.matrix") == ((0.25, 0.75), (0.25, 0.75))


def test_a_share_leaves_the_rest_to_the_others_in_proportion() -> None:
    shares = [group.share for group in put(MIXED, "groups[Office].share", 0.2).groups]
    assert shares == pytest.approx([0.2, 0.8 * 0.3 / 0.5, 0.8 * 0.2 / 0.5])


def test_whole_numbers_may_come_as_floats() -> None:
    assert get(put(MIXED, "households", 40.0), "households") == 40


@pytest.mark.parametrize(
    ("address", "value", "sentence"),
    [
        (
            "epsilonn",
            1,
            "epsilonn names 'epsilonn', which is no field of Scenario; "
            f"known are {', '.join(Scenario.model_fields)}.",
        ),
        ("epsilon", "abc", "epsilon is 'abc'; it must be a number from 0.0001 to 10,000."),
        ("epsilon", float("nan"), "epsilon is nan; it must be a number from 0.0001 to 10,000."),
        ("households", 10.5, "households is 10.5; it must be a whole number from 1 to 10,000,000."),
        ("groups", 1, "groups is a list; name one of its numbers, such as groups[0].occupied_max."),
        ("groups[0]", 1, "groups[0] names a whole object; name one of its numbers."),
        ("groups[9].share", 0.1, "groups[9].share names groups[9]; there are Office, Home, Shift."),
        (
            "groups[Garden].share",
            0.1,
            "groups[Garden].share names groups[Garden]; there are Office, Home, Shift.",
        ),
        (
            "groups[0].shar",
            0.1,
            "groups[0].shar names 'shar', which is no field of Group; "
            "known are name, share, occupied_max, empty_max, occupied_min, empty_min, law.",
        ),
        ("groups.share", 0.1, "groups.share needs to say which of the groups, such as groups[0]."),
        ("epsilon.x", 1, "epsilon.x goes further than it can: epsilon has no fields of its own."),
        (
            "models[0].habits[7].initial_occupied",
            0.5,
            "models[0].habits[7].initial_occupied names habits[7]; there are habits[0] to habits[2].",
        ),
        (f"{WORK}.leave", 1.5, f"{WORK}.leave is 1.5; it must be a number from 0 to 1."),
        (f"{WORK}.leave", "x", f"{WORK}.leave is 'x'; it must be a number from 0 to 1."),
        (
            f"{WORK}.start",
            6.0,
            f"With {WORK}.start = 6.0, periods start at [6.0, 6.0, 17.0, 23.0]; "
            "each must start after the one before, so that they neither overlap nor leave a gap.",
        ),
        (
            f"{WORK}.matrix",
            ((0.5, 0.6), (0.5, 0.5)),
            f"{WORK}.matrix is [0.5, 0.6], which sums to 1.1; a row must sum to 1.",
        ),
        (
            f"{WORK}.leav",
            1,
            f"{WORK}.leav names 'leav', which is no field of Period; known are name, start, matrix, basis, "
            "arrive, leave.",
        ),
        (
            "groups[0000000000].share",
            0.1,
            "groups[0000000000].share names groups[0000000000]; there are Office, Home, Shift.",
        ),
        (
            "groups[3].share",
            0.1,
            "groups[3].share names groups[3]; there are Office, Home, Shift.",
        ),
        (f"groups[{'x' * 74}]", 1, f"groups[{'x' * 72}… names a whole object; name one of its numbers."),
        (f"groups[{'x' * 72}]", 1, f"groups[{'x' * 72}] names a whole object; name one of its numbers."),
        (
            "?" * 81,
            1,
            f"'{'?' * 80}' is no address of a field, such as epsilon or groups[0].occupied_max.",
        ),
        ("", 1, "'' is no address of a field, such as epsilon or groups[0].occupied_max."),
        (
            "groups[0]..share",
            1,
            "'groups[0]..share' is no address of a field, such as epsilon or groups[0].occupied_max.",
        ),
    ],
)
def test_what_leads_nowhere_is_refused_in_one_sentence(address: str, value: Any, sentence: str) -> None:
    with pytest.raises(ScenarioError, match=exactly(sentence)):
        put(MIXED, address, value)


@pytest.mark.parametrize(
    ("address", "text", "value"),
    [
        ("epsilon", ".1", 0.1),
        ("groups[0].share", "1/4", 0.25),
        ("models[0].habits[0].periods[Noon].leave", "5 %", 0.05),
        ("epsilon", "1e-2", 0.01),
        ("reference_rate", "null", None),
        ("epsilon", "half", "half"),
        ("epsilon", ".00001", ".00001"),
        ("habit_clip", ".1", ".1"),
        ("", ".1", ".1"),
    ],
)
def test_text_becomes_the_number_or_word_it_means(address: str, text: str, value: object) -> None:
    assert value_from_text(address, text) == value


CURATOR = PRESETS["unsure curator"]


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("epsilon", "epsilon is wrong."),
        (
            "models[1].habits[0].periods[2].matrix",
            "Model “Night owls”, group “Villas”, period “Evening”: the matrix is wrong.",
        ),
        ("groups[1].occupied_max", "Group “Flats”: “Largest bound when occupied” is wrong."),
        (
            "models[0].habits[0].periods[0].matrix[0][1]",
            "Model “Early birds”, group “Villas”, period “Morning”: the matrix is wrong.",
        ),
        ("models[7].habits", "Model 8: habits is wrong."),
        ("groups[0]", "Group “Villas”: it is wrong."),
        ("groups[0].law.edges[1]", "Group “Villas”: “Edge of a bin of use” is wrong."),
        ("groups[1].share", "Group “Flats”: the share is wrong."),
        ("groups[2].name", "Group 3: the name is wrong."),
        ("models[1].name", "Model “Night owls”: the name is wrong."),
        (
            "models[0].habits[1].periods[9].start",
            "Model “Early birds”, group “Flats”, period 10: the start is wrong.",
        ),
        (
            "models[0].habits[1].initial_occupied",
            "Model “Early birds”, group “Flats”: “Chance to be occupied at the start” is wrong.",
        ),
    ],
)
def test_the_place_is_said_in_words(path: str, said: str) -> None:
    assert sentence(ScenarioError(path, "is wrong."), CURATOR) == said


def test_without_a_scenario_by_numbers_from_one() -> None:
    error = ScenarioError("models[0].habits[0].periods[3].start", "is 9.")
    assert sentence(error) == "Model 1, group 1, period 4: the start is 9."


def test_a_weekend_period_is_named() -> None:
    error = ScenarioError("models[0].habits[1].weekend[2].matrix", "is wrong.")
    named = "Model “Aged 25 to 54”, group “Mostly home”, weekend period “Morning”: the matrix is wrong."
    assert sentence(error, PRESETS["real habits"]) == named
    assert sentence(error) == "Model 1, group 2, weekend period 3: the matrix is wrong."
    nameless = "Model “Early birds”, group “Flats”, weekend period 3: the matrix is wrong."
    assert sentence(error, PRESETS["unsure curator"]) == nameless


def test_shares_set_together_are_what_each_was_set_to() -> None:
    mixed = PRESETS["mixed street"]
    shares = {"groups[0].share": 0.1, "groups[Home].share": 0.3}
    changed = put_together(mixed, shares | {"epsilon": 2.0})
    assert [group.share for group in changed.groups] == pytest.approx([0.1, 0.3, 0.6])
    assert changed.epsilon == 2.0
    assert put_together(mixed, {"epsilon": 2.0}) == mixed.replace(epsilon=2.0)
    one = {"groups[0].share": 0.1}
    assert put_together(mixed, one | {"epsilon": 2.0}) == put(mixed, *one.popitem()).replace(epsilon=2.0)
    sentence = "With groups[0].share = 0.9 and groups[Home].share = 0.3, groups have shares that sum to 1.2; "
    with pytest.raises(ScenarioError, match=exactly(sentence + "they must sum to 1.")):
        put_together(mixed, shares | {"groups[0].share": 0.9})


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        (
            {"groups[1].share": 0.1, "groups[Home].share": 0.1},
            "groups[Home].share names the same field as groups[1].share; give it once.",
        ),
        (
            {"groups[0].share": 2, "groups[Home].share": 0.1},
            "groups[0].share is 2; it must be a number from 0 to 1.",
        ),
        ({"epsilon": 2.0, "days": 0}, "days is 0; it must be a whole number from 1 to 31."),
    ],
)
def test_what_cannot_be_set_together_is_refused(values: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ScenarioError, match=exactly(sentence)):
        put_together(MIXED, values)


def test_an_only_group_is_named_where_another_was_meant() -> None:
    with pytest.raises(
        ScenarioError, match=exactly("groups[1].share names groups[1]; there are Households.")
    ):
        get(Scenario(), "groups[1].share")


def test_the_share_of_an_only_group_is_all() -> None:
    sentence = "With groups[0].share = 0.5, groups have shares that sum to 0.5; they must sum to 1."
    with pytest.raises(ScenarioError, match=exactly(sentence)):
        put(Scenario(), "groups[0].share", 0.5)
    assert not [address for address in numbers(Scenario()) if address.endswith("share")]


def test_every_number_is_named_by_its_owner_and_label() -> None:
    day, late = (Habits(periods=(period(name, 6.0, leave=0.5, arrive=0.5),)) for name in ("Day", "Late"))
    models = (
        OccupancyModel(name="Mine", habits=(day, day.replace(weekend=late.periods))),
        OccupancyModel(name="Other", habits=(late, day)),
    )
    groups = Group(name="Flats", share=0.5), Group(name="Villas", share=0.5)
    labels = numbers(Scenario(groups=groups, models=models))
    assert list(labels.items()) == [
        ("households", "Households"),
        ("days", "Days"),
        ("epsilon", "ε — privacy budget per step"),
        ("alpha", "α — price slope"),
        ("beta", "β — base price"),
        ("inelastic_demand", "Inelastic demand"),
        ("elasticity", "Elasticity of demand"),
        ("reference_rate", "Reference rate"),
        ("habit_spread", "Habit spread"),
        ("negligible", "Probability too small to guard"),
        ("seed", "Seed"),
        ("groups[0].occupied_max", "Flats: Largest bound when occupied"),
        ("groups[0].empty_max", "Flats: Largest bound when empty"),
        ("groups[0].occupied_min", "Flats: Lowest bound when occupied"),
        ("groups[0].empty_min", "Flats: Lowest bound when empty"),
        ("groups[0].share", "Flats: Share of the street"),
        ("groups[1].occupied_max", "Villas: Largest bound when occupied"),
        ("groups[1].empty_max", "Villas: Largest bound when empty"),
        ("groups[1].occupied_min", "Villas: Lowest bound when occupied"),
        ("groups[1].empty_min", "Villas: Lowest bound when empty"),
        ("groups[1].share", "Villas: Share of the street"),
        ("models[0].habits[0].initial_occupied", "Mine, Flats: Chance to be occupied at the start"),
        ("models[0].habits[0].periods[0].arrive", "Mine, Flats, Day: arrive"),
        ("models[0].habits[0].periods[0].leave", "Mine, Flats, Day: leave"),
        ("models[0].habits[1].initial_occupied", "Mine, Villas: Chance to be occupied at the start"),
        ("models[0].habits[1].periods[0].arrive", "Mine, Villas, Day: arrive"),
        ("models[0].habits[1].periods[0].leave", "Mine, Villas, Day: leave"),
        ("models[0].habits[1].weekend[0].arrive", "Mine, Villas, weekend, Late: arrive"),
        ("models[0].habits[1].weekend[0].leave", "Mine, Villas, weekend, Late: leave"),
        ("models[1].habits[0].initial_occupied", "Other, Flats: Chance to be occupied at the start"),
        ("models[1].habits[0].periods[0].arrive", "Other, Flats, Late: arrive"),
        ("models[1].habits[0].periods[0].leave", "Other, Flats, Late: leave"),
        ("models[1].habits[1].initial_occupied", "Other, Villas: Chance to be occupied at the start"),
        ("models[1].habits[1].periods[0].arrive", "Other, Villas, Day: arrive"),
        ("models[1].habits[1].periods[0].leave", "Other, Villas, Day: leave"),
    ]
    assert numbers(PRESETS["paper"])["models[0].habits[0].periods[1].leave"] == "Households, Noon: leave"
