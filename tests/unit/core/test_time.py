"""How a moment is said."""

from rtp.core.time import duration, hhmm, when


def test_the_clock_wraps() -> None:
    assert [hhmm(h) for h in (0, 7.25, 23.75, 24, 31.5)] == ["00:00", "07:15", "23:45", "00:00", "07:30"]


def test_a_step_is_said_with_its_day_where_there_are_several() -> None:
    assert [when(step) for step in (0, 29, 95)] == ["00:00", "07:15", "23:45"]
    assert when(29, days=2) == "day 1, 07:15"
    assert when(96, days=2) == "day 2, 00:00"
    assert when(95, days=2) == "day 1, 23:45"


def test_a_duration_is_minutes_and_seconds_and_hours_where_there_are_any() -> None:
    assert [duration(s) for s in (0.4, 7, 59.6, 90, 3600, 36_061)] == [
        "0:00",
        "0:07",
        "1:00",
        "1:30",
        "1:00:00",
        "10:01:01",
    ]
