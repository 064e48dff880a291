"""Which rate, interval and ε satisfy what is asked for, or which wish fails and by how much.

Both wishes: among the rates that hide the secret at the accepted error, the shortest interval wins, and on it
the rate at which the observer is right least often; its ε is the smallest that keeps the error. Only the
secret: the smallest error that hides it. Only the error: the rate at which she is right least often.

The timetable, a forecast that reads no data, hides everything. It is the answer where no rate does what is
asked for and its own error is accepted, and where a rate that hides would be no more accurate: smoothed that
much it is the forecast under another name. What an insider sees is not published, whatever the error.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from rtp.core.stats import Range
from rtp.core.time import StepMinutes
from rtp.decision.frontier import Interval, rates
from rtp.decision.wish import Wish
from rtp.leakage.overview import HIDDEN, VISIBLE
from rtp.tradeoff.answers import usable_epsilon

Verdict = Literal["publish", "timetable", "nothing"]
AS_FORECAST = 0.95  # of the forecast's error, from which on a rate is the forecast under another name


@dataclass(frozen=True, kw_only=True)
class Choice:
    """One rate at one interval and ε."""

    rate: str
    minutes: StepMinutes
    epsilon: float
    error: float  # expected, as a fraction of the rate in a typical step
    right: Range  # how often the observer is right about the secret
    insider: float  # how often an insider is

    @property
    def shows(self) -> bool:
        """Whether it is never to be published."""
        return self.insider >= VISIBLE


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """The verdict, and what stands beside it."""

    verdict: Verdict
    choice: Choice | None  # that is published
    hiding: Choice | None  # the most accurate that hides the secret
    accurate: Choice | None  # the one that shows least within the accepted error
    timetable: StepMinutes  # the interval at which the forecast is most accurate
    timetable_error: float


def choose(
    wish: Wish, seen: Mapping[StepMinutes, Interval], insider: Mapping[StepMinutes, Interval]
) -> Chosen:
    """What to publish; `insider` is what an insider sees of the same secret."""
    every = [(minutes, rate) for minutes, here in seen.items() for rate in rates(here.scenario)]

    def at(minutes: StepMinutes, rate: str, epsilon: float | None) -> Choice | None:
        if epsilon is None:
            return None
        here, one = seen[minutes], np.array([epsilon])
        return Choice(
            rate=rate,
            minutes=minutes,
            epsilon=epsilon,
            error=float(here.error(rate, one)[0]),
            right=Range(*here.right(rate, one)[:, 0].tolist()),
            insider=float(insider[minutes].right(rate, one)[0, 0]),
        )

    hides = [at(minutes, rate, _down(seen[minutes].largest(rate, HIDDEN))) for minutes, rate in every]
    hiding = min((each for each in hides if each is not None), key=lambda each: each.error, default=None)
    accurate = None
    if wish.error is not None:
        accepted = wish.error / 100
        within = [at(minutes, rate, _up(seen[minutes].smallest(rate, accepted))) for minutes, rate in every]
        least = [each for each in within if each is not None]
        accurate = min(least, key=lambda each: each.right.value, default=None)
        both = [each for each in least if each.right.value <= HIDDEN]
    minutes = min(seen, key=lambda each: seen[each].timetable)
    error = seen[minutes].timetable
    if wish.error is None:
        choice = hiding
    elif wish.secret is None:
        choice = accurate
    else:
        choice = min(both, key=lambda each: (each.minutes, each.right.value), default=None)
    verdict: Verdict = "publish"
    if choice is None or choice.shows or choice.error > AS_FORECAST * error:
        verdict = "timetable" if wish.error is None or error <= wish.error / 100 else "nothing"
    return Chosen(
        verdict=verdict,
        choice=choice if verdict == "publish" else None,
        hiding=hiding,
        accurate=accurate,
        timetable=minutes,
        timetable_error=error,
    )


def _up(epsilon: float | None) -> float | None:
    return None if epsilon is None else usable_epsilon(epsilon)


def _down(epsilon: float | None) -> float | None:
    """In as many digits, rounded down: a smaller budget hides no less."""
    return None if epsilon is None else usable_epsilon(epsilon, up=False)
