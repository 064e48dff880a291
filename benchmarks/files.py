"""Seventy files of readings whose truth is known: read right, refused in a sentence, or wrong.

Three weeks of two houses are drawn once; every file writes them in another way: formats, signs of numbers,
time zones, stamps, steps, layouts, flaws. A file is right where every reading that it holds stands at its
moment with its value, to the digits that were written.
"""

import gzip
import io
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from benchmarks.measure import Result
from rtp.core.types import Floats
from rtp.meters import read
from rtp.scenario import ScenarioError

DAYS, HOUSES = 21, ("Mill Lane 1", "Quay 2")
SPRING, AUTUMN, SUMMER = "2024-03-18", "2024-10-14", "2024-05-06"  # the first two hold a change of clocks
READ, REFUSED, WRONG = "read right", "refused", "WRONG"
FEW = 3  # steps of a house that a change of clocks leaves open
CLOSE = 2e-3  # of a kilowatt: what digits leave open


class Street(NamedTuple):
    """What two houses use, kW in steps of so many minutes, at local times."""

    power: Floats  # (houses, T)
    times: pd.DatetimeIndex  # with their zone
    minutes: int

    @property
    def kwh(self) -> Floats:
        return np.asarray(self.power * self.minutes / 60)

    def long(self, values: NDArray[Any], form: str = "%Y-%m-%d %H:%M", **names: str) -> pd.DataFrame:
        """House, time, value."""
        clock = self.times.strftime(form)
        return pd.DataFrame(
            {
                names.get("house", "house"): np.repeat(HOUSES, len(clock)),
                names.get("time", "time"): np.tile(clock, len(HOUSES)),
                names.get("value", "kWh"): values.ravel(),
            }
        )


def street(first: str = SUMMER, minutes: int = 30, zone: str = "Europe/Berlin") -> Street:
    """Draw whole watts, some below a thousand and some above."""
    end = pd.Timestamp(first) + pd.Timedelta(DAYS, "D")
    times = pd.date_range(first, end, freq=f"{minutes}min", tz=zone, inclusive="left")
    rng = np.random.default_rng(57)
    watts = np.maximum(rng.gamma(1.2, 500, (len(HOUSES), len(times))), 20).round()
    return Street(watts / 1000, times, minutes)


class File(NamedTuple):
    """A file, the truth, and how it is to be read."""

    data: bytes
    truth: Street
    zone: str | None = None
    last: bool = True  # whether all steps can be known, and not all but a few around a change of clocks
    shift: int = 0  # hours by which its clock is slow
    says: NDArray[np.int8] | None = None  # (houses, T) who is at home, where it says so


def csv(frame: pd.DataFrame, sep: str = ",", decimal: str = ".") -> bytes:
    return str(frame.to_csv(index=False, sep=sep, decimal=decimal)).encode()


def grouped(own: Street, sign: str, sep: str, more: str = "") -> bytes:
    """Watts with their thousands parted."""
    texts = np.array([f"{watts:,.0f}".replace(",", sign) + more for watts in (1000 * own.power).ravel()])
    return csv(own.long(texts, value="W"), sep)


def by_day(own: Street, name: Callable[[int], str], many: float = 1) -> bytes:
    """A row for every house and day, of so many times what was used in kWh."""
    per_day = 24 * 60 // own.minutes
    rows = (many * own.kwh).reshape(len(HOUSES) * DAYS, per_day).round(6)
    frame = pd.DataFrame(rows, columns=[name(step) for step in range(per_day)])
    dates = own.times[::per_day].strftime("%Y-%m-%d")
    frame.insert(0, "Date", np.tile(dates, len(HOUSES)))
    frame.insert(0, "MPAN", np.repeat(["1200023305967", "1200023305968"], DAYS))
    return csv(frame)


def in_columns(own: Street, names: str, cells: Callable[[pd.Timestamp], tuple[object, ...]]) -> File:
    """Semicolons; the time in columns of such names, from the interval's beginning."""
    rows = [
        ";".join(map(str, (house, *cells(time), f"{use:.6f}")))
        for house, kwh in zip(HOUSES, own.kwh, strict=True)
        for time, use in zip(own.times, kwh, strict=True)
    ]
    return File("\n".join([f"house;{names};kWh", *rows, ""]).encode(), own)


