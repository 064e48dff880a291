"""What exposure says in words: how often she tells which of two it was, where it shows most, and by whom.

Every screen, command and report takes its percent, its "at least" and its names of places from here.
"""

from rtp.core.formatting import unbroken, whole_percent
from rtp.core.stats import LEVEL_WORDS, Range
from rtp.core.time import when
from rtp.exposure import HIDDEN, VISIBLE, Exposure, Secret, Worst
from rtp.scenario import Scenario

COIN = "a coin: 50 %"
EDGE = "on the edge of"  # where an interval crosses a limit
ASKED: dict[Secret, str] = {
    "moment": "whether a house is occupied at a moment",
    "day": "whether a house is empty for a day",
    "week": "whether a house is empty for a week",
}


def share(area: Range, exact: bool = True) -> str:
    """Return how often she names the right one of two: 77 %; at least 58 % where she is not the strongest."""
    shown = unbroken(whole_percent(area.value))
    return shown if exact else f"at least {shown}"


def interval(area: Range) -> str:
    """Return the 95 % interval: 75 to 79 %."""
    return f"{100 * area.low:.0f} to {unbroken(whole_percent(area.high))}"


def visibility(area: Range) -> str:
    """Return what an area amounts to, hidden, blurred or visible; one whose interval crosses a limit is on
    its edge."""
    for limit, word in ((HIDDEN, "hidden"), (VISIBLE, "visible")):
        if area.low < limit < area.high:
            return f"{EDGE} {word}"
    return "hidden" if area.value <= HIDDEN else "visible" if area.value >= VISIBLE else "blurred"


def where(worst: Worst | None, scenario: Scenario, secret: Secret = "moment") -> str:
    """Return where it shows most, "house 4, Saturday 06:15": the weekday where days differ, no clock where
    the secret is a day or a week. A listed house keeps the name that somebody wrote."""
    if worst is None:
        return "no house"
    parts = [worst.weekday] if scenario.has_weekends and secret != "week" else []
    if secret == "moment":
        parts.append(when(worst.step, step_minutes=scenario.step_minutes))
    return ", ".join([scenario.house(worst.house), *([" ".join(parts)] if parts else [])])


def told(found: Exposure, mechanism: str, epsilon: float | None = None) -> str:
    """Return how often this observer tells from a mechanism's rates, in one sentence with the place."""
    scenario = found.records[0].scenario
    worst = found.worst(mechanism, epsilon)
    if worst is None:
        return f"Habits settle {ASKED[found.secret]}: there is nothing to tell an {found.observer}."
    area = found.at(mechanism, epsilon)
    return (
        f"An {found.observer} tells {ASKED[found.secret]} {share(area, found.exact)} of the time "
        f"({LEVEL_WORDS} interval {interval(area)}; {COIN}), at {where(worst, scenario, found.secret)}."
    )
