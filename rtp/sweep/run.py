"""Many scenarios, many days each, on one core or on many machines.

Day k of every point has the same seed, derived from the point's own: points then differ by their fields and
not by chance. Points that differ only in how a day is priced share the street's day, which is drawn once. The
work is cut into units of a few days; any `concurrent.futures.Executor` may run them, a `ProcessPoolExecutor`
or Dask's `Client(address).get_executor()`. Units are added up in their own order, so the numbers are the same
whoever ran them, and a sweep that was interrupted goes on from where its store knows it to be.
"""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import tee
from typing import Any, Protocol

import numpy as np

from rtp.core.random import Stream, seed_of
from rtp.core.types import Floats
from rtp.core.workers import Progress, in_order
from rtp.scenario import Scenario
from rtp.simulation import draw_day
from rtp.sweep.measures import Part, add_days, measure, measure_secrets, part_of
from rtp.sweep.plan import DAYS_PER_POINT, Plan, Value, make

CHUNK = 10  # days in a unit
MAX_BUDGETS = 256  # priced at once, to bound the memory of a day

Batch = tuple[Scenario, tuple[float, ...]]  # points that differ in the budget alone


@dataclass(frozen=True, kw_only=True)
class Unit:
    """Some days of the points that share a street."""

    points: tuple[int, ...]
    batches: tuple[Batch, ...]  # the points' scenarios, in the order of the points
    first: int
    days: int
    secrets: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Result:
    """The days of a point so far.

    Attributes
    ----------
    point : int
        Its number, in the order of the grid, the last field fastest.
    values : mapping of str to value
        Of the grid's fields.
    part : Part
        What was measured on its days.
    finished : bool
        Whether it has all of them.

    Examples
    --------
    >>> import rtp
    >>> from rtp.sweep import sweep
    >>> *_, last = sweep(rtp.Scenario(households=20), {"epsilon": [0.1, 1.0]}, days=2)
    >>> last.point, last.values, last.finished
    (1, {'epsilon': 1.0}, True)
    """

    point: int
    values: Mapping[str, Value]  # of the grid's fields
    part: Part
    finished: bool


class Store(Protocol):
    """Where a sweep keeps its results, to go on after an interruption."""

    def load(self) -> Mapping[int, Part]: ...

    def save(self, parts: Mapping[int, Part]) -> None: ...


def sweep(
    scenario: Scenario,
    grid: Mapping[str, Any],
    days: int = DAYS_PER_POINT,
    secrets: Sequence[str] = (),
    *,
    executor: Executor | None = None,
    store: Store | None = None,
    progress: Progress | None = None,
) -> Iterator[Result]:
    """Return the results of varying fields of a scenario over a grid (see `rtp.sweep.plan`), as they come.

    A point comes back several times, with more and more days, the last time finished.

    Parameters
    ----------
    scenario : Scenario
        What is varied.
    grid : mapping of str to list or mapping
        The values of every field, a list or a range: `{"from": 0.1, "to": 10, "count": 4, "scale": "log"}`.
    days : int
        Days that are simulated at every point.
    secrets : sequence of str
        Secrets whose exposure is measured too, such as "week from outsider".
    executor : concurrent.futures.Executor, optional
        Does the work on other processes or machines.
    store : Store, optional
        Where results are kept, to go on after an interruption.
    progress : callable, optional
        Called with the fraction done several times a second; may raise to stop. Closing the iterator stops
        too.

    Returns
    -------
    iterator of Result

    Examples
    --------
    >>> import rtp
    >>> from rtp.sweep import sweep
    >>> results = sweep(rtp.Scenario(households=20), {"epsilon": [0.1, 1.0]}, days=2)
    >>> [result.values for result in results if result.finished]
    [{'epsilon': 0.1}, {'epsilon': 1.0}]
    """
    return run_plan(make(scenario, grid, days, secrets), executor=executor, store=store, progress=progress)


def run_plan(
    plan: Plan,
    *,
    executor: Executor | None = None,
    store: Store | None = None,
    progress: Progress | None = None,
) -> Iterator[Result]:
    """Return the results of a plan, as they come."""
    parts = dict(store.load()) if store is not None else {}
    for point, part in sorted(parts.items()):
        yield _result(plan, point, part)
    begun = [_days_of(parts, points) for points in map(_points, plan.streets())]
    done, total = sum(begun), plan.days * len(begun)

    def report(more: float = 0.0) -> None:
        if progress is not None:
            progress(min((done + more) / total, 1.0))

    todo, again = tee(units(plan, parts))
    measured: Iterator[list[Part]] = (work(unit, report) for unit in todo)
    if executor is not None:
        measured = in_order(work, todo, executor, lambda ahead: report(ahead * CHUNK))
    for unit, new_days in zip(again, measured, strict=True):
        for point, part in zip(unit.points, new_days, strict=True):
            if _days_of(parts, (point,)) == unit.first:  # a file may hold more of some points than of others
                parts[point] = add_days(parts.get(point), part)
        done += unit.days
        report()
        if store is not None:
            store.save({point: parts[point] for point in unit.points})
        for point in unit.points:
            yield _result(plan, point, parts[point])


def _days_of(parts: Mapping[int, Part], points: tuple[int, ...]) -> int:
    """How far the slowest of some points has got."""
    return min(parts[point].days if point in parts else 0 for point in points)


def _points(street: list[list[int]]) -> tuple[int, ...]:
    return tuple(point for batch in street for point in batch)


def _result(plan: Plan, point: int, part: Part) -> Result:
    return Result(point=point, values=plan.values(point), part=part, finished=part.days == plan.days)


def units(plan: Plan, parts: Mapping[int, Part]) -> Iterator[Unit]:
    """Return the work that is left, street by street."""
    for street in plan.streets():
        batches = tuple((plan.at(batch[0]), tuple(plan.at(p).epsilon for p in batch)) for batch in street)
        points = _points(street)
        first = _days_of(parts, points)
        while first < plan.days:
            days = min(CHUNK - first % CHUNK, plan.days - first)
            yield Unit(points=points, batches=batches, first=first, days=days, secrets=plan.secrets)
            first += days


def day_seed(seed: int, day: int) -> int:
    """Return the seed of the sweep's day number `day`."""
    return int(seed_of(seed, Stream.SWEEP_DAYS, day).generate_state(1)[0]) >> 1


def work(unit: Unit, report: Progress | None = None) -> list[Part]:
    """Return the measured days of a unit, one part for every point. A module's function, so that it can
    travel; `report` is given the number of days done."""
    measured = np.array([_day(unit, i, report) for i in range(unit.days)])
    if unit.secrets:
        seen = np.concatenate([measure_secrets(*batch, unit.secrets) for batch in unit.batches])
        every_day = np.broadcast_to(seen, (unit.days, *seen.shape))
        measured = np.concatenate([measured, every_day], axis=-1)
    return [part_of(days) for days in measured.swapaxes(0, 1)]


def _day(unit: Unit, number: int, report: Progress | None) -> Floats:
    """(points, mechanisms, measures)."""
    first = unit.batches[0][0]
    seed = day_seed(first.seed, unit.first + number)
    street_day = draw_day(first.replace(seed=seed), report and (lambda share: report(number + share)))
    return np.concatenate(
        [
            measure(scenario.replace(seed=seed), epsilons[i : i + MAX_BUDGETS], street_day)
            for scenario, epsilons in unit.batches
            for i in range(0, len(epsilons), MAX_BUDGETS)
        ]
    )
