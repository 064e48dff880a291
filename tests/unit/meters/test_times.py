"""Times as they are written become minutes of the wall clock since 1970, counted by hand."""

import pytest

from rtp.meters.reading import parse_times
from rtp.meters.readings import MINUTES_PER_DAY
from tests.help.sentence import refuse

MONDAY = 19_849 * MINUTES_PER_DAY  # 2024-05-06: 54 years, 13 leap days, and 126 days


def minutes(*texts: str, zone: str | None = None) -> tuple[list[int], bool]:
    found, in_utc = parse_times(texts, zone)
    return [int(each) - MONDAY for each in found], in_utc


@pytest.mark.parametrize(
    ("text", "minute"),
    [
        ("2024-05-06", 0),
        ("2024-05-06 00:01", 1),
        (" 2024-05-06T01:00:29 ", 60),
        ("2024-05-06 01:00:30", 61),
        ("2024-05-06 24:00", 1440),
        ("2024-05-06T24:00:00", 1440),
        ("2024-05-05 24:00", 0),
        ("13.05.2024 00:05", 7 * 1440 + 5),
        ("13.05.24 00:05", 7 * 1440 + 5),
        ("13.05.2024 24:00", 8 * 1440),
        ("13/05/2024 12:00:59", 7 * 1440 + 721),
        ("05/13/2024 01:30 PM", 7 * 1440 + 810),
        ("05/13/24 01:30:00 AM", 7 * 1440 + 90),
        ("13-05-2024", 7 * 1440),
        ("05-13-2024", 7 * 1440),
        ("2024/05/13 00:00", 7 * 1440),
    ],
)
def test_a_wall_clock_is_read_as_it_is_written(text: str, minute: int) -> None:
    assert minutes(text) == ([minute], False)


@pytest.mark.parametrize("zone", [None, "Europe/Berlin", "America/New_York"])
@pytest.mark.parametrize(
    "text", ["1714953600", "1714953600999", "2024-05-06 00:00Z", "2024-05-06T00:00:00.5 UTC"]
)
def test_a_time_in_utc_is_moved_where_a_zone_is_given(text: str, zone: str | None) -> None:
    ahead = {None: 0, "Europe/Berlin": 120, "America/New_York": -240}[zone]
    assert minutes(text, zone=zone) == ([ahead], zone is None)


def test_seconds_and_milliseconds_may_stand_in_one_column() -> None:
    assert minutes("1714953660", "1714953720000") == ([1, 2], True)


@pytest.mark.parametrize(
    ("written", "ahead"),
    [("+02:00", 120), ("+0200", 120), ("+02", 120), ("-05:30", -330), ("-0530", -330), ("-05", -300)],
)
def test_a_distance_from_utc_says_the_local_clock_and_another_zones(written: str, ahead: int) -> None:
    text = f"2024-05-06 00:00{written}"
    assert minutes(text) == ([0], False)
    assert minutes(text, zone="Europe/Berlin") == ([120 - ahead], False)


def test_distances_of_summer_and_winter_leave_the_local_clock() -> None:
    """Only where all are 0 can the clock be any other's."""
    assert minutes("2024-05-06T00:00+01:00", "2024-05-06T00:30+00:00") == ([0, 30], False)
    assert minutes("2024-05-06T00:00+00:00", "2024-05-06T00:30+00:00") == ([0, 30], True)


def test_day_or_month_first_follows_from_the_shorter_span() -> None:
    """1 to 3 May, or the first of January, February and March."""
    days = [("05/01/2024", "05/02/2024", "05/03/2024"), ("01/05/2024", "02/05/2024", "03/05/2024")]
    for texts in days:
        assert minutes(*texts) == ([-5 * 1440, -4 * 1440, -3 * 1440], False)
    assert minutes("05/05/2024") == ([-1440], False)
    assert refuse(lambda: minutes("01/02/2024", "02/01/2024")) == (
        "The time '01/02/2024' may be day or month first; write dates as 2024-12-31."
    )


@pytest.mark.parametrize(
    "texts", [("13.05.2024", "soon", "14.05.2024"), ("2024-05-06", "soon"), ("soon", "later")]
)
def test_the_first_time_that_is_none_is_named(texts: tuple[str, ...]) -> None:
    assert refuse(lambda: minutes(*texts)) == (
        "The time 'soon' cannot be read; write times as 2024-12-31 23:30."
    )


def test_a_time_without_a_distance_among_others_is_named() -> None:
    assert refuse(lambda: minutes("2024-05-06 00:00Z", "2024-05-06 00:30")) == (
        "The time '2024-05-06 00:30' has no distance from UTC, and others have one."
    )
