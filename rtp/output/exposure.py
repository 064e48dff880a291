"""What exposure says in words: how often she tells which of two it was, where it shows most, and by whom.

Every screen, command and report takes its percent, its "at least" and its names of places from here. And what
the first screen says beside it: where the private rate is as dear as the naive one.
"""

from collections.abc import Mapping
from math import isclose

from rtp.core.formatting import in_markdown, percent, plain, unbroken, whole_percent
from rtp.core.language import noted
from rtp.core.stats import LEVEL_WORDS, Range
from rtp.core.time import when
from rtp.exposure import HIDDEN, VISIBLE, Exposure, Secret, Worst, hidden
from rtp.mechanisms import FEATURED, NO_DATA, UNPROTECTED, YARDSTICK
from rtp.metrics import ERROR_DIGITS
from rtp.scenario import OccupiedMeans, Scenario
from rtp.scenario.habits import HOME, UP
from rtp.simulation import Day

COIN = "a coin: 50 %"
END_DIGITS = 4  # at most, of an end that lies next to a limit
EDGE = "on the edge of"  # where an interval crosses a limit
SECRETS: dict[Secret, str] = {"moment": "A moment", "day": "A day away", "week": "A week away"}
ASKED: dict[Secret, str] = {
    "moment": "whether a house is occupied at a moment",
    "day": "whether a house is empty for a day",
    "week": "whether a house is empty for a week",
}

STATE: dict[OccupiedMeans, str] = {UP: "is up", HOME: "is in"}
ALWAYS = 0.995  # an area from which she errs once in 200 times or less
NOTICED = 0.01  # a difference of areas below it is none that anyone would act on
USELESS = 0.5  # an error beyond which a rate is none to pay by
SPENT = 1.1  # times an error that hides as much: less is not worth a word
_OPTIMAL = "the optimal electricity rate (price)"  # by its whole name where it is met first


def share(area: Range, exact: bool = True) -> str:
    """Return how often she names the right one of two: 77 %; at least 58 % where she is not the strongest."""
    shown = unbroken(whole_percent(area.value))
    return f"at least {shown}" if may_be_more(area, exact) else shown


def may_be_more(area: Range, exact: bool) -> bool:
    """Return whether a stronger observer might be right more often than is shown."""
    return not exact and whole_percent(area.value) != whole_percent(1.0)


def interval(area: Range) -> str:
    """Return the 95 % interval: 75 to 79 %; with as many digits as show on which side of a limit it ends."""
    low, high = (_beside_limits(end) for end in (area.low, area.high))
    return f"{low} to {unbroken(f'{high} %')}"


def _beside_limits(end: float) -> str:
    """Return an end in percent; one that is not a limit is not written as one."""
    written = [f"{100 * end:.{digits}f}" for digits in range(END_DIGITS + 1)]
    limits = [each for each in (HIDDEN, VISIBLE) if end != each]
    return next(
        (each for each in written if float(each) not in [100 * limit for limit in limits]), written[0]
    )


def visibility(area: Range, hides: bool = True) -> str:
    """Return what an area amounts to, hidden, partly hidden or visible; one whose interval crosses a limit is
    on its edge. `hides`: whether what is little enough to hide a secret is known to."""
    for limit, word in ((HIDDEN, "hidden"), (VISIBLE, "visible")):
        if area.low < limit < area.high:
            return f"{EDGE} {word}"
    if area.value <= HIDDEN:
        return "hidden" if hides else "not known to be hidden"
    return "visible" if area.value >= VISIBLE else "partly hidden"


def where(worst: Worst | None, scenario: Scenario, secret: Secret = "moment", first: int = 1) -> str:
    """Return where it shows most, "house 4, Saturday 06:15": the weekday where days differ, no clock where
    the secret is a day or a week. A listed house keeps the name that somebody wrote."""
    if worst is None:
        return "no house"
    parts: list[str] = [worst.weekday] if scenario.has_weekends and secret != "week" else []
    if secret == "moment":
        parts.append(when(worst.step, step_minutes=scenario.step_minutes))
    return ", ".join([scenario.house(worst.house, first=first), *([" ".join(parts)] if parts else [])])


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


def claim(
    insider: Exposure,
    outsider: Exposure,
    cost: Mapping[str, Range],
    scenario: Scenario,
    enough: float | None = None,
) -> str:
    """Return what each observer tells of a moment here, by the optimal and by the private rate, what that
    costs, and whether it is worth it; names of listed houses are escaped for Markdown. `enough` is an error
    beyond which a larger one hides nothing more. A rate that nobody could pay by hides nothing worth having:
    then that is said first."""
    price, useless = _price(cost, enough), cost[FEATURED].value >= USELESS
    worst = insider.worst(FEATURED, scenario.epsilon)
    if worst is None:
        return f"Habits settle every moment here: no rate can tell more. {price}"
    bare, private = insider.at(UNPROTECTED), insider.at(FEATURED, scenario.epsilon)
    place = in_markdown(where(worst, scenario))
    taken = bare.value - private.value >= NOTICED
    state = f"whether a house {STATE[scenario.occupied_means]} ({share(bare)}; {COIN})"
    if bare.high <= HIDDEN:
        lead = f"Even from {_OPTIMAL} an insider hardly tells {state}"
    elif bare.value >= ALWAYS:
        lead = f"From {_OPTIMAL}, an insider always tells {state}"
    else:
        lead = f"From {_OPTIMAL}, an insider tells {state}"
    if not taken:
        then = f"the private one takes nothing away: {share(private)} ({place})."
    elif private.high <= HIDDEN < bare.high and not useless:
        then = f"the private one hides it: {share(private)} ({place})."
    else:
        then = f"from the private one {share(private)} ({place})."
    others = _outsider(outsider, insider, scenario, useless) if scenario.households > 1 else ""
    told = " ".join(filter(None, (f"{lead}; {then}", others)))
    return f"{price} {told}" if useless else f"{told} {price}"


