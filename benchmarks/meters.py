"""Meter readings: a feeder is read in seconds, and learned from in less than twenty on two cores."""

import os
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Executor, Future
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.measure import Result, peak_memory, processor, processor_best
from rtp import Group, Scenario
from rtp.core.parallel import processes
from rtp.meters import Readings, learn, read
from rtp.simulation import street_spec
from rtp.street.simulate import replay_houses

HOUSES, DAYS, MINUTES = 1000, 60, 30
READ_DAYS = 90  # 125 MB of CSV
HALF = Scenario(
    households=HOUSES,
    days=DAYS // 2,
    step_minutes=MINUTES,
    habit_spread=0.0,
    groups=(Group(occupied_max=3.0, empty_max=0.5),),
)


def feeder() -> Readings:
    """Drawn from the paper's habits: the same street for two months."""
    spec = street_spec(HALF)
    street = spec.draw()
    months = [
        replay_houses(street_spec(HALF.replace(seed=seed)), street, range(HOUSES))[1]
        for seed in (HALF.seed, 1)
    ]
    power = np.concatenate(months).T.astype(np.float32)
    return Readings(
        houses=tuple(map(str, range(HOUSES))),
        first_day=np.datetime64("2024-01-01"),
        minutes=MINUTES,
        power=power,
        occupied=None,
        unit="kW",
        usable=np.ones(HOUSES, dtype=bool),
        findings=(),
    )


def as_csv(days: int = READ_DAYS) -> bytes:
    """A row for every house and half-hour, in the layout of the London readings."""
    times = np.datetime64("2024-01-01T00:00") + MINUTES * np.arange(days * 24 * 60 // MINUTES)
    rows = "".join(
        f"HOUSE,{time},0.{i % 997:03d}\n".replace("T", " ") for i, time in enumerate(times.astype(str))
    )
    whole = (rows.replace("HOUSE", f"H{house:04d}").encode() for house in range(HOUSES))
    return b"house,time,kWh\n" + b"".join(whole)


class Timed(Executor):
    """A pool whose workers tell what processor time they took: a clock on the wall also counts what others
    do on a shared machine."""

    def __init__(self, pool: Executor) -> None:
        self.pool, self.busy = pool, Counter[int]()

    def submit(self, work: Any, /, *pieces: Any, **more: Any) -> Future[Any]:
        outer: Future[Any] = Future()
        self.pool.submit(_timed, work, *pieces, **more).add_done_callback(partial(self._hand_on, outer))
        return outer

    def _hand_on(self, outer: Future[Any], inner: Future[Any]) -> None:
        process, spent, result = inner.result()
        self.busy[process] += spent
        outer.set_result(result)


def _timed(work: Any, *pieces: Any, **more: Any) -> tuple[int, float, Any]:
    start = time.process_time()
    result = work(*pieces, **more)
    return os.getpid(), time.process_time() - start, result


def longest(readings: Readings, pool: Executor) -> float:
    """Seconds of processor time until the learning is done: of who asks, and of the busiest worker."""
    timed = Timed(pool)
    asking = processor(partial(learn, readings, executor=timed))
    return asking + max(timed.busy.values())


def results() -> Iterator[Result]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "readings.csv"
        path.write_bytes(as_csv())
        size = f"{HOUSES * READ_DAYS * 48:,} readings, {path.stat().st_size / 1e6:.0f} MB of CSV"
        (spent,) = processor_best(2, partial(read, path))
        yield Result(subject=f"reading {size}, processor time", value=spent, unit=" s", target=4.0)
        grown = peak_memory("from rtp.meters import read, source", f"read({str(path)!r})")
        yield Result(
            subject=f"memory to read {size}", value=grown / 2**20, unit=" MB", target=390.0
        )  # 516 with what is imported
    readings = feeder()
    yield Result(
        subject=f"learning {HOUSES:,} houses × {DAYS} days of half-hours, processor time",
        value=processor(partial(learn, readings)),
        unit=" s",
        target=40.0,  # two cores times twenty seconds, whatever else the machine does
    )
    with processes(1) as alone, processes(2) as together:
        for pool in (alone, together):  # the workers are up before the clock runs
            learn(readings.only_houses(np.arange(4)), executor=pool)
        two, one = longest(readings, together), longest(readings, alone)
    yield Result(
        subject=f"learning {HOUSES:,} houses × {DAYS} days of half-hours, two workers, processor time",
        value=two,
        unit=" s",
        target=20.0,
    )
    yield Result(
        subject="learning by two workers ÷ by one (1.6 times as fast)", value=two / one, target=1 / 1.6
    )
