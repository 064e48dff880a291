"""What houses use: histograms of a group, and houses listed one by one, up to the day that is simulated."""

import numpy as np
import pytest

import rtp
from rtp import PRESETS, Group, House, Law, Scenario, ScenarioError, simulate
from rtp.core.tables import to_csv
from rtp.output.roster import listed_houses
from rtp.output.words import noise_story
from rtp.scenario import edit
from rtp.scenario.consumption import house_list_id, law_words
from rtp.scenario.describe import differences, origin
from rtp.scenario.fields import numbers
from rtp.scenario.house_table import house_frame
from rtp.scenario.share import MAX_HOUSES_LENGTH, Named, from_link, read_link, to_link
from tests.help.sentence import exactly

STREET = (
    House(name="Mill Lane 1", group="Flats", occupied=1.2, empty=0.1),
    House(name="Mill Lane 2", group="Villas", occupied=4.5, empty=0.3),
    House(name="Mill Lane 3", group="Flats", occupied=0.9, empty=0.2),
    House(name="Mill Lane 4", group="Flats", occupied=5.0, empty=0.1, left_out=True),
)
BASE = PRESETS["unsure curator"]  # villas and flats
LISTED = edit.with_houses(BASE, STREET)


def test_number_and_bounds_follow_from_the_list() -> None:
    assert (LISTED.households, [g.name for g in LISTED.groups]) == (3, ["Villas", "Flats"])
    assert [g.share for g in LISTED.groups] == [1 / 3, 2 / 3]
    assert [(g.occupied_min, g.occupied_max) for g in LISTED.groups] == [(4.5, 4.5), (0.9, 1.2)]
    street = simulate(BASE, street=STREET).street
    assert street.group.tolist() == [0, 1, 1]
    assert street.occupied_bound.tolist() == [4.5, 1.2, 0.9]
    assert street.empty_bound.tolist() == [0.3, 0.1, 0.2]


def test_a_drawn_street_listed_publishes_the_same() -> None:
    scenario = PRESETS["mansions"].replace(households=60, seed=4)
    drawn = simulate(scenario)
    again = simulate(scenario, street=listed_houses(drawn))
    for name, release in drawn.release.items():
        if name != "naive":  # whose bound is the nominal one: here the largest that is listed
            assert release.rate.tobytes() == again.release[name].rate.tobytes()
    largest = max(house.occupied for house in listed_houses(drawn))
    assert again.release["naive"].scale[0] == pytest.approx(largest / scenario.epsilon)


def test_drawn_bounds_lie_between_lowest_and_highest() -> None:
    group = Group(occupied_min=4.0, occupied_max=4.5, empty_min=0.1, empty_max=0.1)
    street = simulate(Scenario(households=5000, groups=(group,))).street
    assert 4.0 <= street.occupied_bound.min() < 4.01
    assert 4.49 < street.occupied_bound.max() <= 4.5
    assert set(street.empty_bound.tolist()) == {0.1}


