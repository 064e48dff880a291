"""How a moment is said."""

from rtp.core.time import duration, hhmm, steps_per_day, weekday, when


def test_the_clock_wraps() -> None:
    assert [hhmm(h) for h in (0, 7.25, 23.75, 24, 31.5)] == ["00:00", "07:15", "23:45", "00:00", "07:30"]
    assert [hhmm(1 / 3), hhmm(23.999)] == ["00:20", "00:00"]


def test_days_follow_each_other_round_the_week() -> None:
    assert [weekday(day, "Friday") for day in (0, 1, 2, 3, 9)] == [
        "Friday",
        "Saturday",
        "Sunday",
        "Monday",
        "Sunday",
    ]


def test_a_step_is_said_with_its_day_where_there_are_several() -> None:
    assert [when(step) for step in (0, 29, 95)] == ["00:00", "07:15", "23:45"]
    assert when(29, days=2) == "day 1, 07:15"
    assert when(96, days=2) == "day 2, 00:00"
    assert when(95, days=2) == "day 1, 23:45"
    assert when(49, days=3, step_minutes=30) == "day 2, 00:30"
    assert when(49, step_minutes=30) == "00:30"
    assert [steps_per_day(minutes) for minutes in (5, 15, 60)] == [288, 96, 24]


def test_a_duration_is_minutes_and_seconds_and_hours_where_there_are_any() -> None:
    assert [duration(s) for s in (0.4, 7, 59.6, 90, 3600, 36_061)] == [
        "0:00",
        "0:07",
        "1:00",
        "1:30",
        "1:00:00",
        "10:01:01",
    ]
