"""However a file is written, the same readings come out; what is wrong with them is said."""

import io
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from rtp.meters import Readings, read
from rtp.meters.readings import in_steps_of
from tests.unit.meters.files import csv, expected, parquet, table, wide

BASE = table()


def found(readings: Readings) -> dict[str, int]:
    return {each.what: each.count for each in readings.findings}


@pytest.mark.parametrize("minutes", [1, 2, 5, 6, 10, 15, 20, 30, 45, 60])
def test_the_interval_is_detected_and_energy_becomes_power(minutes: int) -> None:
    frame = table(minutes)
    readings = read(frame)
    assert readings.minutes == minutes
    np.testing.assert_allclose(readings.power, expected(frame, minutes), rtol=1e-6)


@pytest.mark.parametrize(("unit", "factor"), [("kWh", 1), ("Wh", 1e3), ("kW", 2), ("W", 2e3)])
def test_units_by_the_columns_name_or_as_told(unit: str, factor: float) -> None:
    frame = BASE.assign(kWh=BASE["kWh"] * factor)
    for readings in (read(frame.rename(columns={"kWh": f"use ({unit})"})), read(frame, unit=unit)):
        assert readings.unit == unit
        np.testing.assert_allclose(readings.power, expected(BASE), rtol=1e-6)
        assert not found(readings).get("unit")


def test_a_unit_that_nothing_says_is_named_as_a_guess() -> None:
    assert found(read(BASE.rename(columns={"kWh": "value"})))["unit"] == 1


def test_a_path_bytes_a_stream_a_frame_and_parquet_give_the_same(tmp_path: Path) -> None:
    path = tmp_path / "readings.csv"
    path.write_bytes(csv(BASE))
    for source in (path, str(path), csv(BASE), io.BytesIO(csv(BASE)), BASE, wide(BASE), parquet(BASE)):
        readings = read(source)
        assert readings.houses == ("h0", "h1")
        np.testing.assert_allclose(readings.power, expected(BASE), rtol=1e-6)
    assert readings.first_day == np.datetime64("2024-05-06")


def test_rows_in_any_order_are_the_same() -> None:
    shuffled = BASE.sample(frac=1, random_state=1)
    readings = read(shuffled)
    order = np.argsort(readings.houses)
    np.testing.assert_allclose(readings.power[order], expected(BASE), rtol=1e-6)


def test_gaps_doubles_negatives_dead_constant_short_and_outliers_are_counted() -> None:
    frame = table(houses=5, days=20)
    by_house = frame["house"]
    frame = frame[(by_house != "h3") | (frame["time"] < "2024-05-08")]
    frame.loc[by_house == "h1", "kWh"] = 0.0
    frame.loc[by_house == "h2", "kWh"] = 0.25
    frame.loc[5, "kWh"] = -1.0
    frame.loc[7, "kWh"] = 1e4
    frame = frame.drop(index=[10, 11, 12])
    frame = pd.concat([frame, frame.iloc[[20, 20]]])
    readings = read(frame)
    short = 18 * 48
    assert found(readings) == {
        "gaps": 3 + 1 + short,
        "doubles": 2,
        "negative": 1,
        "outliers": 1,
        "dead": 1,
        "constant": 1,
        "short": 1,
    }
    assert readings.usable.tolist() == [True, False, False, False, True]
    assert np.isnan(readings.power[0, [5, 10, 11, 12]]).all()


def test_doubles_are_averaged() -> None:
    again = BASE.iloc[[3]].assign(kWh=BASE["kWh"] + 1)
    power = read(pd.concat([BASE, again])).power
    assert power[0, 3] == pytest.approx(2 * (BASE["kWh"].to_numpy()[3] + 0.5))


def test_a_finer_house_is_averaged_and_a_coarser_one_left_out() -> None:
    """Two hours of half-hours; the third house reports every ten minutes, the fourth every hour."""
    fine = table(10, houses=1).assign(house="fine", kWh=0.1)
    coarse = table(60, houses=1).assign(house="coarse", kWh=0.5)
    readings = read(pd.concat([BASE, fine, coarse]))
    assert readings.houses == ("h0", "h1", "fine")
    assert found(readings)["interval"] == 1
    np.testing.assert_allclose(readings.power[2], 0.6, rtol=1e-6)


def test_a_house_by_the_minute_is_averaged_within_the_others_steps() -> None:
    """What it used in a half-hour, and nothing of the next one."""
    half_hour = np.arange(2 * 1440) // 30
    fine = table(1, houses=1).assign(house="fine", kWh=(1 + half_hour % 5) / 60).drop(index=[40, 41])
    power = read(pd.concat([BASE, fine])).power
    np.testing.assert_allclose(power[2], 1 + np.arange(96) % 5, rtol=1e-6)
    np.testing.assert_allclose(power[:2], expected(BASE), rtol=1e-6)


