"""Layouts of real exports, filled with made-up readings: understood, or refused by name."""

import numpy as np
import pandas as pd
import pytest

from rtp.meters import Readings, read
from rtp.scenario import ScenarioError
from tests.help.sentence import exactly
from tests.unit.meters.files import csv, expected, table, wide

BASE = table(60, days=8)
ONE = table(60, houses=1, days=8)
TIMES = ONE["time"]


def report(readings: Readings) -> dict[str, str]:
    return {each.what: each.words for each in readings.findings}


def lines(header: str, rows: list[str]) -> bytes:
    return "\n".join([header, *rows, ""]).encode()


def uci() -> bytes:
    """The power of one house by the minute, date and clock apart, with voltages and sub-meters beside it."""
    frame = table(1, houses=1, days=2)
    kw = frame["kWh"] * 60
    rows = [
        f"{time:%d/%m/%Y};{time:%H:%M:%S};{power:.6f};0.1;241.97;18.4;0.0;1.0;17.0"
        for time, power in zip(frame["time"], kw, strict=True)
    ]
    rows[7] = rows[7].split(";")[0] + ";" + rows[7].split(";")[1] + ";?;?;?;?;?;?;"
    return lines(
        "Date;Time;Global_active_power;Global_reactive_power;Voltage;Global_intensity;"
        "Sub_metering_1;Sub_metering_2;Sub_metering_3",
        rows,
    )


def pge() -> bytes:
    """A preamble, a date with a start and an end, the unit in a column of its own."""
    rows = [
        f"Electric usage,{time:%Y-%m-%d},{time:%H:%M},{time + pd.Timedelta(59, 'min'):%H:%M},{use},kWh,$0.1,"
        for time, use in zip(TIMES, ONE["kWh"], strict=True)
    ]
    preamble = 'Name,A HOUSE\nAddress,"1 MILL LANE, TOWN"\nAccount Number,1\nService,Service 1\n\n'
    return (preamble + "TYPE,DATE,START TIME,END TIME,USAGE,UNITS,COST,NOTES\n" + "\n".join(rows)).encode()


def spanish() -> bytes:
    """Hours 1 to 24, each the one that ends then; a decimal comma."""
    rows = [
        f"ES001;{time:%d/%m/%Y};{time.hour + 1};{str(use).replace('.', ',')};R"
        for time, use in zip(TIMES, ONE["kWh"], strict=True)
    ]
    return lines("CUPS;Fecha;Hora;Consumo_kWh;Metodo_obtencion", rows)


def german() -> bytes:
    rows = [
        f"{time:%d.%m.%Y};{time:%H:%M};{str(use).replace('.', ',')}"
        for time, use in zip(TIMES, ONE["kWh"], strict=True)
    ]
    return lines("Datum;Uhrzeit;Verbrauch (kWh)", rows)


def octopus() -> bytes:
    rows = [
        f"{use}, {time:%Y-%m-%dT%H:%M:%S}+00:00, {time + pd.Timedelta(60, 'min'):%Y-%m-%dT%H:%M:%S}+00:00"
        for time, use in zip(TIMES, ONE["kWh"], strict=True)
    ]
    return lines("Consumption (kwh), Start, End", rows)


def interval_end() -> bytes:
    ends = BASE.assign(time=BASE["time"] + pd.Timedelta(60, "min"))
    return csv(ends.rename(columns={"time": "Interval End"}))


@pytest.mark.parametrize("layout", [pge(), spanish(), german(), octopus()])
def test_one_house_in_a_suppliers_layout_is_read(layout: bytes) -> None:
    readings = read(layout)
    assert readings.unit == "kWh"
    np.testing.assert_allclose(readings.power, expected(ONE, 60), rtol=1e-6)
    assert readings.date(0) == "2024-05-06"


