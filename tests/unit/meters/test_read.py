"""However a file is written, the same readings come out; what is wrong with them is reported, from its limit
on and not before."""

import gzip
import io
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from rtp.meters import Readings, grid, learn, numbered, read, source
from rtp.meters.house_fit import EXPORTS
from rtp.meters.source import Source, collect
from rtp.output.meters import houses_frame
from rtp.scenario import ScenarioError
from tests.help.sentence import refuse
from tests.unit.meters.files import csv, expected, parquet, table, wide

BASE = table()


def found(readings: Readings) -> dict[str, int]:
    return {each.what: each.count for each in readings.findings}


def house(values: list[float] | np.ndarray, name: str = "a", unit: str = "kWh") -> pd.DataFrame:
    """Hours from a Monday on."""
    times = pd.date_range("2024-05-06", periods=len(values), freq="60min")
    return pd.DataFrame({"house": name, "time": times, unit: values})


def uneven(count: int) -> np.ndarray:
    return 0.5 + np.arange(count) % 7 / 8


@pytest.mark.parametrize(("unit", "factor"), [("kWh", 1), ("Wh", 1e3), ("kW", 2), ("W", 2e3)])
def test_units_by_the_columns_name_or_as_told(unit: str, factor: float) -> None:
    frame = BASE.assign(kWh=BASE["kWh"] * factor)
    for readings in (read(frame.rename(columns={"kWh": f"use ({unit})"})), read(frame, unit=unit)):
        assert readings.unit == unit
        np.testing.assert_allclose(readings.power, expected(BASE), rtol=1e-6)


def test_every_source_and_every_order_of_rows_give_the_same(tmp_path: Path) -> None:
    path = tmp_path / "readings.csv"
    path.write_bytes(csv(BASE))
    indexed = wide(BASE).set_index("time")
    sources: list[Source] = [path, str(path), csv(BASE), io.BytesIO(csv(BASE)), BASE, wide(BASE), indexed]
    for each in (*sources, parquet(BASE), BASE.sort_values(["time", "house"])):
        readings = read(each)
        assert (readings.houses, readings.date(0)) == (("h0", "h1"), "2024-05-06")
        np.testing.assert_allclose(readings.power, expected(BASE), rtol=1e-6)


def test_flaws_are_counted_and_readings_beside_them_stay() -> None:
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
    flaws = {"doubles": 2, "negative": 1, "outliers": 1, "dead": 1, "constant": 1, "short": 1}
    assert found(readings) == {"gaps": 3 + 18 * 48, **flaws}
    assert readings.usable.tolist() == [True, False, False, False, True]
    assert np.isnan(readings.power[0, [5, 10, 11, 12]]).all()
    np.testing.assert_allclose(readings.power[4], expected(table(houses=5, days=20))[4], rtol=1e-6)


def in_thousands(values: np.ndarray) -> bytes:
    """Watts with their thousands parted, which a comma-delimited file has to quote."""
    rows = [
        f'a,{time},"{value:,.0f}"'
        for time, value in zip(house(values)["time"].astype(str), values, strict=True)
    ]
    return "\n".join(["house,time,W", *rows]).encode()


def test_thousands_in_groups_are_read_as_thousands() -> None:
    """Of a house of 1.7 kW, and of one of megawatts; what may be decimals as well is refused."""
    for low in (300, 999_900):
        watts = low + 40.0 * (np.arange(72) % 72)
        np.testing.assert_allclose(read(in_thousands(watts)).power[0], watts / 1000, rtol=1e-6)
    assert "'1,300' may be 1300 or 1.300" in refuse(lambda: read(in_thousands(np.arange(1300.0, 1372.0))))
    mixed = in_thousands(np.arange(960.0, 1032.0)).replace(b"1,031", b"1,5")
    assert "'1,5'" in refuse(lambda: read(mixed))


@pytest.mark.parametrize("sign", [".", ","])
def test_what_may_be_thousands_or_decimals_is_refused_even_when_it_comes_late(
    sign: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source, "SAMPLE", 400)
    for low in (300.0, 900.0):
        rows = [f"a;2024-05-0{6 + i // 24} {i % 24:02d}:00;{low + 10 * i:,.0f}" for i in range(72)]
        text = "\n".join(["house;time;W", *rows]).replace(",", sign)
        assert "may be" in refuse(partial(read, text.encode()))


