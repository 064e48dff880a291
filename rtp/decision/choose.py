"""Which rate, interval and ε satisfy what is asked for, or which wish fails and by how much.

There is one objective: the smallest error that hides the secret. Where an error is accepted, too, that must
not be larger; else nothing satisfies both, and the rate within it from which the observer tells least stands
beside. Where nothing must stay hidden, that is the answer.

The timetable, a forecast that reads no data, hides everything. It is the answer where no rate does what is
asked for and its own error is accepted, and where a rate that hides would be no more accurate: smoothed that
much it is the forecast under another name.

The secret is hidden from whom it must stay hidden from. What an insider tells is no veto on a rate that hides
it from an outsider; it stands beside, as a warning.

What is estimated counts with its interval: a secret is hidden where its upper end is. Of an observer who is
not the strongest there is, see `rtp.exposure.hidden`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from rtp.core.stats import Range
from rtp.core.time import StepMinutes
from rtp.decision.frontier import LOW_END, Interval, rates
from rtp.decision.requirement import Wish
from rtp.exposure import Exposure, Observer, Worst
from rtp.mechanisms import NO_DATA
from rtp.tradeoff.curves import usable_epsilon

Advice = Literal["publish", "timetable", "nothing"]
AS_FORECAST = 0.95  # of the forecast's error, from which on a rate is the forecast under another name
NO_PROMISE = 10.0  # ε from which on e^ε is so large that a promise of it says nothing


@dataclass(frozen=True, kw_only=True)
class Edge:
    """The most accurate that may hide the secret, for all that was measured: it counts as not hiding it."""

    rate: str
    minutes: StepMinutes
    epsilon: float
    error: float


@dataclass(frozen=True, kw_only=True)
class Choice:
    """One rate at one interval and ε."""

    rate: str
    minutes: StepMinutes
    epsilon: float
    error: float  # expected, as a fraction of the rate in a typical step
    first: Mapping[Observer, Range]  # how often each observer names the right one of two, as on every screen
    told: Mapping[Observer, Range]  # the same, measured closer where that decides
    judge: Observer  # from whom it must stay hidden
    hides: bool  # whether that is as little as hides the secret
    exact: bool  # whether the judge is the strongest there is; else she is right at least so often
    worst: Worst | None = None  # where she does so best; None where there is nothing to tell

    @property
    def right(self) -> Range:
        """How often the judge is right."""
        return self.told[self.judge]

    @property
    def promises(self) -> bool:
        """Whether its ε says anything; else what hides the secret is the crowd."""
        return self.epsilon <= NO_PROMISE


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """The verdict, and what stands beside it."""

    verdict: Advice
    choice: Choice | None  # that is published
    hiding: Choice | None  # the most accurate that hides the secret
    edge: Edge | None  # where it is another one
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
    accepted = np.inf if wish.error is None else wish.error / 100
    hiding = min(
        _choices(seen, lambda here, rate: here.largest(rate), up=False),
        key=lambda each: each.error,
        default=None,
    )
    accurate = None
    if wish.error is not None:
        within = _choices(seen, lambda here, rate: here.smallest(rate, accepted), up=True)
        accurate = min(within, key=lambda each: (each.right.value, -each.error), default=None)
    hiding, accurate = (_with_worst(each, seen) for each in (hiding, accurate))
    choice = accurate if wish.secret is None else hiding
    minutes = min(seen, key=lambda each: seen[each].timetable)
    error = seen[minutes].timetable
    verdict: Advice = "publish"
    if choice is None or choice.error > min(accepted, AS_FORECAST * error):
        choice = None
        verdict = "timetable" if error <= accepted else "nothing"
    return Chosen(
        verdict=verdict,
        choice=choice,
        hiding=hiding,
        edge=_edge(hiding, seen, AS_FORECAST * error),
        accurate=accurate,
        timetable=minutes,
        timetable_error=error,
    )


def _edge(hiding: Choice | None, seen: Mapping[StepMinutes, Interval], most: float) -> Edge | None:
    """The most accurate whose interval is not above what hides the secret; None where it is the choice, and
    where it is no more accurate than `most`, which tells nothing."""
    possible = []
    for minutes, here in seen.items():
        for rate in rates(here.scenario):
            if (largest := here.largest(rate, LOW_END)) is not None:
                epsilon = usable_epsilon(largest, up=False)
                error = float(here.error(rate, np.array([epsilon]))[0])
                possible.append(Edge(rate=rate, minutes=minutes, epsilon=epsilon, error=error))
    edge = min(possible, key=lambda each: each.error, default=None)
    return edge if edge is not None and edge.error < min(most, hiding.error if hiding else np.inf) else None


def _with_worst(choice: Choice | None, seen: Mapping[StepMinutes, Interval]) -> Choice | None:
    if choice is None:
        return None
    return replace(choice, worst=seen[choice.minutes].seen.worst(choice.rate, choice.epsilon))


def _choices(
    seen: Mapping[StepMinutes, Interval], epsilon_of: Callable[[Interval, str], float | None], *, up: bool
) -> list[Choice]:
    """Return every rate at every interval with the ε that it is given there, if any, rounded up or down."""
    found = []
    for minutes, here in seen.items():
        for rate in rates(here.scenario):
            if (exactly := epsilon_of(here, rate)) is None:
                continue
            epsilon = usable_epsilon(exactly, up=up)
            one = np.array([epsilon])
            found.append(
                Choice(
                    rate=rate,
                    minutes=minutes,
                    epsilon=epsilon,
                    error=float(here.error(rate, one)[0]),
                    first=_told(here.first, rate, epsilon),
                    told=_told(here.found, rate, epsilon),
                    judge=here.judge,
                    hides=bool(here.hides(rate, one)[0]),
                    exact=here.seen.exact,
                )
            )
    return found


def _told(found: Mapping[Observer, Exposure], rate: str, epsilon: float) -> dict[Observer, Range]:
    return {who: each.at(rate, epsilon) for who, each in found.items()}
