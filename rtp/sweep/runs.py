"""Many scenarios, many days each, on one core or on many machines.

Day k of every point has the same seed, derived from the point's own: points then differ by their fields and
not by luck. Points that differ only in how a day is priced share the street's day, which is drawn once. The
work is cut into units of a few days; any `concurrent.futures.Executor` may run them, in any order and any
number at once. Units are added up in their own order, so the numbers are the same whoever ran them, and a
sweep that was interrupted goes on from where its store knows it to be.
"""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol

import numpy as np

from rtp.core.random import Stream, seed_of
from rtp.core.types import Floats
from rtp.scenario import Scenario
from rtp.simulation import live
from rtp.street.simulate import Progress
from rtp.sweep.measures import Part, add, measure, part_of
from rtp.sweep.plan import DAYS_PER_POINT, Plan, make
from rtp.sweep.values import Value

CHUNK = 10  # days in a unit
LANES = 256  # points in a unit at most, to bound its memory
AHEAD = 256  # units handed to an executor before the first comes back
HEARTBEAT = 0.2  # seconds between two looks at whether to stop

Batch = tuple[Scenario, tuple[float, ...]]  # points that differ in the budget alone


@dataclass(frozen=True, kw_only=True)
class Unit:
    """Some days of the points that share a street."""

    points: tuple[int, ...]
    batches: tuple[Batch, ...]  # the points' scenarios, in the order of the points
    first: int
    days: int


@dataclass(frozen=True, kw_only=True)
class Result:
    """What is known of a point so far; `finished` when it has all its days."""

    point: int
    values: Mapping[str, Value]  # of the grid's fields
    part: Part
    finished: bool


class Store(Protocol):
    """Where a sweep keeps what it knows, to go on after an interruption."""

    def load(self) -> Mapping[int, Part]: ...

    def save(self, parts: Mapping[int, Part]) -> None: ...


def sweep(
    scenario: Scenario,
    grid: Mapping[str, Any],
    days: int = DAYS_PER_POINT,
    *,
    executor: Executor | None = None,
    store: Store | None = None,
    progress: Progress | None = None,
) -> Iterator[Result]:
    """Vary fields of a scenario over a grid (see `rtp.sweep.plan`); results stream as they come.

    A point comes back several times, with more and more days, the last time finished. `progress` is told the
    fraction done several times a second and may raise to stop; closing the iterator stops as well.
    """
    return run_plan(make(scenario, grid, days), executor=executor, store=store, progress=progress)


def run_plan(
    plan: Plan,
    *,
    executor: Executor | None = None,
    store: Store | None = None,
    progress: Progress | None = None,
) -> Iterator[Result]:
    """The sweep of a plan."""
    known = dict(store.load()) if store is not None else {}
    for point, part in sorted(known.items()):
        yield _result(plan, point, part)
    done = _Done(plan, known, progress)
    early: dict[tuple[tuple[int, ...], int], list[Part]] = {}  # units that came before their turn
    for unit, parts in _measured(units(plan, known), executor, done.report):
        done.days += unit.days
        early[unit.points, unit.first] = parts
        before = _days_of(known, unit.points[0])
        while (found := early.pop((unit.points, _days_of(known, unit.points[0])), None)) is not None:
            for point, part in zip(unit.points, found, strict=True):
                known[point] = add(known.get(point), part)
        done.report()
        if _days_of(known, unit.points[0]) > before:
            if store is not None:
                store.save({point: known[point] for point in unit.points})
            for point in unit.points:
                yield _result(plan, point, known[point])


class _Done:
    """How many of a sweep's days are done, told as a fraction of all."""

    def __init__(self, plan: Plan, known: Mapping[int, Part], progress: Progress | None) -> None:
        begun = [_days_of(known, some[0][0]) for some in slices(plan)]
        self.days, self.total = sum(begun), plan.days * len(begun)
        self.progress = progress

    def report(self, more: float = 0.0) -> None:
        """`more` days of a unit that is being worked on."""
        if self.progress is not None:
            self.progress(min((self.days + more) / self.total, 1.0))


def _days_of(known: Mapping[int, Part], point: int) -> int:
    return known[point].days if point in known else 0


def _result(plan: Plan, point: int, part: Part) -> Result:
    return Result(point=point, values=plan.values(point), part=part, finished=part.days == plan.days)


def slices(plan: Plan) -> Iterator[list[list[int]]]:
    """The points of every street, as lists that differ in the budget alone, at most `LANES` at once."""
    for street in plan.streets():
        batches = [batch[i : i + LANES] for batch in street for i in range(0, len(batch), LANES)]
        together: list[list[int]] = []
        for batch in batches:
            if sum(map(len, together)) + len(batch) > LANES:
                yield together
                together = []
            together.append(batch)
        yield together


def units(plan: Plan, known: Mapping[int, Part]) -> Iterator[Unit]:
    """The work that is left, street by street; a street's points have always got as far as each other."""
    for some in slices(plan):
        batches = tuple((plan.at(batch[0]), tuple(plan.at(p).epsilon for p in batch)) for batch in some)
        points = tuple(point for batch in some for point in batch)
        first = _days_of(known, points[0])
        while first < plan.days:
            days = min(CHUNK - first % CHUNK, plan.days - first)
            yield Unit(points=points, batches=batches, first=first, days=days)
            first += days


def day_seed(seed: int, day: int) -> int:
    """The seed of the sweep's day number `day`."""
    return int(seed_of(seed, Stream.SWEEP_DAYS, day).generate_state(1)[0]) >> 1


def work(unit: Unit, report: Callable[[float], None] | None = None) -> list[Part]:
    """Measure a unit: one part for every point. A module's function, so that it can travel."""
    measured = np.array([_day(unit, unit.first + i, i, report) for i in range(unit.days)])
    return [part_of(days) for days in measured.swapaxes(0, 1)]


def _day(unit: Unit, day: int, before: int, report: Callable[[float], None] | None) -> Floats:
    """(points, mechanisms, measures)."""
    first = unit.batches[0][0]
    seed = day_seed(first.seed, day)
    life = live(first.replace(seed=seed), report and (lambda share: report(before + share)))
    return np.concatenate(
        [measure(scenario.replace(seed=seed), epsilons, life) for scenario, epsilons in unit.batches]
    )


def _measured(
    todo: Iterator[Unit], executor: Executor | None, report: Callable[[float], None]
) -> Iterator[tuple[Unit, list[Part]]]:
    if executor is None:
        for unit in todo:
            yield unit, work(unit, report)
        return
    pending: dict[Future[list[Part]], Unit] = {}
    try:
        while True:
            for unit in islice(todo, AHEAD - len(pending)):
                pending[executor.submit(work, unit)] = unit
            if not pending:
                return
            done = wait(pending, timeout=HEARTBEAT, return_when=FIRST_COMPLETED).done
            for future in sorted(done, key=_failed):  # what is done is kept before a failure ends it all
                yield pending.pop(future), future.result()
            report(0)
    finally:
        for future in pending:
            future.cancel()


def _failed(future: Future[list[Part]]) -> bool:
    return future.cancelled() or future.exception() is not None