def test_times_of_intervals_ends_are_recognised_unless_a_register_is_read() -> None:
    """The first is half past midnight, the last is midnight; a count is read at a moment."""
    late = BASE.assign(time=BASE["time"] + pd.Timedelta(30, "min"))
    for each in (late, wide(late)):
        readings = read(each)
        assert (readings.days, found(readings)["ends"]) == (2, 1)
        np.testing.assert_allclose(readings.power, expected(BASE), rtol=1e-6)
    assert "ends" not in found(read(late[late["time"] < late["time"].max()]))
    counts = table(15, houses=1).assign(kWh=lambda each: each["kWh"].cumsum())
    stamped = counts.assign(time=counts["time"] + pd.Timedelta(15, "min"))
    moved = read(stamped).power[0]
    np.testing.assert_allclose(moved[1:192], expected(table(15, houses=1), 15)[0, 1:], rtol=1e-4)


def test_a_house_that_exports_is_named_and_its_negatives_are_no_second_gap() -> None:
    frame = table(60, days=10)
    roof = (frame["house"] == "h0") & frame["time"].dt.hour.between(11, 13)
    frame.loc[roof, "kWh"] *= -1
    readings = read(frame.drop(index=[300, 301]))
    assert readings.exporting == ("h0",)
    assert readings.usable.tolist() == [False, True]
    assert {name: found(readings)[name] for name in ("negative", "exports", "gaps")} == {
        "negative": roof.sum(),
        "exports": 1,
        "gaps": 2,
    }
    verdicts = houses_frame(readings, learn(readings, resamples=0))["Verdict"]
    assert verdicts["h0"] == EXPORTS
    assert readings.only_houses(np.array([1])).exporting == ()
    with pytest.raises(ScenarioError, match="export"):
        learn(readings.only_houses(np.array([0])))


def with_first(*values: float, of: int, like: float = 1.0) -> pd.DataFrame:
    """Hours of one value, the first of which are others."""
    return house(np.array([*values, *[like] * (of - len(values))]))


def stray(days: int, others: int) -> pd.DataFrame:
    """A reading dated so many days after so many others."""
    many = house(uneven(others))
    return pd.concat([many, many.iloc[[0]].assign(time=many["time"].iloc[-1] + pd.Timedelta(days, "D"))])


@pytest.mark.parametrize(
    ("what", "reported", "not_reported"),
    [
        ("register", house(np.arange(97.0)), house(np.arange(96.0))),
        ("misdated", stray(181, 240), stray(180, 240)),
        ("misdated", stray(400, 99), stray(400, 98)),
        ("outliers", with_first(10.5, of=101), with_first(10.0, of=101)),
        ("outliers", with_first(10.5, of=101), with_first(10.5, 10.5, of=101)),
        ("outliers", with_first(30.0, 30.0, of=201), with_first(5.0, of=201, like=0.0)),
        ("plausible", house([0.0049] * 2, unit="kW"), house([0.00501] * 2, unit="kW")),
        ("plausible", house([20.5] * 2, unit="kW"), house([20.0] * 2, unit="kW")),
        ("short", house(uneven(7 * 24 - 1)), house(uneven(7 * 24))),
        ("unit", house(uneven(200), unit="value"), house(uneven(200))),
    ],
)
def test_it_is_reported_from_its_limit_on(
    what: str, reported: pd.DataFrame, not_reported: pd.DataFrame
) -> None:
    assert what in found(read(reported))
    assert what not in found(read(not_reported))