def test_a_power_by_the_minute_with_voltages_beside_it_is_read() -> None:
    readings = read(uci())
    power = expected(table(1, houses=1, days=2), 1)
    power[0, 7] = np.nan
    np.testing.assert_allclose(readings.power, power, rtol=1e-5)
    assert (readings.unit, readings.minutes) == ("kW", 1)
    assert "Voltage" in report(readings)["columns"]
    assert "unit" in report(readings)


def test_times_of_an_intervals_end_are_moved_back_and_said() -> None:
    readings = read(interval_end())
    np.testing.assert_allclose(readings.power, expected(BASE, 60), rtol=1e-6)
    assert report(readings)["ends"]


def test_times_of_a_beginning_stay_where_they_are() -> None:
    readings = read(BASE.rename(columns={"time": "from"}))
    np.testing.assert_allclose(readings.power, expected(BASE, 60), rtol=1e-6)
    assert "ends" not in report(readings)


@pytest.mark.parametrize(
    ("name", "factor"),
    [
        ("watt-hours", 1000.0),
        ("use [MWh]", 0.001),
        ("energy_Wh", 1000.0),
        ("Kilowatt hours", 1.0),
        ("power (W)", 1000.0),
        ("load MW", 0.001),
        ("megawatts", 0.001),
    ],
)
def test_units_are_understood_by_their_names(name: str, factor: float) -> None:
    frame = BASE.assign(kWh=BASE["kWh"] * factor).rename(columns={"kWh": name})
    readings = read(frame)  # steps of an hour: energy and power have the same number
    np.testing.assert_allclose(readings.power, expected(BASE, 60), rtol=1e-5)
    assert "unit" not in report(readings)


def test_a_column_of_units_is_followed_row_by_row() -> None:
    in_wh = np.arange(len(BASE)) % 2 == 0
    frame = BASE.assign(value=np.where(in_wh, 1000.0, 1.0) * BASE["kWh"], unit=np.where(in_wh, "Wh", "kWh"))
    readings = read(frame.drop(columns="kWh"))
    np.testing.assert_allclose(readings.power, expected(BASE, 60), rtol=1e-5)
    assert readings.unit == "kWh"


def test_houses_in_different_units_are_put_into_one() -> None:
    frame = wide(BASE)
    mixed = frame.assign(h1=frame["h1"] * 1000).rename(columns={"h0": "h0 (kWh)", "h1": "h1 (Wh)"})
    np.testing.assert_allclose(read(mixed).power, expected(BASE, 60), rtol=1e-5)


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ({"h0": "h0 (kWh)", "h1": "h1 (kW)"}, "energy and power are mixed"),
        ({"h0": "h0 (kWh)", "h1": "h1 (Wh)"}, "different units, and columns that say none"),
    ],
)
def test_units_that_cannot_be_put_into_one_are_refused(names: dict[str, str], words: str) -> None:
    frame = wide(table(60, houses=3, days=8)).rename(columns=names)
    with pytest.raises(ScenarioError, match=words):
        read(frame if "none" in words else frame.drop(columns="h2"))


def test_an_unknown_unit_is_refused() -> None:
    with pytest.raises(ScenarioError, match="'BTU' is none of kWh"):
        read(csv(BASE.assign(unit=["kWh"] * 60 + ["BTU"] * (len(BASE) - 60))))


def test_a_house_called_w_is_no_unit() -> None:
    readings = read(wide(BASE).rename(columns={"h0": "V", "h1": "W"}))
    assert (readings.houses, readings.unit) == (("V", "W"), "kWh")


def test_a_w_in_brackets_is_a_unit() -> None:
    readings = read(wide(BASE).rename(columns={"h0": "V (W)", "h1": "W [W]"}))
    assert readings.unit == "W"


def test_a_register_that_never_falls_is_differenced() -> None:
    counts = BASE.assign(kWh=BASE.groupby("house")["kWh"].cumsum() - BASE["kWh"] + 4321.0)
    readings = read(counts)
    np.testing.assert_allclose(readings.power[:, :-1], expected(BASE, 60)[:, :-1], atol=1e-3)
    assert np.isnan(readings.power[:, -1]).all()
    assert report(readings)["register"].endswith(": 2")


