"""What occupied means, as it is heard in a night's moves."""

from rtp.scenario.habits import HOME, UP, moves


def test_only_nights_of_houses_up_and_about_have_people_going_to_bed() -> None:
    assert moves(UP, 23, 7) == moves(UP, 0, 0) == moves(UP, 3, 4) == ("going to bed", "getting up")
    assert moves(UP, 7, 23) == moves(UP, 16, 3) == moves(HOME, 23, 7) == ("leaving", "arriving")
