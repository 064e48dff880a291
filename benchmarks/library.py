"""The library's own speed and memory, as multiples of what NumPy takes to draw a day's 2·N·T uniforms; and
how soon a feeder of meter readings is read and learned from.

Both sides of a ratio are measured in turns in one run, in processor time: it hardly depends on the machine,
nor on what else it does.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.measure import Result, Work, peak_memory, processor, processor_best, uniforms
from rtp import PRESETS, Group, Scenario, simulate
from rtp.attack.adversary import posterior
from rtp.leakage.moment import moment_leakage
from rtp.mechanisms import FEATURED
from rtp.meters import Readings, learn, read
from rtp.simulation import publish_day, street_spec
from rtp.street.simulate import replay_houses
from rtp.sweep import sweep

BUDGETS = np.geomspace(0.01, 10, 20)
MANY, MOST = 100_000, 1_000_000
HOUSES, DAYS, MINUTES = 1000, 90, 30  # 125 MB of CSV
MONTH = Scenario(
    households=HOUSES,
    days=DAYS // 3,
    step_minutes=MINUTES,
    habit_spread=0.0,
    groups=(Group(occupied_max=3.0, empty_max=0.5),),
)


def results() -> Iterator[Result]:
    yield from of_the_papers_day(PRESETS["paper"])
    yield from of_large_streets()
    yield from of_many_budgets(PRESETS["paper"])
    yield from of_meter_readings()


def of_the_papers_day(scenario: Scenario) -> Iterator[Result]:
    day = simulate(scenario)
    works: dict[str, tuple[Work, float]] = {
        "the paper's day": (partial(simulate, scenario), 10.0),
        "all mechanisms on it": (partial(publish_day, scenario, day.street_day), 6.0),
        "the leak of every moment": (partial(moment_leakage, day, FEATURED), 60.0),
        "an attack on every house": (partial(posterior, day, FEATURED), 400.0),
        "the same at the end of the day": (partial(posterior, day, FEATURED, inference="smoothing"), 400.0),
    }
    floor, *times = processor_best(10, uniforms(scenario.households), *(work for work, _ in works.values()))
    for (subject, (_, limit)), time in zip(works.items(), times, strict=True):
        yield Result(subject=f"{subject} ÷ drawing its uniforms", value=time / floor, target=limit)
    subject = f"a day of {scenario.households:,} houses, processor time"
    yield Result(subject=subject, value=times[0], unit=" s")


def of_large_streets() -> Iterator[Result]:
    many, most = (partial(simulate, Scenario(households=n)) for n in (MANY, MOST))
    floor, short, long = processor_best(3, uniforms(MOST), many, most)
    yield Result(subject=f"a day of {MOST:,} houses ÷ drawing its uniforms", value=long / floor, target=3.0)
    yield Result(subject=f"a day of {MOST:,} houses ÷ of {MANY:,}", value=long / short, target=12.0)
    yield Result(subject=f"a day of {MOST:,} houses, processor time", value=long, unit=" s")
    peak = peak_memory("import rtp", f"rtp.simulate(rtp.Scenario(households={MOST}))")
    yield Result(subject="peak memory of it, a house", value=peak / MOST, unit=" bytes", target=150.0)


def of_many_budgets(scenario: Scenario) -> Iterator[Result]:
    one, many = processor_best(
        3, *(lambda grid=grid: list(sweep(scenario, {"epsilon": grid}, 3)) for grid in ([0.5], BUDGETS))
    )
    yield Result(subject="a sweep over twenty budgets ÷ at one", value=many / one, target=3.0)


def feeder() -> Readings:
    """Drawn from the paper's habits: the same street for three months."""
    spec = street_spec(MONTH)
    street = spec.draw()
    months = [
        replay_houses(street_spec(MONTH.replace(seed=seed)), street, range(HOUSES))[1] for seed in range(3)
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


def as_csv() -> bytes:
    """A row for every house and half-hour, in the layout of the London readings."""
    times = np.datetime64("2024-01-01T00:00") + MINUTES * np.arange(DAYS * 24 * 60 // MINUTES)
    rows = "".join(
        f"HOUSE,{time},0.{i % 997:03d}\n".replace("T", " ") for i, time in enumerate(times.astype(str))
    )
    whole = (rows.replace("HOUSE", f"H{house:04d}").encode() for house in range(HOUSES))
    return b"house,time,kWh\n" + b"".join(whole)


def of_meter_readings() -> Iterator[Result]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "readings.csv"
        path.write_bytes(as_csv())
        size = f"{HOUSES * DAYS * 48:,} readings, {path.stat().st_size / 1e6:.0f} MB of CSV"
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
