"""What is to be told: a moment, a day away, a week away; and the record of days in which it is looked for.

Either answer to a question is a chain of the house's own. Of a day or a week: empty all along, against living
as modelled. Of a moment, the chain given its state at one step t, which is a chain again, with
Pr[y | x]·h(y)/h(x) for its transitions before t, h the probability to be in that state at t.

A moment's record, and a day's, is that day, as the scenario begins it; a working day and, where their habits
differ, a Saturday and a Sunday. A week's record is the seven days from the first one.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from rtp.core.time import WEEKDAYS, Weekday, weekday
from rtp.core.types import Bools, Floats, Ints
from rtp.mechanisms import FEATURED, REGISTRY
from rtp.probability.markov import Chains, marginals
from rtp.scenario import Scenario
from rtp.simulation import Day, Market, market_of
from rtp.street.draw import Street, StreetSpec, evenly

Secret = Literal["moment", "day", "week"]
DAYS: dict[Secret, int] = {"moment": 1, "day": 1, "week": 7}
FOLLOWED = 300  # houses of a longer street that stand for all: those whose use differs most, and a spread
FEWEST_FOLLOWED = 20  # of a group


class Ways(NamedTuple):
    """One house in either of two ways to live: as chains of their own, the second the secret's."""

    initial: Floats  # (2,) Pr[occupied] at step 0
    leave: Floats  # (T − 1, 2)
    arrive: Floats  # (T − 1, 2)


@dataclass(frozen=True, kw_only=True)
class Record:
    """A street over the days of a record, and what is public of them."""

    secret: Secret
    scenario: Scenario  # for those days
    market: Market
    seed: int  # of the days that are drawn
    asked: tuple[int, ...] | None = None  # the houses that are followed, where they are named

    @property
    def weekday(self) -> Weekday:
        """That on which the record begins."""
        return self.scenario.first_weekday

    @property
    def spec(self) -> StreetSpec:
        return self.market.street_day.spec

    @property
    def street(self) -> Street:
        return self.market.street_day.street

    @property
    def steps(self) -> int:
        return self.spec.steps

    @cached_property
    def houses(self) -> Ints:
        """Those that are followed: all, or of a long street those of each group whose use differs
        most by their state, and a spread of the others."""
        if self.asked is not None:
            return np.array(self.asked)
        if self.spec.households <= FOLLOWED:
            return np.arange(self.spec.households)
        group, found = self.street.group, []
        (m0, m1), _ = self.street.moments()
        for g in np.unique(group).tolist():
            own = np.flatnonzero(group == g)
            most = min(max(FOLLOWED * len(own) // len(group), FEWEST_FOLLOWED), len(own))
            own = own[np.argsort(-np.abs(m1 - m0)[own], kind="stable")]
            found += [own[: most // 2], own[evenly(len(own), most - most // 2)]]
        return np.unique(np.concatenate(found))

    @cached_property
    def chains(self) -> Chains:
        """Of the followed houses, by the model that generates the days."""
        return self.spec.chains(self.street, 0, self.houses)

    @cached_property
    def occupied(self) -> Floats:
        """Pr[occupied] of the followed houses before any rate, (T, n)."""
        return np.minimum(marginals(self.chains)[0], 1.0)

    def open_to(self, rarest: float) -> Bools:
        """Where there is something to be told: of moments where either answer is possible and at least so
        likely, (T, n); of days and weeks of which houses, (1, n)."""
        occupied, empty = marginals(self.chains)
        if self.secret != "moment":
            return np.asarray(occupied.max(axis=0, keepdims=True) > 0)
        rarer = np.minimum(occupied, empty)
        return (rarer > 0) & (rarer >= rarest)

    @cached_property
    def shape(self) -> Floats:
        """How wide the private rate's noise is at every step, beside its widest, (T,)."""
        scale = REGISTRY[FEATURED].scale(self.market.at(1.0)).scale[:, 0]
        return scale / scale.max() if scale.any() else np.ones_like(scale)

    def ways(self, house: int, step: int) -> Ways:
        """The two ways of one followed house; `step` is that of a moment."""
        own = self.chains.select(np.flatnonzero(self.houses == house))
        start, leave, arrive = float(own.initial[0]), own.leave[own.row, 0], own.arrive[own.row, 0]
        if self.secret != "moment":
            none = np.zeros_like(leave)
            return Ways(np.array([start, 0.0]), np.stack([leave, none], 1), np.stack([arrive, none], 1))
        each = [_given(start, leave, arrive, step, occupied) for occupied in (False, True)]
        first, out, back = zip(*each, strict=True)
        return Ways(np.array(first), np.stack(out, axis=1), np.stack(back, axis=1))


def _given(
    start: float, leave: Floats, arrive: Floats, step: int, occupied: bool
) -> tuple[float, Floats, Floats]:
    """(initial, leave, arrive) of a house given its state at one step, which must be possible there."""
    leave, arrive = leave.copy(), arrive.copy()
    empty, full = float(not occupied), float(occupied)  # h: Pr[that state at `step` | state now]
    for t in range(step - 1, -1, -1):
        out, back = float(leave[t]), float(arrive[t])
        before = (1 - back) * empty + back * full, out * empty + (1 - out) * full
        arrive[t] = back * full / before[0] if before[0] > 0 else 0.0
        leave[t] = out * empty / before[1] if before[1] > 0 else 0.0
        largest = max(before)  # only their ratio counts
        empty, full = before[0] / largest, before[1] / largest
    one, other = start * full, (1 - start) * empty
    return one / (one + other), np.minimum(leave, 1.0), np.minimum(arrive, 1.0)


def records(
    scenario: Scenario, secret: Secret, seed: int, asked: tuple[int, ...] | None = None
) -> list[Record]:
    """One for each kind of day on which the secret may be looked for."""
    names = [weekday(day, scenario.first_weekday) for day in range(len(WEEKDAYS))]
    starts = names[:1]
    if scenario.has_weekends and secret != "week":
        starts = [next(name for name in names if name in kind) for kind in scenario.kinds_of_day]
    found = []
    for start in starts:
        days = scenario.replace(days=DAYS[secret], first_weekday=start)
        found.append(Record(secret=secret, scenario=days, market=market_of(days), seed=seed, asked=asked))
    return found


def of_day(day: Day, secret: Secret, seed: int, asked: tuple[int, ...] | None) -> Record:
    """The record of one day's own street."""
    return Record(secret=secret, scenario=day.scenario, market=day.market, seed=seed, asked=asked)