def _outsider(found: Exposure, insider: Exposure, scenario: Scenario, useless: bool) -> str:
    """Return what an outsider tells. An approximation alone hides nothing, without noise that counts."""
    rates = ((UNPROTECTED, None), (FEATURED, scenario.epsilon))
    bare, private = (found.at(*rate) for rate in rates)
    both = [share(area, found.exact) for area in (bare, private)]
    who = "An outsider"
    if found.exact and private.high <= HIDDEN < bare.high and not useless:
        return f"The noise hides it from an outsider: {both[1]} (without it {both[0]})."
    beside = insider.at(FEATURED, scenario.epsilon).high, insider.at(UNPROTECTED).high
    if not found.exact and hidden(private.high, *beside, exact=False) and not useless:
        return f"Crowd and noise hide it from an outsider: {both[1]}."
    if found.exact and all(_overlap(found.at(*rate), insider.at(*rate)) for rate in rates):
        return f"{who} tells as much."
    if both[0] == both[1]:
        return f"{who} tells {both[0]} from either."
    return f"{who} tells {both[0]}, from the private one {both[1]}."


def _overlap(one: Range, other: Range) -> bool:
    return one.low <= other.high and other.low <= one.high


def _price(cost: Mapping[str, Range], enough: float | None) -> str:
    """Return how far off the private rate is; a forecast that reads no data, where that is closer; and how
    much of the error is spent for nothing."""
    own, forecast = cost[FEATURED].value, cost[NO_DATA].value
    off, other = (unbroken(percent(each, ERROR_DIGITS)) for each in (own, forecast))
    closer = f", a forecast that reads no meter by {other}" if forecast < own else ""
    useless = "useless here: " if own >= USELESS else ""
    wasted = ""
    if enough is not None and own >= SPENT * enough:
        less, times = unbroken(percent(enough, 2)), plain(own / enough, 2)
        wasted = f" An error of {less} hides as much: {times} times the error, nothing more hidden."
    return f"The private rate is {useless}off by {off} (RMSRE){closer}.{wasted}"


def observers(insider: Exposure, outsider: Exposure, scenario: Scenario) -> dict[str, Exposure]:
    """Return both by the names that pictures give them; the one house of a street has one observer."""
    if scenario.households == 1:
        return {noted("observer"): insider}
    outside = noted("outsider") if outsider.exact else noted("outsider, at least")
    return {noted("insider"): insider, outside: outsider}


def about(insider: Exposure, outsider: Exposure, scenario: Scenario) -> list[str]:
    """Return what the claim's numbers mean, and how sure they are: a line for each observer."""
    lines = [
        "Of two days that differ in one moment of one house, occupied or empty, an observer names the right "
        "one so often. Moments count at which habits leave either answer at least 5 % likely. Habits, bounds "
        f"and all rates of the day are known to everyone. In brackets: {LEVEL_WORDS} intervals."
    ]
    for found, knows in ((insider, "what everyone else used"), (outsider, "no more")):
        worst = found.worst(FEATURED, scenario.epsilon)
        rates = [
            f"{share(area, found.exact)} ({interval(area)}) from {rate}"
            for rate, name in (("the optimal rate", UNPROTECTED), ("the private rate", FEATURED))
            for area in [found.at(name, scenario.epsilon)]
        ]
        place = in_markdown(where(worst, scenario))
        lines.append(f"An {found.observer}, who knows {knows}: {', '.join(rates)}; most about {place}.")
    return lines


_SAME = 0.01  # of an error: less does not show in its digits
LOOKING = "Looking for the house and the moment that show most …"


def as_naive(day: Day, cost: Mapping[str, Range]) -> bool:
    """Whether the private rate misses as much as the naive one because every house is always protected."""
    never_certain = bool((day.release[FEATURED].protected == day.scenario.households).all())
    return never_certain and isclose(cost[FEATURED].value, cost[YARDSTICK].value, rel_tol=_SAME)


def as_naive_words(preset: str, cost: Mapping[str, Range]) -> str:
    """Why that is so, and on which preset it is not; `cost` is that preset's."""
    less = whole_percent(1 - cost[FEATURED].value / cost[YARDSTICK].value)
    return (
        "Algorithm 1 adds as much noise as naive here: nobody is surely out. On "
        f"*{preset.capitalize()}*, {less} less."
    )


def houses_words(households: int) -> str:
    """How many houses a street has."""
    return "1 house" if households == 1 else f"{households:,} houses"
