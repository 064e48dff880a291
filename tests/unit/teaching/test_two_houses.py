"""What is at stake: whose house is watched, and where habits have told all of it already."""

from rtp import PRESETS, simulate
from rtp.teaching.two_houses import STORY_HOUSES, stake, story_street


def test_the_house_is_of_the_group_and_its_neighbour_of_the_commonest() -> None:
    """Mansions are 2 % of their street: two houses drawn from all of it would be ordinary ones."""
    mansions = PRESETS["mansions"]
    assert [group.name for group in story_street(mansions).groups] == ["Mansions", "Houses"]
    assert [group.name for group in story_street(mansions, 1).groups] == ["Houses"]
    for street in (story_street(mansions), story_street(PRESETS["mixed street"], 1)):
        day = simulate(street)
        assert street.households == STORY_HOUSES
        assert day.street.group[stake(day, 0).house] == 0
