"""Habits by a word, and by opening hours: what is known of a connection of which nobody has readings.

A word stands for habits that are common: a working couple is out from eight to five, whoever is mostly in
goes out at any time, a farm is up early every day. What opens and closes, a shop, an office, a school, comes
an hour before it opens, and is left within two hours after it closes; a night shift closes on the day after.
On days on which it is closed, which are Saturday, Sunday, or both, hardly anybody comes from midnight to
midnight.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import NamedTuple

from rtp.scenario.habits import Habits, Period, period
from rtp.scenario.presets import HABITS_OF
from rtp.scenario.validation import ScenarioError

COME_BEFORE, LEFT_AFTER, HOURS_A_DAY = 1.0, 2.0, 24.0  # before it opens and after it closes
_CLOCK = r"(\d{1,2})(?::([0-5][05]))?"
_HOURS = re.compile(rf"\s*{_CLOCK}\s*(?:-|–|—|to)\s*{_CLOCK}\s*")
DAYS_CLOSED: Mapping[str, frozenset[str]] = MappingProxyType(  # as they are written
    {
        "never": frozenset(),
        "weekend": frozenset({"Saturday", "Sunday"}),
        "Saturday": frozenset({"Saturday"}),
        "Sunday": frozenset({"Sunday"}),
    }
)
_SHORT = {
    short: DAYS_CLOSED[name]
    for short, name in {"sat": "Saturday", "sun": "Sunday", "no": "never", "none": "never"}.items()
}


class Opening(NamedTuple):
    """When it opens and closes, and on which days it does not."""

    opens: float
    closes: float
    closed: frozenset[str]


BUSINESSES: Mapping[str, Opening] = MappingProxyType(
    {
        "shop": Opening(9.0, 18.0, DAYS_CLOSED["never"]),
        "office": Opening(8.0, 17.0, DAYS_CLOSED["weekend"]),
        "school": Opening(8.0, 14.0, DAYS_CLOSED["weekend"]),
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
    opens, closes = opening_hours(hours) if hours else usual[:2]
    shut = closed_days(closed) if closed else usual.closed
    ordinary, quiet = (_day(opens, closes, closed=each) for each in (False, True))
    saturday, sunday = (quiet if day in shut else ordinary for day in ("Saturday", "Sunday"))
    return Habits(
        initial_occupied=0.9 if opens > closes else 0.0,
        periods=ordinary,
        weekend=None if saturday == ordinary else saturday,
        sunday=None if sunday == saturday else sunday,
    )


class Said(NamedTuple):
    """Habits as one says them: a word, and of what opens and closes when it does."""

    word: str
    hours: str = ""
    closed: str = ""


def said_of(habits: Habits, name: str = "") -> Said | None:
    """Return how the habits of a group are said; None where no word says them. Of words for the same habits
    it is that which the group's name has, else home, or the business for which less is unusual."""
    if words := [word for word, own in WORDS.items() if own == habits]:
        return Said(min(words, key=lambda word: (word not in name.lower(), word != "home")))
    starts = {part.name: part.start for part in habits.periods}
    if not {"Day", "Closing"} <= starts.keys():
        return None
    opens, closes = starts["Day"], starts["Closing"] or HOURS_A_DAY
    hours = "–".join(f"{int(hour)}:{60 * (hour % 1):02.0f}".removesuffix(":00") for hour in (opens, closes))
    found = []
    with suppress(ScenarioError):
        said = (Said(word, hours, closed) for closed in DAYS_CLOSED for word in BUSINESSES)
        found = [each for each in said if habits_of(*each) == habits]

    def unusual(each: Said) -> tuple[bool, bool, bool]:
        usual = BUSINESSES[each.word]
        named = each.word in name.lower()
        return not named, DAYS_CLOSED[each.closed] != usual.closed, (opens, closes) != usual[:2]

    return min(found, key=unusual, default=None)


def opening_hours(text: str) -> tuple[float, float]:
    """Return when it opens and closes, of "9–18", "8:30-12:15" or, through the night, "22–6"."""
    said = _HOURS.fullmatch(text)
    if said is None:
        must = "write when it opens and closes, such as 9–18 or 8:30–12:15"
        raise ScenarioError("hours", f"is {text[:40]!r}; {must}.")
    opens, closes = (int(said[i]) + int(said[i + 1] or 0) / 60 for i in (1, 3))
    least = COME_BEFORE + LEFT_AFTER
    if max(opens, closes) > HOURS_A_DAY or not 0 < (closes - opens) % HOURS_A_DAY < HOURS_A_DAY - least:
        must = f"be hours from 0 to 24, more than {least:g} of them closed"
        raise ScenarioError("hours", f"is {text[:40]!r}; it must {must}.")
    return opens % HOURS_A_DAY, closes or HOURS_A_DAY


def closed_days(text: str) -> frozenset[str]:
    """Return on which days it is closed, of "Sunday", "sat and sun" or "weekend"."""
    words = re.findall(r"\w+", text.lower().replace(" and ", " "))
    known = {name.lower(): days for name, days in DAYS_CLOSED.items()} | _SHORT
    said = [known.get(word.removesuffix("s")) for word in words]
    if not said or None in said:
        raise ScenarioError("closed", f"is {text[:40]!r}; it must be Saturday, Sunday, weekend or never.")
    return frozenset(day for days in said if days for day in days)


def _day(opens: float, closes: float, *, closed: bool) -> tuple[Period, ...]:
    """The periods of a day; of one on which it is closed the same with hardly anybody."""
    (leave, arrive), (out, back) = ((0.99, 0.01), (0.98, 0.02)) if closed else ((0.02, 0.98), (0.1, 0.9))
    parts = (
        ("Opening", opens - COME_BEFORE, leave, arrive),
        ("Day", opens, out, back),
        ("Closing", closes, 0.97, 0.02),
        ("Night", closes + LEFT_AFTER, 0.99, 0.01),
    )
    day = [period(name, start % HOURS_A_DAY, leave=out, arrive=back) for name, start, out, back in parts]
    return tuple(sorted(day, key=lambda part: part.start))
