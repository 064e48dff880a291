"""Habits by a word, and by opening hours: what is known of a connection of which nobody has readings.

A word stands for habits that are common: a working couple is out from eight to five, whoever is mostly in
goes out at any time, a farm is up early every day. What opens and closes, a shop, an office, a school, comes
an hour before it opens, and is left within two hours after it closes; on days on which it is closed, which
are Saturday, Sunday, or both, hardly anybody comes.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import NamedTuple

from rtp.core.time import hhmm
from rtp.scenario.habits import Habits, Period, period
from rtp.scenario.presets import HABITS_OF
from rtp.scenario.typed import parse_hour
from rtp.scenario.validation import BOUNDS, ScenarioError

COME_BEFORE, LEFT_AFTER = 1.0, 2.0  # hours before it opens and after it closes
EARLIEST, LATEST = COME_BEFORE, 24.0 - LEFT_AFTER - 1.0
_HOURS = re.compile(r"\s*([\d:.]+)\s*(?:-|–|to)\s*([\d:.]+)\s*")


class Closed(NamedTuple):
    """On which days it is closed."""

    saturday: bool
    sunday: bool


class Opening(NamedTuple):
    """When it opens and closes, and when it does not."""

    opens: float
    closes: float
    closed: Closed


_NEVER, _WEEKENDS = Closed(False, False), Closed(True, True)
_DAYS = {"saturday": Closed(True, False), "sunday": Closed(False, True), "weekend": _WEEKENDS}
CLOSED: Mapping[str, Closed] = MappingProxyType(
    {
        **_DAYS,
        **{f"{day}s": closed for day, closed in _DAYS.items()},
        **{day[:3]: _DAYS[day] for day in ("saturday", "sunday")},
        **dict.fromkeys(("saturday and sunday", "sat and sun", "saturday, sunday", "sat, sun"), _WEEKENDS),
        **dict.fromkeys(("never", "no", "none"), _NEVER),
    }
)
DAYS_CLOSED = ("never", "weekend", "Saturday", "Sunday")  # as they are written
BUSINESSES: Mapping[str, Opening] = MappingProxyType(
    {
        "shop": Opening(9.0, 18.0, _NEVER),
        "office": Opening(8.0, 17.0, _WEEKENDS),
        "school": Opening(8.0, 14.0, _WEEKENDS),
    }
)
_WEEKEND_AT_HOME = HABITS_OF["flat"].weekend
WORDS: Mapping[str, Habits] = MappingProxyType(
    {
        **HABITS_OF,
        "home": HABITS_OF["flat"],
        "working couple": Habits(
            initial_occupied=0.02,
            periods=(
                period("Morning", 6.0, leave=0.3, arrive=0.95),
                period("Work", 8.0, leave=0.98, arrive=0.02),
                period("Evening", 17.0, leave=0.15, arrive=0.95),
                period("Night", 23.0, leave=0.995, arrive=0.02),
            ),
            weekend=_WEEKEND_AT_HOME,
        ),
        "mostly in": Habits(
            initial_occupied=0.05,
            periods=(
                period("Morning", 7.0, leave=0.05, arrive=0.95),
                period("Day", 9.0, leave=0.4, arrive=0.85),
                period("Evening", 17.0, leave=0.1, arrive=0.95),
                period("Night", 22.0, leave=0.99, arrive=0.05),
            ),
        ),
        "farm": Habits(
            initial_occupied=0.02,
            periods=(
                period("Morning", 5.0, leave=0.03, arrive=0.97),
                period("Day", 8.0, leave=0.4, arrive=0.7),
                period("Evening", 17.0, leave=0.1, arrive=0.9),
                period("Night", 21.0, leave=0.99, arrive=0.03),
            ),
        ),
    }
)


def offered() -> tuple[str, ...]:
    """Return the words."""
    return tuple(dict.fromkeys([*WORDS, *BUSINESSES]))


def habits_of(word: str, hours: str = "", closed: str = "") -> Habits:
    """Return the habits of a word, with opening hours and closed days where they are said."""
    if word in WORDS and not (hours or closed):
        return WORDS[word]
    usual = BUSINESSES.get(word)
    if usual is None:
        of = ", ".join(BUSINESSES)
        raise ScenarioError("hours" if hours else "closed", f"is said of {word!r}; only {of} open and close.")
    opens, closes = opening_hours(hours) if hours else (usual.opens, usual.closes)
    shut = closed_days(closed) if closed else usual.closed
    ordinary, quiet = (_day(opens, closes, closed=each) for each in (False, True))
    return Habits(
        initial_occupied=0.0,
        periods=ordinary,
        weekend=quiet if shut.saturday else None,
        sunday=None if shut.sunday == shut.saturday else quiet if shut.sunday else ordinary,
    )


class Said(NamedTuple):
    """Habits as one says them: a word, and of what opens and closes when it does."""

    word: str
    hours: str = ""
    closed: str = ""

    def habits(self) -> Habits:
        return habits_of(*self)


def said_of(habits: Habits, name: str = "") -> Said | None:
    """Return how the habits of a group are said; None where no word says them. Of words for the same habits
    it is that which the group's name has, else home, or the business for which less is unusual."""
    if words := [word for word, own in WORDS.items() if own == habits]:
        return Said(min(words, key=lambda word: (word not in name.lower(), word != "home")))
    starts = {part.name: part.start for part in habits.periods}
    if not {"Day", "Closing"} <= starts.keys():
        return None
    opens, closes = starts["Day"], starts["Closing"]
    hours = "–".join(hhmm(hour).lstrip("0").removesuffix(":00") for hour in (opens, closes))
    found = []
    with suppress(ScenarioError):
        said = (Said(word, hours, closed) for closed in DAYS_CLOSED for word in BUSINESSES)
        found = [each for each in said if each.habits() == habits]

    def unusual(each: Said) -> tuple[bool, bool, bool]:
        usual = BUSINESSES[each.word]
        named = each.word in name.lower()
        return not named, closed_days(each.closed) != usual.closed, (opens, closes) != usual[:2]

    return min(found, key=unusual, default=None)


