"""Names of days and months, in the language that is spoken."""

from datetime import date

from rtp.core.language import noted, say

_DAYS = (
    noted("Monday"),
    noted("Tuesday"),
    noted("Wednesday"),
    noted("Thursday"),
    noted("Friday"),
    noted("Saturday"),
    noted("Sunday"),
)
_SHORT = (noted("Mon"), noted("Tue"), noted("Wed"), noted("Thu"), noted("Fri"), noted("Sat"), noted("Sun"))
_MONTHS = (
    noted("January"),
    noted("February"),
    noted("March"),
    noted("April"),
    noted("May"),
    noted("June"),
    noted("July"),
    noted("August"),
    noted("September"),
    noted("October"),
    noted("November"),
    noted("December"),
)


def day_name(day: date) -> str:
    """Return its weekday: Monday."""
    return say(_DAYS[day.weekday()])


def month_name(day: date) -> str:
    return say(_MONTHS[day.month - 1])


def day_text(day: date) -> str:
    """Return its weekday, in short, and its number: Mon 4."""
    return f"{say(_SHORT[day.weekday()])} {day.day}"