@pytest.mark.parametrize(
    ("limits", "sentence"),
    [
        ({"occupied_min": 2.0}, "occupied_min is 2.0; it must be at most occupied_max, 1."),
        ({"empty_min": 0.6}, "empty_min is 0.6; it must be at most empty_max, 0.5."),
    ],
)
def test_a_lowest_bound_above_the_highest_is_refused(limits: dict[str, float], sentence: str) -> None:
    with pytest.raises(ScenarioError, match=exactly(sentence)):
        Group(**limits)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"households": 4}, "households is 4; it must be 3, the houses listed and not left out."),
        ({"houses": (STREET[0], *STREET)}, "houses has 'Mill Lane 1' twice; each name may be used once."),
        ({"houses": (*STREET, STREET[2])}, "houses has 'Mill Lane 3' twice; each name may be used once."),
        (
            {"houses": (STREET[0].replace(group="Tents"), *STREET[1:])},
            "houses[0].group is 'Tents'; it must be one of Villas, Flats.",
        ),
        (
            {"houses": (STREET[0].replace(occupied=1.3), *STREET[1:])},
            "houses[0].occupied is 1.3; it must be at most its group's occupied_max, 1.2.",
        ),
        (
            {"houses": (STREET[0], STREET[1].replace(empty=0.4), *STREET[2:])},
            "houses[1].empty is 0.4; it must be at most its group's empty_max, 0.3.",
        ),
        (
            {"groups": tuple(group.replace(share=0.5, occupied_max=9.0) for group in BASE.groups)},
            "share of Villas is 0.5; it must be that of 1 of 3 houses.",
        ),
    ],
)
def test_what_contradicts_the_list_is_refused(changes: dict[str, object], sentence: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        LISTED.replace(**changes)
    assert str(refused.value) == sentence


def test_a_listed_house_is_called_by_its_name() -> None:
    assert [LISTED.house(number) for number in range(3)] == ["Mill Lane 2", "Mill Lane 1", "Mill Lane 3"]
    assert (BASE.house(7), BASE.house(7, capital=True), BASE.house_label(7)) == ("house 7", "House 7", "7")
    assert LISTED.house(0, capital=True) == LISTED.house_label(0) == "Mill Lane 2"
    same = LISTED.replace()  # has looked up no name yet
    assert (same, hash(same), same.to_json()) == (LISTED, hash(LISTED), LISTED.to_json())
    assert "Mill Lane 2 (Villas, bound 4.5)" in " ".join(noise_story(simulate(LISTED)))
    assert not [address for address in numbers(LISTED) if address == "households" or "groups[" in address]


def test_a_comparison_tells_a_list_from_a_drawn_street() -> None:
    rows = {row.setting: row.values for row in differences([BASE, LISTED])}
    assert rows["Houses"] == ("drawn", f"listed, {house_list_id(STREET)}, 1 left out")


def test_a_histogram_may_hold_point_masses_and_survives_json() -> None:
    law = Law(edges=(0.0, 0.0, 1.0), empty=(0.5, 0.5), occupied=(0.2, 0.8))
    scenario = Scenario(groups=(Group(law=law),))
    assert Scenario.from_json(scenario.to_json()).groups[0].law == law


def test_nobody_is_left() -> None:
    with pytest.raises(ScenarioError, match=exactly("houses are all left out; at least one must stay.")):
        edit.with_houses(BASE, [house.replace(left_out=True) for house in STREET])


def test_groups_are_renamed_added_and_removed_with_their_houses() -> None:
    assert edit.set_group_field(LISTED, 1, "occupied_max", 9.0).houses == STREET
    renamed = edit.set_group_field(LISTED, 1, "name", "Towers")
    assert renamed.houses is not None
    assert [house.group for house in renamed.houses] == ["Towers", "Villas", "Towers", "Towers"]
    more = edit.add_group(renamed, 1)
    assert [group.share for group in more.groups] == [1 / 3, 2 / 3, 0.0]
    fewer = edit.remove_group(more, 1)
    assert fewer.houses is not None
    assert {house.group for house in fewer.houses} == {"Villas"}
    assert fewer.households == 3
    assert edit.of_size(LISTED, 50).houses is None


def test_a_group_without_listed_houses_keeps_its_bounds() -> None:
    villas, flats = edit.with_houses(BASE, STREET[1:2]).groups
    assert villas == BASE.groups[0].replace(
        share=1.0, occupied_min=4.5, occupied_max=4.5, empty_min=0.3, empty_max=0.3
    )
    assert flats == BASE.groups[1].replace(share=0.0)


def test_it_is_said_what_a_distribution_means() -> None:
    assert law_words(["Flats", "Villas"]) == (
        "Consumption has a distribution of its own, not uniform up to the bounds: Flats, Villas. What a "
        "house uses is cut at the larger of its bounds."
    )


def test_a_short_list_is_in_the_json_and_the_link() -> None:
    assert Scenario.from_json(LISTED.to_json()) == LISTED
    link = to_link(LISTED, "unsure curator")
    assert from_link(link) == ("unsure curator", LISTED)
    length = len(link["listed"])
    assert to_link(LISTED, "unsure curator", length) == link
    assert to_link(LISTED, "unsure curator", length - 1) == link | {"listed": house_list_id(STREET)}
    named = Named(name="Mine", preset="unsure curator", scenario=LISTED)
    assert Named.from_text(named.to_text()) == named


def test_a_list_is_read_after_the_number_of_houses_that_it_needs() -> None:
    link = to_link(LISTED, "unsure curator")
    reading = read_link({"listed": link["listed"], "epsilon": "0"} | link)
    assert reading.scenario == LISTED
    assert [error.path for error in reading.damaged] == ["epsilon"]


def test_a_list_too_long_for_a_link_is_missing() -> None:
    houses = tuple(
        House(name=f"H{i}", group="Households", occupied=0.1 + (i * 7919 % 1000) / 1001, empty=i / 4000)
        for i in range(400)
    )
    scenario = edit.with_houses(Scenario(), houses)
    link = to_link(scenario)
    assert link["listed"] == house_list_id(houses)
    assert len(link["listed"]) < 20 < MAX_HOUSES_LENGTH
    reading = read_link(link)
    assert reading.scenario == scenario.replace(houses=None)
    assert [str(error) for error in reading.damaged] == [
        "listed houses are missing: a list of 400 is too long for a link. Until their table or the "
        "scenario's file is loaded, as many are drawn between the same bounds."
    ]
    assert read_link(link, {house_list_id(houses): houses}).scenario == scenario
    whole = Named(name="All", scenario=scenario)
    assert Named.from_text(whole.to_text()) == whole
    assert read_link({"listed": "%%%"}).damaged[0].path == "listed"


def test_the_table_taken_away_is_read_again() -> None:
    scenario = LISTED.replace(power_unit="kW")
    text = to_csv(house_frame(scenario, STREET), origin(scenario))
    assert [line.split(",")[:5] for line in text.splitlines()] == [
        ["house", "group", "occupied_kW", "empty_kW", "left_out"],
        ["Mill Lane 1", "Flats", "1.2", "0.1", "no"],
        ["Mill Lane 2", "Villas", "4.5", "0.3", "no"],
        ["Mill Lane 3", "Flats", "0.9", "0.2", "no"],
        ["Mill Lane 4", "Flats", "5.0", "0.1", "yes"],
    ]
    assert rtp.read_table(scenario, text) == scenario
    assert rtp.read_table(BASE, text).houses == STREET


def test_the_promise_holds_on_a_listed_street() -> None:
    """Algorithm 1's noise is that of the largest listed house among the uncertain ones."""
    day = simulate(LISTED)
    bound = np.array([4.5, 1.2, 0.9])
    for step in range(0, LISTED.steps, 7):
        open_ = day.street_day.support_classes.protected[step][day.street_day.support_classes.of_house]
        expected = LISTED.alpha * bound[open_].max(initial=0.0) / LISTED.epsilon
        assert day.release["blowfish"].scale[step] == pytest.approx(expected)