def test_a_clock_that_is_a_little_off_is_put_right() -> None:
    """Twelve minutes early or late; houses of one reading have no interval that would say otherwise."""
    off = pd.to_timedelta(np.resize([0, 0, 0, -12, 0, 0, 12], len(BASE)), unit="min")
    late = BASE.assign(time=BASE["time"] + off)
    once = [BASE.iloc[[5]].assign(house=f"once {i}") for i in range(3)]
    np.testing.assert_allclose(read(pd.concat([late, *once])).power[:2], expected(BASE), rtol=1e-6)


def test_readings_may_stand_past_the_grid_and_begin_late_in_a_day() -> None:
    past = read(BASE.assign(time=BASE["time"] + pd.Timedelta(20, "min")))
    np.testing.assert_allclose(past.power, expected(BASE), rtol=1e-6)
    assert [(each.count, each.words) for each in past.findings if each.what == "moved"] == [
        (20, "Times stand 20 minutes past the clock's grid")
    ]
    late = read(BASE.assign(time=BASE["time"] + pd.Timedelta(23, "h")))
    assert (late.date(0), late.days) == ("2024-05-06", 3)
    np.testing.assert_allclose(late.power[:, 46:142], expected(BASE), rtol=1e-6)
    last = read(BASE.assign(time=BASE["time"] + pd.Timedelta(1410, "min")))
    np.testing.assert_allclose(last.power[:, 47:143], expected(BASE), rtol=1e-6)


@pytest.mark.parametrize("minutes", [15, 30, 60])
def test_clock_changes_in_local_time(minutes: int) -> None:
    """Berlin 2024: 31 March has 23 hours, 27 October 25. With and without the distance from UTC."""
    for start, kind, hours in (("2024-03-30", "forward", 71), ("2024-10-26", "back", 73)):
        utc = pd.date_range(start, periods=hours * 60 // minutes, freq=f"{minutes}min", tz="Europe/Berlin")
        frame = pd.DataFrame({"time": utc, "a": 1.5 + np.sin(np.arange(len(utc))), "b": 1.0})
        plain = frame.assign(time=utc.strftime("%Y-%m-%d %H:%M"))
        offset = frame.assign(time=utc.strftime("%Y-%m-%dT%H:%M:%S%z"))
        in_utc = frame.assign(time=utc.tz_convert("UTC").strftime("%Y-%m-%dT%H:%M:%SZ"))
        for each in (read(plain), read(offset), read(frame), read(in_utc, zone="Europe/Berlin")):
            assert each.days == 3
            assert each.minutes == minutes
            said = [
                finding for finding in each.findings if finding.what != "unit" and finding.what != "short"
            ]
            assert [finding.what for finding in said if finding.what != "constant"] == ["clock"]
            assert kind in said[0].words
            hour = each.power[0].reshape(3, 24, -1)[1, 2]
            assert np.isnan(hour).all() == (kind == "forward")


def test_utc_without_a_zone_stays_and_is_said() -> None:
    stamps = BASE["time"].dt.strftime("%Y-%m-%dT%H:%MZ")
    assert found(read(BASE.assign(time=stamps)))["utc"] == 1


def test_occupancy_is_read_where_a_column_says_it() -> None:
    states = np.arange(len(BASE)) % 3 - 1  # −1 is unknown
    readings = read(BASE.assign(occupied=[{-1: "", 0: "0", 1: "1"}[s] for s in states.tolist()]))
    assert readings.occupied is not None
    assert readings.occupied.ravel().tolist() == states.tolist()
    gap = read(BASE.assign(occupied=1).drop(index=[3])).occupied
    assert gap is not None
    assert gap[0, 2:5].tolist() == [1, -1, 1]


def test_some_days_and_some_houses() -> None:
    readings = read(table(days=10))
    part = readings.only_days(2, 3).only_houses(np.array([1]))
    assert (part.days, part.houses, part.date(0)) == (3, ("h1",), "2024-05-08")
    assert np.array_equal(part.power[0], readings.power[1, 96:240])
    assert [readings.weekday(day) for day in (0, 6, 9)] == ["Monday", "Sunday", "Wednesday"]
    assert readings.per_day().tolist() == [[48] * 10] * 2
    gaps = read(BASE.drop(index=range(10, 34)))
    assert (gaps.present_share, gaps.per_day().tolist()) == (0.875, [[24, 48], [48, 48]])


def test_other_steps_keep_the_energy() -> None:
    power = np.array([[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]])
    assert in_steps_of(power, 10, 20).tolist() == [[1.5, 3.5, 5.5]]
    assert in_steps_of(power, 10, 15).tolist() == [
        [(2 * 1 + 2) / 3, (2 + 2 * 3) / 3, (8 + 5) / 3, (5 + 12) / 3]
    ]
    assert in_steps_of(power, 10, 5).tolist() == [np.repeat(power, 2).tolist()]
    assert in_steps_of(power[0], 10, 30).tolist() == [2.0, 5.0]
    assert in_steps_of(np.stack([power, power]), 10, 30).tolist() == [[[2.0, 5.0]]] * 2
