"""Houses listed one by one, and bounds that are drawn, up to the day that is simulated."""

import pytest

import rtp
from rtp import PRESETS, Group, House, Scenario, ScenarioError, simulate
from rtp.scenario import edit
from rtp.scenario.describe import differences, origin
from rtp.scenario.export import to_csv
from rtp.scenario.fields import numbers
from rtp.scenario.house_table import house_frame

STREET = (
    House(name="Mill Lane 1", group="Flats", occupied=1.2, empty=0.1),
    House(name="Mill Lane 2", group="Villas", occupied=4.5, empty=0.3),
    House(name="Mill Lane 3", group="Flats", occupied=0.9, empty=0.2),
    House(name="Mill Lane 4", group="Flats", occupied=5.0, empty=0.1, left_out=True),
)
BASE = PRESETS["unsure curator"]  # villas and flats
LISTED = edit.with_houses(BASE, STREET)


def test_number_and_bounds_follow_from_the_list() -> None:
    assert (LISTED.households, [g.share for g in LISTED.groups]) == (3, [1 / 3, 2 / 3])
    assert [(g.occupied_min, g.occupied_max) for g in LISTED.groups] == [(4.5, 4.5), (0.9, 1.2)]
    street = simulate(BASE, street=STREET).street
    assert street.occupied_bound.tolist() == [4.5, 1.2, 0.9]
    assert street.empty_bound.tolist() == [0.3, 0.1, 0.2]
    assert [LISTED.house(number) for number in range(3)] == ["Mill Lane 2", "Mill Lane 1", "Mill Lane 3"]
    assert not [address for address in numbers(LISTED) if address == "households" or "groups[" in address]
    assert len(differences([LISTED, LISTED.replace(houses=None)])) == 1
    villas, flats = edit.with_houses(BASE, STREET[1:2]).groups
    assert (villas.share, flats) == (1.0, BASE.groups[1].replace(share=0.0)), "who has none keeps its bounds"


def test_drawn_bounds_lie_between_lowest_and_highest() -> None:
    group = Group(occupied_min=4.0, occupied_max=4.5, empty_min=0.1, empty_max=0.1)
    street = simulate(Scenario(households=5000, groups=(group,))).street
    assert 4.0 <= street.occupied_bound.min() < 4.01
    assert 4.49 < street.occupied_bound.max() <= 4.5
    assert set(street.empty_bound.tolist()) == {0.1}
    for lowest in ({"occupied_min": 4.6}, {"empty_min": 0.2}):
        with pytest.raises(ScenarioError, match=f"{next(iter(lowest))}.*at most"):
            group.replace(**lowest)


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"households": 4}, "^households .* 3"),
        ({"houses": (STREET[0], *STREET)}, "^houses .*Mill Lane 1"),
        ({"houses": (STREET[0].replace(group="Tents"), *STREET[1:])}, r"^houses\[0\].group .*Villas, Flats"),
        ({"houses": (STREET[0].replace(occupied=1.3), *STREET[1:])}, r"^houses\[0\].occupied .*1\.2"),
        ({"houses": (STREET[0], STREET[1].replace(empty=0.4), *STREET[2:])}, r"^houses\[1\].empty .*0\.3"),
        ({"groups": tuple(g.replace(share=0.5, occupied_max=9.0) for g in BASE.groups)}, "share of Villas"),
    ],
)
def test_what_contradicts_the_list_is_refused(changes: dict[str, object], named: str) -> None:
    with pytest.raises(ScenarioError, match=named):
        LISTED.replace(**changes)
    with pytest.raises(ScenarioError, match="at least one"):
        edit.with_houses(BASE, [house.replace(left_out=True) for house in STREET])


def test_groups_are_renamed_added_and_removed_with_their_houses() -> None:
    renamed = edit.set_group_field(LISTED, 1, "name", "Towers")
    more = edit.add_group(renamed, 1)
    assert [group.share for group in more.groups] == [1 / 3, 2 / 3, 0.0]
    fewer = edit.remove_group(more, 1)
    assert renamed.houses is not None is not fewer.houses
    assert [house.group for house in renamed.houses] == ["Towers", "Villas", "Towers", "Towers"]
    assert {house.group for house in fewer.houses or ()} == {"Villas"}
    (flats,) = edit.remove_group(LISTED, 0).groups
    assert (flats.occupied_max, flats.empty_max) == (4.5, 0.3), "room for those it has inherited"
    assert edit.of_size(LISTED, 50).houses is None


def test_a_list_survives_its_table() -> None:
    metered = LISTED.replace(power_unit="kW")
    text = to_csv(house_frame(metered, STREET), origin(metered))
    assert text.startswith("house,group,occupied_kW,empty_kW,left_out")
    assert rtp.read_table(metered, text) == metered
    assert rtp.read_table(BASE, text).houses == STREET
