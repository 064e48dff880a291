"""The lab's time: a day of equal steps, days that begin on a weekday, and how a moment is said.

A price comes every so many minutes; only lengths that divide an hour are allowed, so that every hour begins
with a step. The paper's clock has steps of a quarter of an hour.
"""

from collections.abc import Collection, Mapping
from datetime import date
from types import MappingProxyType
from typing import Literal, get_args

from rtp.core.language import say

StepMinutes = Literal[5, 10, 15, 20, 30, 60]
STEP_MINUTES: tuple[StepMinutes, ...] = get_args(StepMinutes)
PAPER_STEP: StepMinutes = 15
FINEST_STEP = min(STEP_MINUTES)
STEPS_PER_HOUR = 60 // PAPER_STEP  # of the paper's clock
STEPS_PER_DAY = 24 * STEPS_PER_HOUR

Weekday = Literal["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
WEEKDAYS: tuple[Weekday, ...] = get_args(Weekday)
WEEKEND = frozenset({"Saturday", "Sunday"})
_CALLED: Mapping[frozenset[str], tuple[str, str]] = MappingProxyType(
    {
        frozenset(WEEKDAYS): ("every day", "On any day"),
        frozenset(WEEKDAYS) - WEEKEND: ("working day", "On working days"),
        frozenset(WEEKDAYS) - {"Sunday"}: ("Monday to Saturday", "From Monday to Saturday"),
        WEEKEND: ("weekend", "On weekends"),
        **{frozenset({day}): (day, f"On {day}s") for day in WEEKDAYS},
    }
)


def steps_per_day(step_minutes: int) -> int:
    return 24 * 60 // step_minutes


def hhmm(hour: float) -> str:
    """HH:MM of an hour of the day."""
    minutes = round(hour * 60) % (24 * 60)
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def when(step: int, days: int = 1, step_minutes: int = PAPER_STEP) -> str:
    """The clock at a step; the day's number too where there are several."""
    time = hhmm(step * step_minutes / 60)
    return time if days == 1 else f"day {step // steps_per_day(step_minutes) + 1}, {time}"


def weekday(day: int, first: Weekday) -> Weekday:
    """The weekday of a day, counted from 0, where the days begin on the first one."""
    return WEEKDAYS[(WEEKDAYS.index(first) + day) % 7]


def days_words(days: Collection[Weekday]) -> str:
    """What days are called that are lived alike: "weekend", "Sunday", "Monday to Saturday"."""
    return _CALLED[frozenset(days)][0]


def on_days(days: Collection[Weekday]) -> str:
    """The same where a sentence begins: "On weekends"."""
    return _CALLED[frozenset(days)][1]


def duration(seconds: float) -> str:
    """How long something takes: m:ss, or h:mm:ss."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


# Names of days and months, in the language that is spoken: a list of names is one sentence to translate.


def day_name(day: date) -> str:
    """Return its weekday: Monday."""
    return say("Monday Tuesday Wednesday Thursday Friday Saturday Sunday").split()[day.weekday()]


def month_name(day: date) -> str:
    months = say("January February March April May June July August September October November December")
    return months.split()[day.month - 1]


def day_text(day: date) -> str:
    """Return its weekday, in short, and its number: Mon 4."""
    return f"{say('Mon Tue Wed Thu Fri Sat Sun').split()[day.weekday()]} {day.day}"