def place(time: pd.Timestamp, minutes: int) -> int:
    """Which interval of its date begins then, from 1; where clocks change there are more or fewer."""
    return 1 + int((time - time.normalize()) / pd.Timedelta(minutes, "min"))


def wide(own: Street) -> pd.DataFrame:
    frame = pd.DataFrame(dict(zip(HOUSES, own.kwh.round(6), strict=True)))
    frame.insert(0, "time", own.times.strftime("%Y-%m-%d %H:%M"))
    return frame


def in_words(says: NDArray[np.int8]) -> dict[str, NDArray[np.int8]]:
    """Columns that say of each house who is at home, the last house first."""
    return {f"{house} occupied": own for house, own in reversed(list(zip(HOUSES, says, strict=True)))}


def counted(own: Street, start: float) -> Floats:
    """A register's count before each step."""
    return np.asarray(start + np.cumsum(own.kwh, axis=1) - own.kwh)


def parquet(frame: pd.DataFrame) -> bytes:
    buffer = io.BytesIO()
    frame.to_parquet(buffer, index=False)
    return buffer.getvalue()


def files() -> dict[str, File]:
    """All of them, by what sets them apart."""
    own, quarter = street(), street(minutes=15)
    kwh = own.kwh.round(6)
    plain = csv(own.long(kwh))
    utc = own.times.tz_convert("UTC")
    late = own._replace(times=own.times + pd.Timedelta(own.minutes, "min"))
    made = {
        f"steps of {m} minutes": File(csv(s.long(s.kwh.round(8))), s)
        for m in (1, 2, 5, 6, 10, 15, 20, 45, 60)
        for s in [street(minutes=m)]
    }
    for name, first in (("spring", SPRING), ("autumn", AUTUMN)):
        for zone in ("Europe/Berlin", "Europe/London", "America/New_York"):
            there = street(first, 30, zone)
            made[f"{name}, clocks of {zone}"] = File(csv(there.long(there.kwh.round(6))), there)
        there = street(first)
        instants = there.times.tz_convert("UTC").strftime("%Y-%m-%dT%H:%M:%SZ")
        in_utc = there.long(there.kwh.round(6)).assign(time=np.tile(instants, len(HOUSES)))
        made[f"{name}, in UTC, its zone named"] = File(csv(in_utc), there, "Europe/Berlin")
        offset = there.long(there.kwh.round(6), "%Y-%m-%dT%H:%M:%S%z")
        made[f"{name}, distances from UTC"] = File(csv(offset), there)
    negative = kwh.copy()
    negative[0, 20:26] *= -1
    roof = own.power.copy()
    roof[0, 20:26] = np.nan
    says = np.random.default_rng(58).integers(0, 2, own.power.shape).astype(np.int8)
    slow = own._replace(times=own.times - pd.Timedelta(2, "h"))
    seconds = (utc - pd.Timestamp(0, tz="UTC")) // pd.Timedelta(1, "s")
    step = pd.Timedelta(own.minutes, "min")
    for name, first in (("spring", SPRING), ("autumn", AUTUMN)):
        there, spain, britain = (
            street(first),
            street(first, 60, "Europe/Madrid"),
            street(first, 30, "Europe/London"),
        )
        end = there.times + step
        for form, how in (("%Y-%m-%dT%H:%M:%S%z", "distances from UTC"), ("%Y-%m-%d %H:%M", "local")):
            ended = there._replace(times=end).long(there.kwh.round(6), form)
            blurred = (name, how) == ("autumn", "local")  # which of two readings at 2 o'clock is the first?
            made[f"{name}, intervals' ends, {how}"] = File(csv(ended), there, last=not blurred)
            count = there.long(counted(there, 7e4), form)
            made[f"{name}, a register, {how}"] = File(csv(count), there, last=False)
        made[f"{name}, hours of Spain"] = in_columns(
            spain, "Fecha;Hora", lambda time: (f"{time:%d/%m/%Y}", place(time, 60))
        )
        made[f"{name}, settlement periods"] = in_columns(
            britain, "Settlement Date;Settlement Period", lambda time: (f"{time:%Y-%m-%d}", place(time, 30))
        )
    of_day = counted(quarter, 0)
    began = np.repeat(of_day[:, ::96], 96, axis=1)
    anew = quarter.power.copy()
    anew[:, 95::96] = np.nan
    made |= {
        "ends and dates of their own": in_columns(
            own, "Datum;bis", lambda time: (f"{time:%d.%m.%Y}", f"{time + step:%H:%M}")
        ),
        "a clock from and to": in_columns(
            own, "Date;Time", lambda time: (f"{time:%d.%m.%Y}", f"{time:%H:%M} - {time + step:%H:%M}")
        ),
        "a clock without signs": in_columns(
            own, "Date;Time", lambda time: (f"{time:%Y%m%d}", f"{time:%H%M}")
        ),
        "months by their names": in_columns(own, "Time", lambda time: (f"{time:%d-%b-%Y %H:%M}",)),
        "midnights without a clock": in_columns(
            own, "Zeit", lambda time: (f"{time:%d.%m.%Y %H:%M}".removesuffix(" 00:00"),)
        ),
        "dates without signs": in_columns(own, "Time", lambda time: (f"{time:%Y%m%d%H%M}",)),
        "rows of days in watts": File(by_day(own, lambda k: f"{k // 2:02d}:{k % 2 * 30:02d} W", 2000), own),
        "rows of days, 0000 to 2330": File(by_day(own, lambda k: f"{k // 2:02d}{k % 2 * 30:02d}"), own),
        "wide, watts by their names": File(
            csv(
                pd.DataFrame(
                    {f"{h} W": w for h, w in zip(HOUSES, 1000 * own.power, strict=True)}
                    | {"time": own.times.strftime("%Y-%m-%d %H:%M")}
                )
            ),
            own,
        ),
        "a line of units": File(csv(wide(own)).replace(b"\n", b"\n,kWh,kWh\n", 1), own),
        "a register in MWh": File(
            csv(quarter.long((counted(quarter, 7e4) / 1000).round(7), value="MWh")), quarter, last=False
        ),
        "a register that begins anew at midnight": File(
            csv(quarter.long((of_day - began).round(6))), quarter._replace(power=anew), last=False
        ),
        "blanks": File(
            csv(own.long(np.where(own.power > 2, " ", kwh.astype(str)))),
            own._replace(power=np.where(own.power > 2, np.nan, own.power)),
        ),
        "watts, and nobody says so": File(csv(own.long(1000 * own.power, value="value")), own),
        "1.234 W, all over a thousand": File(
            grouped(loud := own._replace(power=own.power + 1), ".", ";"), loud
        ),
    }
    made |= {
        "semicolons, decimal commas": File(csv(own.long(kwh), ";", ","), own),
        "tabs": File(csv(own.long(kwh), "\t"), own),
        "cp1252, umlauts": File(csv(own.long(kwh, house="Zähler")).decode().encode("cp1252"), own),
        "UTF-16": File(plain.decode().encode("utf-16"), own),
        "gzip": File(gzip.compress(plain), own),
        "Parquet": File(parquet(own.long(kwh)), own),
        "wide": File(csv(wide(own)), own),
        "wide, who is in each house": File(csv(wide(own).assign(**in_words(says))), own, says=says),
        "a clock two hours slow": File(csv(slow.long(kwh)), own, shift=2),
        "watts": File(csv(own.long(1000 * own.power, value="W")), own),
        "1,234 W quoted among commas": File(grouped(own, ",", ","), own),
        "1'234 W": File(grouped(own, "'", ";"), own),
        "1 234 W": File(grouped(own, " ", ";"), own),
        "1.234,0 W": File(grouped(own, ".", ";", ",0"), own),
        "1.234 W among semicolons": File(grouped(own, ".", ";"), own),
        "1,234 W among semicolons": File(grouped(own, ",", ";"), own),
        "a register at 70,000 kWh": File(csv(quarter.long(counted(quarter, 7e4))), quarter, last=False),
        "a register, wide": File(
            csv(wide(quarter).assign(**dict(zip(HOUSES, counted(quarter, 7e4), strict=True)))),
            quarter,
            last=False,
        ),
        "a register in Wh at intervals' ends": File(
            csv(own.long((1000 * counted(own, 7e4)).round(1), value="Wh")), own, last=False
        ),
        "MPANs": File(
            plain.replace(b"house,", b"MPAN,")
            .replace(b"Mill Lane 1", b"1200023305967")
            .replace(b"Quay 2", b"1200023305968"),
            own,
        ),
        "meters' ten digits": File(
            plain.replace(b"house,", b"meter,")
            .replace(b"Mill Lane 1", b"1712345678")
            .replace(b"Quay 2", b"1712345679"),
            own,
        ),
        "stamps of intervals' ends": File(csv(late.long(kwh)), own),
        "an interval's end by its name": File(csv(late.long(kwh, time="Interval End")), own),
        "rows of days, 00:00 to 23:30": File(by_day(own, lambda k: f"{k // 2:02d}:{k % 2 * 30:02d}"), own),
        "rows of days, HH1 to HH48": File(by_day(own, lambda k: f"HH{k + 1}"), own),
        "rows of days, 00:30 to 24:00": File(
            by_day(own, lambda k: f"{(k + 1) // 2:02d}:{(k + 1) % 2 * 30:02d}"), own
        ),
        "German dates": File(csv(own.long(kwh, "%d.%m.%Y %H:%M"), ";", ","), own),
        "American dates and clock": File(csv(own.long(kwh, "%m/%d/%Y %I:%M %p")), own),
        "seconds since 1970": File(
            csv(own.long(kwh).assign(time=np.tile(seconds, len(HOUSES)))), own, "Europe/Berlin"
        ),
        "a roof's negatives": File(csv(own.long(negative)), own._replace(power=roof)),
        "every row twice": File(plain + plain.split(b"\n", 1)[1], own),
        "rows in any order": File(csv(own.long(kwh).sample(frac=1, random_state=1)), own),
    }
    return made