def test_a_gap_in_a_register_is_a_gap() -> None:
    counts = ONE.assign(kWh=ONE["kWh"].cumsum() - ONE["kWh"])
    power = read(counts.drop(index=[50, 51])).power[0]
    assert np.flatnonzero(np.isnan(power)).tolist() == [49, 50, 51, len(power) - 1]


@pytest.mark.parametrize(("factor", "power"), [(1e4, "2,903 kW"), (1e-4, "0.00002903 kW")])
def test_a_power_that_no_house_has_is_pointed_out(factor: float, power: str) -> None:
    assert f"{expected(BASE, 60).mean():.4g}" == "0.2903"
    assert power in report(read(BASE.assign(kWh=BASE["kWh"] * factor)))["plausible"]
    assert "plausible" not in report(read(BASE))


def test_one_row_dated_years_later_is_left_out() -> None:
    late = ONE.iloc[[3]].assign(time=pd.Timestamp("2031-01-01"))
    readings = read(pd.concat([BASE, late]))
    np.testing.assert_allclose(readings.power, expected(BASE, 60), rtol=1e-6)
    assert report(readings)["misdated"].endswith(": 1")


def test_two_summers_apart_stay_two_summers() -> None:
    later = BASE.assign(time=BASE["time"] + pd.Timedelta(365, "D"))
    assert "misdated" not in report(read(pd.concat([BASE, later])))


@pytest.mark.parametrize("name", ["Total", "temperature", "price", "Outdoor temp (C)", "Export kWh"])
def test_what_is_no_houses_use_is_left_out_by_name(name: str) -> None:
    readings = read(wide(BASE).assign(**{name: 12.0}))
    assert readings.houses == ("h0", "h1")
    assert name in report(readings)["columns"]


def test_import_is_read_where_export_stands_first() -> None:
    frame = pd.DataFrame(
        {"meter": BASE["house"], "time": BASE["time"], "export_kWh": 9.0, "import_kWh": BASE["kWh"]}
    )
    readings = read(frame)
    np.testing.assert_allclose(readings.power, expected(BASE, 60), rtol=1e-6)
    assert report(readings)["columns"].endswith("export_kWh")


def test_exports_alone_are_refused() -> None:
    with pytest.raises(ScenarioError, match="only energy that is exported"):
        read(BASE.rename(columns={"kWh": "export kWh"}))


def test_net_metering_is_named() -> None:
    net = BASE.assign(kWh=np.where(np.arange(len(BASE)) % 5 == 0, -0.5, BASE["kWh"]))
    assert "net metering" in report(read(net))["negative"]


def test_a_tables_index_is_no_house() -> None:
    frame = wide(BASE)
    frame.index = frame.index + 7
    assert read(frame).houses == ("h0", "h1")
    assert "columns" not in report(read(frame))
    assert read(frame.set_index("time")).houses == ("h0", "h1")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (
            b"100,NEM12,200506081149,A,B\n200,1,E1,1,E1,N1,01009,kWh,30,\n300,20050301,0,0\n",
            "is in the layout NEM12; turn it into a table with the columns nmi, time and kWh first.",
        ),
        (b'[{"house": 1}]\n', "is JSON; save the readings as CSV or Parquet."),
        (b' {"house": 1,\n', "is JSON; save the readings as CSV or Parquet."),
        (
            b"PK\x03\x04xl/workbook.xml",
            "is a zip archive or a spreadsheet; save readings as CSV or Parquet.",
        ),
        (b"\x1f\x8b" + bytes(99), "is damaged: its gzip compression ends or breaks early."),
        (b"\n \n", "is empty."),
    ],
)
def test_layouts_that_are_not_read_are_refused_by_name(data: bytes, words: str) -> None:
    with pytest.raises(ScenarioError, match=exactly(f"The file {words}")):
        read(data)


def test_reading_reports_how_far_it_is() -> None:
    told: list[float] = []
    read(csv(table(1, houses=9, days=14)), progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0