def opening_hours(text: str) -> tuple[float, float]:
    """Return when it opens and closes, of "9–18" or "8:30-12:15"."""
    said = _HOURS.fullmatch(text)
    if said is None:
        raise ScenarioError("hours", f"is {text[:40]!r}; write when it opens and closes, such as 9–18.")
    day = BOUNDS["start"]._replace(high=24.0, words="hours")
    opens, closes = (parse_hour(end, day) for end in said.groups())
    if not EARLIEST <= opens < closes <= LATEST:
        raise ScenarioError(
            "hours", f"is {text[:40]!r}; it must open from {hhmm(EARLIEST)} and close by {hhmm(LATEST)}."
        )
    return opens, closes


def closed_days(text: str) -> Closed:
    """Return on which days it is closed, of "Sunday" or "weekend"."""
    said = CLOSED.get(text.strip().lower())
    if said is None:
        raise ScenarioError("closed", f"is {text[:40]!r}; it must be Saturday, Sunday, weekend or never.")
    return said


def _day(opens: float, closes: float, *, closed: bool) -> tuple[Period, ...]:
    """The periods of a day; of one on which it is closed the same with hardly anybody."""
    (leave, arrive), (out, back) = ((0.99, 0.01), (0.98, 0.02)) if closed else ((0.02, 0.98), (0.1, 0.9))
    return (
        period("Opening", opens - COME_BEFORE, leave=leave, arrive=arrive),
        period("Day", opens, leave=out, arrive=back),
        period("Closing", closes, leave=0.97, arrive=0.02),
        period("Night", closes + LEFT_AFTER, leave=0.99, arrive=0.01),
    )