def verdict(file: File) -> tuple[str, str]:
    """Return how a file came out, and the sentence of a refusal."""
    try:
        readings = read(file.data, zone=file.zone, shift=file.shift)
    except ScenarioError as refused:
        return REFUSED, str(refused)
    own = file.truth
    wall = own.times.tz_localize(None)
    step = ((wall - pd.Timestamp(readings.first_day)) // pd.Timedelta(readings.minutes, "min")).to_numpy()
    if (
        readings.minutes != own.minutes
        or len(readings.houses) != len(HOUSES)
        or step.max() >= readings.days * readings.steps_per_day
    ):
        return WRONG, f"{len(readings.houses)} houses, {readings.minutes} minutes, {readings.days} days"
    steps = readings.days * readings.steps_per_day
    truth = np.full((len(HOUSES), steps), np.nan)
    for house, power in enumerate(own.power):
        known = np.isfinite(power)
        total = np.bincount(step[known], power[known], steps)
        count = np.bincount(step[known], minlength=steps)
        truth[house, count > 0] = total[count > 0] / count[count > 0]
    if not file.last:
        if (
            np.isnan(readings.power[:, :-1]).sum(axis=1).max()
            > FEW + np.isnan(truth[:, :-1]).sum(axis=1).max()
        ):
            return WRONG, "too much is missing"
        truth[np.isnan(readings.power)] = np.nan  # a register's last step, and around a change of clocks
    same = np.isnan(truth) == np.isnan(readings.power)
    close = np.abs(np.where(np.isnan(truth), 0.0, truth - readings.power)) <= CLOSE
    said = file.says is None or (
        readings.occupied is not None and np.array_equal(readings.occupied[:, step], file.says)
    )
    return (READ if (same & close).all() and said else WRONG), ""


def results() -> Iterator[Result]:
    found = {name: verdict(file) for name, file in files().items()}
    for name, (how, why) in found.items():
        print(f"{how:10s} {name}{': ' if why else ''}{why}")
    counts = {each: sum(how == each for how, _ in found.values()) for each in (READ, REFUSED, WRONG)}
    print(f"{len(found)} files: " + ", ".join(f"{many} {each}" for each, many in counts.items()))
    yield Result(subject="files read wrong", value=float(counts[WRONG]), unit="", target=0.0)
