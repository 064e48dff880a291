"""Which rate, interval and ε satisfy what is asked for, or which wish fails and by how much.

Both wishes: among the rates that hide the secret at the accepted error, the shortest interval wins, and on it
the rate at which the observer is right least often; its ε is the smallest that keeps the error. Only the
secret: the smallest error that hides it. Only the error: the rate at which she is right least often.

The timetable, a forecast that reads no data, hides everything. It is the answer where no rate does what is
asked for and its own error is accepted, and where a rate that hides would be no more accurate: smoothed that
much it is the forecast under another name. What an insider may see is not published, whatever the error.

What is estimated counts with its interval: a secret is hidden where its upper end is, and visible where that
may be.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from rtp.core.stats import Range
from rtp.core.time import StepMinutes
from rtp.decision.frontier import LOW_END, Interval, rates
from rtp.decision.requirement import Wish
from rtp.leakage.overview import HIDDEN, VISIBLE
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
    right: Range  # how often the observer is right about the secret
    insider: Range  # how often an insider is
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


InsiderAt = Callable[[StepMinutes, str, float], Range]  # interval, rate and ε → how often she is right


def choose(wish: Wish, seen: Mapping[StepMinutes, Interval], insider: InsiderAt) -> Chosen:
    """What to publish; `insider` says how often an insider is right about the same secret."""
    hides = _choices(seen, lambda here, rate: here.largest(rate, HIDDEN), up=False)
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
        both = [each for each in within if each.right.high <= HIDDEN]
        choice = min(both, key=lambda each: (each.minutes, each.right.value), default=None)
    if hiding is not None:
        edge = seen[hiding.minutes].largest(hiding.rate, HIDDEN, LOW_END)
        hiding = replace(hiding, edge=None if edge is None else usable_epsilon(edge, up=False))
    hiding, accurate, choice = (_with_insider(each, insider) for each in (hiding, accurate, choice))
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


def _with_insider(choice: Choice | None, insider: InsiderAt) -> Choice | None:
    """The choice with what an insider sees of it: computed of those that are chosen, and of no others."""
    if choice is None:
        return None
    return replace(choice, insider=insider(choice.minutes, choice.rate, choice.epsilon))


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
            right = Range(*here.right(rate, one)[:, 0].tolist())
            found.append(
                Choice(
                    rate=rate,
                    minutes=minutes,
                    epsilon=epsilon,
                    error=float(here.error(rate, one)[0]),
                    right=right,
                    insider=right,
                )
            )
    return found
