"""Which rate, interval and ε satisfy what is asked for, or which wish fails and by how much.

Both wishes: among the rates that hide the secret at the accepted error, the shortest interval wins, and on it
the rate at which the observer is right least often; its ε is the smallest that keeps the error. Only the
secret: the smallest error that hides it. Only the error: the rate at which she is right least often.

The timetable, a forecast that reads no data, hides everything. It is the answer where no rate does what is
asked for and its own error is accepted, and where a rate that hides would be no more accurate: smoothed that
much it is the forecast under another name. What an insider may see is not published, whatever the error.

What is estimated counts with its interval: a secret is hidden where its upper end is, and visible where that
may be. Of an observer who is not the strongest there is, see `requirement.hidden`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from rtp.core.stats import Range
from rtp.core.time import StepMinutes
from rtp.decision.frontier import LOW_END, Interval, rates
from rtp.decision.requirement import Wish
from rtp.exposure import VISIBLE, Worst
from rtp.mechanisms import NO_DATA
from rtp.tradeoff.curves import usable_epsilon

Advice = Literal["publish", "timetable", "nothing"]
AS_FORECAST = 0.95  # of the forecast's error, from which on a rate is the forecast under another name


@dataclass(frozen=True, kw_only=True)
class Choice:
    """One rate at one interval and ε."""

    rate: str
    minutes: StepMinutes
    epsilon: float
    error: float  # expected, as a fraction of the rate in a typical step
    right: Range  # how often the observer names the right one of two
    insider: Range  # how often an insider does
    hides: bool  # whether that is as little as hides the secret
    exact: bool  # whether the observer is the strongest there is; else she is right at least so often
    worst: Worst | None = None  # where she does so best; None where there is nothing to tell
    edge: float | None = None  # the ε up to which the secret may be hidden, where that was asked for

    @property
    def shows(self) -> bool:
        """Whether it is never to be published: an insider may see the secret."""
        return self.insider.high >= VISIBLE


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """The verdict, and what stands beside it."""

    verdict: Advice
    choice: Choice | None  # that is published
    hiding: Choice | None  # the most accurate that hides the secret
    accurate: Choice | None  # the one that shows least within the accepted error
    timetable: StepMinutes  # the interval at which the forecast is most accurate
    timetable_error: float

    @property
    def rate(self) -> str:
        """The rate that is published, or would be; the timetable is the forecast."""
        return self.choice.rate if self.choice else NO_DATA

    @property
    def minutes(self) -> StepMinutes:
        """The interval at which it is."""
        return self.choice.minutes if self.choice else self.timetable


def choose(wish: Wish, seen: Mapping[StepMinutes, Interval]) -> Chosen:
    """What to publish."""
    hides = _choices(seen, lambda here, rate: here.largest(rate), up=False)
    hiding = min(hides, key=lambda each: each.error, default=None)
    within: list[Choice] = []
    if wish.error is not None:
        accepted = wish.error / 100
        within = _choices(seen, lambda here, rate: here.smallest(rate, accepted), up=True)
    accurate = min(within, key=lambda each: each.right.value, default=None)
    if wish.error is None:
        choice = hiding
    elif wish.secret is None:
        choice = accurate
    else:
        both = [each for each in within if each.hides]
        choice = min(both, key=lambda each: (each.minutes, each.right.value), default=None)
    if hiding is not None:
        edge = seen[hiding.minutes].largest(hiding.rate, LOW_END)
        hiding = replace(hiding, edge=None if edge is None else usable_epsilon(edge, up=False))
    hiding, accurate, choice = (_in_full(each, seen) for each in (hiding, accurate, choice))
    minutes = min(seen, key=lambda each: seen[each].timetable)
    error = seen[minutes].timetable
    verdict: Advice = "publish"
    if choice is None or choice.shows or choice.error > AS_FORECAST * error:
        choice = None
        verdict = "timetable" if wish.error is None or error <= wish.error / 100 else "nothing"
    return Chosen(
        verdict=verdict,
        choice=choice,
        hiding=hiding,
        accurate=accurate,
        timetable=minutes,
        timetable_error=error,
    )


def _in_full(choice: Choice | None, seen: Mapping[StepMinutes, Interval]) -> Choice | None:
    """The choice as the exposure itself has it, and where she is right most often."""
    if choice is None:
        return None
    here, at = seen[choice.minutes], (choice.rate, choice.epsilon)
    return replace(choice, right=here.seen.at(*at), insider=here.insider.at(*at), worst=here.seen.worst(*at))


def _choices(
    seen: Mapping[StepMinutes, Interval], epsilon_of: Callable[[Interval, str], float | None], *, up: bool
) -> list[Choice]:
    """Every rate at every interval with the ε that it is given there, if any, rounded up or down."""
    found = []
    for minutes, here in seen.items():
        for rate in rates(here.scenario):
            if (exactly := epsilon_of(here, rate)) is None:
                continue
            epsilon = usable_epsilon(exactly, up=up)
            one = np.array([epsilon])
            right, insider = here.right(rate, epsilon)
            found.append(
                Choice(
                    rate=rate,
                    minutes=minutes,
                    epsilon=epsilon,
                    error=float(here.error(rate, one)[0]),
                    right=right,
                    insider=insider,
                    hides=bool(here.hides(rate, one)[0]),
                    exact=here.seen.exact,
                )
            )
    return found
