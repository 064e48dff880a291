"""What is measured again because a limit lies in its interval, or so near that half of it decides.

One rule for all that is said of an answer: it is measured on other days, four times as many and then sixteen
times, until the interval is clear of the limit. What is not clear even then is on the edge: it does not count
as hidden, and is said. Clear is half an interval more than outside of it, so that the interval at which
measuring ends still covers the truth as often as one that is measured once.

What is published lies on the edge by construction: the largest ε is looked for at which the whole interval is
below the limit. There the days are more while what is undecided could change the error by more than
`UNDECIDED` of it; what is left is said with the answer (`choose.Edge`).

What decides is said beside the number that every screen has of the same secret, and does not replace it. It
depends on the noise's width alone: what was measured for one error that is accepted serves for the next.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import NamedTuple

from rtp.core.stats import Range
from rtp.core.time import StepMinutes
from rtp.decision.choose import Chosen, choose
from rtp.decision.frontier import Interval, Question, with_exposures
from rtp.decision.requirement import Wish
from rtp.exposure import HIDDEN, VISIBLE, Exposure, Secret
from rtp.exposure.search import Curve
from rtp.mechanisms import REGISTRY

Found = Mapping[Question, Exposure]
MORE, MOST = 4, 16  # times as many days: the step, and the bound
CLEAR = 0.25  # of an interval's width, that a limit must be away from it
UNDECIDED = 0.05  # of the error


class Closer(NamedTuple):
    """What was measured closer of a street: its secret, the observer, on how many times as many days, and
    from which width on."""

    minutes: StepMinutes
    secret: Secret
    rarest: float
    of: str | None
    observer: str
    group: str
    times: int
    first: int


Measured = dict[Closer, Curve]


def near_a_limit(right: Range) -> bool:
    """Return whether its interval is not clear of being hidden, or visible."""
    apart = CLEAR * (right.high - right.low)
    return any(right.low - apart < limit < right.high + apart for limit in (HIDDEN, VISIBLE))


def clear(
    asked: Question,
    found: Exposure,
    rate: str,
    epsilon: float,
    measured: Measured,
    groups: Collection[str] = (),
) -> Exposure:
    """Return it with what is told from a rate about these groups, or all, measured until it is clear of the
    limits, or as far as there is time."""
    if not REGISTRY[rate].reads_demand:
        return found
    width = float(found.width(rate, [epsilon])[0])
    while True:
        own = {name: each for name, each in found.by_group.items() if name in (groups or found.by_group)}
        near = [name for name, each in own.items() if near_a_limit(each.at(rate, epsilon))]
        if (more := _closer(asked, found, near, width, measured)) is found:
            return found
        found = more


def _closer(
    asked: Question, found: Exposure, groups: Collection[str], width: float, measured: Measured
) -> Exposure:
    """Return it with these groups measured on more days; the same where there is no time for more."""
    times = MORE * max((found.times(name, width) for name in groups), default=MOST)
    if times > min(MOST, found.most_times):
        return found
    above = found.insider
    if above is not None:
        above = _on_days(asked, above, groups, width, times, measured)
    return replace(_on_days(asked, found, groups, width, times, measured), insider=above)


def _on_days(
    asked: Question, found: Exposure, groups: Collection[str], width: float, times: int, measured: Measured
) -> Exposure:
    street, secret, _, rarest, of = asked
    what = street.step_minutes, secret, rarest, of, found.observer
    keys = {name: Closer(*what, name, times, found.beside(width).start) for name in groups}
    missing = [name for name, key in keys.items() if key not in measured and name in found.curves]
    for name, curve in found.measured(times, missing, width).items():
        measured[keys[name]] = curve
    return found.with_closer({name: measured[key] for name, key in keys.items() if key in measured}, width)


def settled(
    wish: Wish, intervals: Mapping[StepMinutes, Interval], found: Found, measured: Measured
) -> tuple[Chosen, dict[StepMinutes, Interval], dict[Question, Exposure]]:
    """Return what is chosen where exposures are measured as far as that depends on it, and those. What was
    `measured` before is not measured again, and what is now is added to it."""
    here, known = dict(intervals), dict(found)
    while True:
        chosen = choose(wish, here)
        closer = {
            **_hiding(wish, chosen, here, known, measured),
            **_told(chosen, here, known, measured),
        }
        if all(each is known[question] for question, each in closer.items()):
            return chosen, here, known
        known |= closer
        here = {minutes: with_exposures(each, wish, known) for minutes, each in here.items()}


def _hiding(
    wish: Wish,
    chosen: Chosen,
    intervals: Mapping[StepMinutes, Interval],
    found: Found,
    measured: Measured,
) -> Found:
    """Return the judge's exposure, measured closer where what hides the secret is undecided by too much."""
    edge, hiding = chosen.edge, chosen.hiding
    if wish.secret is None or edge is None:
        return {}
    if hiding is not None and hiding.error - edge.error <= UNDECIDED * hiding.error:
        return {}
    here = intervals[edge.minutes]
    question = here.asked[here.judge]
    near = [
        name for name, each in here.seen.by_group.items() if each.at(edge.rate, edge.epsilon).high > HIDDEN
    ]
    width = float(here.seen.width(edge.rate, [edge.epsilon])[0])
    return {question: _closer(question, found[question], near, width, measured)}


def _told(
    chosen: Chosen, intervals: Mapping[StepMinutes, Interval], found: Found, measured: Measured
) -> Found:
    """Return what is told of the choice, measured until it is clear; what it was chosen by is at the edge."""
    choice = chosen.choice or (chosen.accurate if chosen.verdict == "nothing" else None)
    if choice is None:
        return {}
    here, closer = intervals[choice.minutes], {}
    for who in choice.told:
        if choice is not chosen.hiding or who != choice.judge:
            question, groups = here.asked[who], here.found[who].curves
            closer[question] = clear(question, found[question], choice.rate, choice.epsilon, measured, groups)
    return closer
