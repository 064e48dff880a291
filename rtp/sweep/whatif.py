"""What-if maps: one or two numbers of a scenario, or hours at which periods begin, varied over a range, many
days at every point.

What stands between `runs` and a screen: which numbers to offer and over which range, the map as far as
it has been computed, and how sure it is.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np

from rtp.core.formatting import plain
from rtp.core.types import Floats, Frame
from rtp.mechanisms import REGISTRY
from rtp.scenario import LABELS, Scenario, ScenarioError, fields
from rtp.scenario.describe import Difference, differences
from rtp.scenario.edit import allowed_intervals
from rtp.simulation.prices import at_stated_prices
from rtp.sweep.measures import Part, shown_over_kept, with_intervals, without_ends
from rtp.sweep.plan import Plan
from rtp.sweep.run import run_plan
from rtp.sweep.store import frame

RANGE_FACTOR = 4.0  # a first range starts this many times below the present value and ends as far above
INTERVAL = "step_minutes"
HOURS_AROUND = 2.0
SHARE = ".share"
_ROUNDING = 1e-6
LOG_FROM = 10.0  # a range over so many times is taken in equal factors


@dataclass(frozen=True, kw_only=True)
class Map:
    """The points of a plan as far as they have been computed."""

    plan: Plan
    parts: Mapping[int, Part]

    def shown(self, measure: str) -> dict[int, tuple[Floats, Floats]]:
        """By point, as shown: the mean and half of its 95 % interval, each (mechanisms,)."""
        names, factor, shown = list(self.plan.measures), shown_over_kept(measure), {}
        k = names.index(measure)
        for point, part in self.parts.items():
            low, high = with_intervals(names, part.mean, *part.interval())
            half = np.maximum(high - part.mean, part.mean - low)
            shown[point] = factor * part.mean[:, k], factor * half[:, k]
        return shown

    def measures(self) -> dict[str, str]:
        """What is shown, by name, in words."""
        every = self.plan.measures
        return {name: every[name] for _, name in without_ends(every)}

    def words(self) -> dict[str, str]:
        """The varied fields, by address."""
        names = _named(self.plan.scenario)
        return {address: names[address] for address in self.plan.grid}

    def name(self, point: int) -> str:
        numbers = np.array(list(self.plan.values(point).values()), dtype=float)
        pairs = zip(self.words().values(), numbers.tolist(), strict=True)
        return ", ".join(f"{words} = {plain(value, 4)}" for words, value in pairs)

    def axis(self, address: str) -> list[float]:
        """The values of a varied field, which is a number."""
        return list(np.array(self.plan.grid[address], dtype=float).tolist())

    def frame(self) -> Frame:
        """One row per point and mechanism, also of points stopped before they had all their days."""
        return frame(self.plan, self.parts)

    def misfit(self, scenario: Scenario) -> list[Difference]:
        """In what the scenario is not the one that was varied; what the map varies may be anything."""
        point = next(iter(self.parts), 0)
        try:
            like_the_map = at_stated_prices(fields.put_together(scenario, self.plan.values(point)))
        except ScenarioError:  # it has no such group, model or period
            like_the_map = scenario
        return differences([self.plan.at(point), like_the_map])

    def widest(self, measure: str, mechanism: str | None = None) -> float:
        """Half of the widest 95 % interval of any point, of one or of all mechanisms."""
        rows = [m for m, name in enumerate(REGISTRY) if mechanism in (None, name)]
        return float(np.max([half[rows] for _, half in self.shown(measure).values()]))


def varied(scenario: Scenario) -> dict[str, str]:
    """What can be varied, by address, in words: the numbers, the hours at which periods begin, and the price
    interval where there are several that the street's periods allow. Another seed is no what-if."""
    fixed = {"seed"} if len(allowed_intervals(scenario)) > 1 else {"seed", INTERVAL}
    named = _named(scenario).items()
    return {a: words for a, words in named if a not in fixed and fields.get(scenario, a) is not None}


def _named(scenario: Scenario) -> dict[str, str]:
    return fields.numbers(scenario) | fields.starts(scenario) | {INTERVAL: LABELS[INTERVAL]}


def is_hour(address: str) -> bool:
    """Whether it is the hour at which a period begins."""
    return address.endswith(fields.START)


def span(scenario: Scenario, address: str) -> tuple[float, float]:
    """A first range around the present value, within its bounds."""
    if is_hour(address):
        return _hours(scenario, address)
    limits, now = fields.bounds(address), float(fields.get(scenario, address))
    assert limits is not None
    most = _partner(scenario, address, "_min", "_max", limits.high)
    least = _partner(scenario, address, "_max", "_min", limits.low)
    low, high = (now / RANGE_FACTOR, now * RANGE_FACTOR) if now else (limits.low, 1.0)
    low, high = max(low, least), min(high, most)
    if limits.whole:
        low, high = round(low), round(high)
    return _with_all_groups(scenario, address, float(low), float(high))


def _with_all_groups(scenario: Scenario, address: str, low: float, high: float) -> tuple[float, float]:
    """As much of a range as leaves every group a house: a plan refuses the rest."""
    of_group = address.endswith(SHARE)
    if not of_group and address != "households":
        return low, high
    now, many = float(fields.get(scenario, address)), scenario.households
    shares = [fields.get(scenario, f"groups[{g}]{SHARE}") for g in range(len(scenario.groups))]
    if not of_group:
        return max(low, min(now, ceil(1 / min(filter(None, shares)) - _ROUNDING))), high
    place = int(address.removeprefix("groups[").removesuffix(f"]{SHARE}"))
    others = [share for g, share in enumerate(shares) if share and g != place]
    if others:  # which have the rest between them
        high = min(high, max(now, 1 - (1 - now) / (many * min(others))))
    return max(low, min(now, 1 / many)), high


def _hours(scenario: Scenario, address: str) -> tuple[float, float]:
    """Some hours before and after that at which a period begins, between its neighbours."""
    period, step = address.removesuffix(fields.START), scenario.step_minutes / 60
    day, _, place = period.rpartition("[")
    every = [part.start for part in fields.get(scenario, day)]
    index, now = int(place.removesuffix("]")), float(fields.get(scenario, address))
    low = every[index - 1] + step if index else 0.0
    high = (every[index + 1] if index + 1 < len(every) else 24.0) - step
    return max(low, now - HOURS_AROUND), min(high, now + HOURS_AROUND)


def _partner(scenario: Scenario, address: str, end: str, other: str, none: float) -> float:
    """The other end of the field's own range, where it is one of two ends."""
    if not address.endswith(end):
        return none
    return float(fields.get(scenario, address.removesuffix(end) + other))


def hours(scenario: Scenario, start: float, stop: float, count: int) -> list[float]:
    """So many hours of a day, or fewer, with each of which a step begins."""
    steps = np.rint(np.linspace(start, stop, count) * 60 / scenario.step_minutes)
    return list(np.unique(steps * scenario.step_minutes / 60).tolist())


def values(start: float, stop: float, count: int) -> dict[str, Any]:
    """A range as a plan wants it: in equal steps, or in equal factors where it reaches far."""
    scale = "log" if start > 0 and stop / start >= LOG_FROM else "linear"
    return {"from": start, "to": stop, "count": count, "scale": scale}


def compute(plan: Plan, progress: Callable[[float, Map], None]) -> Map:
    """The whole map; `progress` is given the fraction done and what there is, and may raise to stop."""
    parts: dict[int, Part] = {}
    for result in run_plan(plan, progress=lambda done: progress(done, Map(plan=plan, parts=dict(parts)))):
        parts[result.point] = result.part
    return Map(plan=plan, parts=parts)