@pytest.mark.parametrize("minutes", [15, 30, 60])
def test_clock_changes_in_local_time(minutes: int) -> None:
    """Berlin 2024: 31 March has 23 hours, 27 October 25. With and without the distance from UTC."""
    for start, hours in (("2024-03-30", 71), ("2024-10-26", 73)):
        utc = pd.date_range(start, periods=hours * 60 // minutes, freq=f"{minutes}min", tz="Europe/Berlin")
        frame = pd.DataFrame({"time": utc, "a": 1.5 + np.sin(np.arange(len(utc))), "b": 1.0})
        plain = frame.assign(time=utc.strftime("%Y-%m-%d %H:%M"))
        offset = frame.assign(time=utc.strftime("%Y-%m-%dT%H:%M:%S%z"))
        in_utc = frame.assign(time=utc.tz_convert("UTC").strftime("%Y-%m-%dT%H:%M:%SZ"))
        far = [  # 5:45 ahead, and eleven hours behind
            frame.assign(time=utc.tz_convert(away).strftime("%Y-%m-%dT%H:%M:%S%z"))
            for away in ("Asia/Kathmandu", "Etc/GMT+11")
        ]
        away = [read(each, zone="Europe/Berlin") for each in (in_utc, *far)]
        if minutes < 60:  # else it is too short to be a register
            counted = plain.assign(a=plain["a"].cumsum(), b=plain["b"].cumsum())
            assert found(read(counted))["clock"] == found(read(counted))["register"] - 1 == 1
        for each in (read(plain), read(offset), read(frame), *away):
            assert (each.days, each.minutes, found(each)["clock"]) == (3, minutes, 1)
            hour = each.power[0].reshape(3, 24, -1)[1, 2]
            assert np.isnan(hour).all() == (hours == 71)


def test_a_finer_house_is_averaged_and_a_coarser_one_left_out() -> None:
    half_hour = np.arange(2 * 1440) // 30
    fine = table(1, houses=1).assign(house="fine", kWh=(1 + half_hour % 5) / 60).drop(index=[40, 41])
    coarse = table(60, houses=1).assign(house="coarse", kWh=0.5)
    readings = read(pd.concat([BASE, fine, coarse]))
    assert (readings.houses, found(readings)["interval"]) == (("h0", "h1", "fine"), 1)
    np.testing.assert_allclose(readings.power[2], 1 + np.arange(96) % 5, rtol=1e-6)
    np.testing.assert_allclose(readings.power[:2], expected(BASE), rtol=1e-6)


def test_a_clock_that_is_a_little_off_is_put_right() -> None:
    """Twelve minutes early or late, or all twenty minutes past the grid."""
    off = pd.to_timedelta(np.resize([0, 0, 0, -12, 0, 0, 12], len(BASE)), unit="min")
    np.testing.assert_allclose(read(BASE.assign(time=BASE["time"] + off)).power, expected(BASE), rtol=1e-6)
    past = read(BASE.assign(time=BASE["time"] + pd.Timedelta(20, "min")))
    np.testing.assert_allclose(past.power, expected(BASE), rtol=1e-6)
    assert found(past)["moved"] == 20


def test_occupancy_is_read_where_a_column_says_it() -> None:
    words = [*source.YES, *source.NO, "", *source.UNKNOWN_STATES]
    states = [1] * len(source.YES) + [0] * len(source.NO) + [-1] * (1 + len(source.UNKNOWN_STATES))
    cells = [f"a,2024-05-06 {i:02d}:00,1,{word}" for i, word in enumerate(words)]
    occupied = read("\n".join(["house,time,kWh,occupied", *cells]).encode()).occupied
    assert occupied is not None
    assert occupied[0].tolist() == states + [-1] * (24 - len(states))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("size", [40, 41, 52, 53, 54])
def test_blocks_of_any_size_hold_whole_lines(size: int, end: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "READ_BYTES", size)
    lines = [f"house{i},2024-05-06 {i:02d}:00,{i}" for i in range(9)]
    assert collect(end.join(["house,time,kWh", *lines]).encode()).value.tolist() == list(range(9))


@pytest.mark.parametrize("kind", ["csv", "gzip", "parquet", "frame"])
def test_reading_tells_how_far_it_is_and_can_be_stopped(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    weeks = table(houses=8, days=28)
    monkeypatch.setattr(source, "READ_BYTES", 2**16)
    monkeypatch.setattr(source, "BATCH", 2**11)
    packed = gzip.compress(csv(weeks))
    kinds: dict[str, Source] = {"csv": csv(weeks), "gzip": packed, "parquet": parquet(weeks), "frame": weeks}
    data = kinds[kind]
    done: list[float] = []
    read(data, progress=done.append)
    assert len(done) > 4
    assert done == sorted(done)
    assert done[-1] == 1.0
    with pytest.raises(InterruptedError):
        read(data, progress=_stop)


def _stop(done: float) -> None:
    raise InterruptedError


DAY = table(60, houses=3, days=1)
CLOCKS = DAY.assign(time="2024-05-06", hour=DAY["time"].dt.hour)


@pytest.mark.parametrize(
    ("module", "limit", "most", "data"),
    [
        (source, "MAX_HOUSES", 3, csv(DAY)),
        (numbered, "MAX_TIMES", 24, csv(DAY)),
        (numbered, "MAX_TIMES", 24, csv(CLOCKS)),
        (source, "MAX_READ_ROWS", 72, csv(DAY)),
        (source, "MAX_READ_ROWS", 72, wide(DAY)),
        (source, "MAX_READ_ROWS", 72, parquet(DAY)),
        (source, "MAX_UNPACKED", len(csv(DAY)), gzip.compress(csv(DAY))),
        (grid, "MAX_GRID_CELLS", 72, DAY),
        (grid, "MAX_GRID_CELLS", 72, DAY[DAY["time"].dt.hour > 0]),
    ],
)
def test_as_many_as_are_allowed_are_read_and_one_more_is_refused(
    module: object, limit: str, most: int, data: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, limit, most)
    assert len(read(data).houses) == 3
    monkeypatch.setattr(module, limit, most - 1)
    assert refuse(lambda: read(data)).startswith("The file")


def test_a_slow_clock_is_moved_on_with_its_labels() -> None:
    """As the same file with right times, but for the hours that are past its end."""
    hours = pd.date_range("2024-05-06", periods=10 * 24, freq="h")
    rng = np.random.default_rng(3)
    table = pd.DataFrame({"time": hours, "kWh": rng.gamma(2, 0.2, len(hours)).round(3)})
    table = table.assign(house="A", occupied=rng.integers(0, 2, len(hours)))
    slow = table.assign(time=hours - pd.Timedelta(2, "h"))
    right, moved = read(table), read(slow, shift=2)
    assert (moved.first_day, moved.days) == (right.first_day, right.days)
    np.testing.assert_array_equal(moved.power, right.power)
    np.testing.assert_array_equal(moved.occupied, right.occupied)
    with pytest.raises(ScenarioError, match="shift"):
        read(slow, shift=24)


WIDE_LABELS = {
    "its name and a word": ("Mill Lane 1 occupied", "Quay 2 occupied"),
    "the word first": ("occupied_Mill Lane 1", "occupied_Quay 2"),
    "brackets": ("Mill Lane 1 (presence)", "Quay 2 (presence)"),
}


@pytest.mark.parametrize("labels", WIDE_LABELS.values(), ids=WIDE_LABELS)
def test_a_wide_table_says_of_each_house_who_is_in(labels: tuple[str, str]) -> None:
    """Whatever the columns' order, a house may have none, and a cell may be empty."""
    hours = pd.date_range("2024-05-06", periods=10 * 24, freq="h")
    rng = np.random.default_rng(4)
    use, states = rng.gamma(2, 0.2, (3, len(hours))).round(3), rng.integers(0, 2, (2, len(hours)))
    table = pd.DataFrame({"time": hours, labels[1]: states[1], "Mill Lane 1 (kWh)": use[0]})
    table = table.assign(**{"Quay 2 (kWh)": use[1], labels[0]: states[0], "Rest (kWh)": use[2]})
    table.loc[5:8, labels[0]] = np.nan
    states[0, 5:9] = -1
    readings = read(table)
    assert readings.houses == ("Mill Lane 1 (kWh)", "Quay 2 (kWh)", "Rest (kWh)")
    np.testing.assert_allclose(readings.power, use, rtol=1e-6)
    np.testing.assert_array_equal(readings.occupied, [*states, np.full(len(hours), -1)])
    with pytest.raises(ScenarioError, match="which house"):
        read(table.rename(columns={labels[0]: "Elsewhere occupied"}))
