"""Layouts of real exports, filled with made-up readings: which column is what, by its name and its cells."""

import numpy as np
import pandas as pd
import pytest

from rtp.meters import layout, read
from rtp.meters.layout import Layout, assign
from rtp.scenario import ScenarioError
from tests.help.sentence import refuse
from tests.unit.meters.files import csv, expected, parquet, table, wide

BASE = table(60, days=8)
ONE = table(60, houses=1, days=8)
HOUR = pd.Timedelta(1, "h")
STAMP = "2024-05-06 00:00"
PREAMBLE = 'Name,A HOUSE\nAddress,"1 MILL LANE, TOWN"\nAccount Number,1\n\n'


def export(header: str, row: str) -> bytes:
    """The readings of one house, an hour each: t to end, which is the so-manieth of the day."""
    rows = [
        row.format(t=time, end=time + HOUR, hour=time.hour + 1, use=use, comma=str(use).replace(".", ","))
        for time, use in zip(ONE["time"], ONE["kWh"], strict=True)
    ]
    return "\n".join([header, *rows, ""]).encode()


def register() -> bytes:
    """A count that grows by what is used until the next reading."""
    last = ONE.iloc[[-1]].assign(time=ONE["time"].iloc[-1] + HOUR, kWh=0.0)
    return csv(pd.concat([ONE, last]).assign(kWh=lambda each: 64 + each["kWh"].cumsum() - each["kWh"]))


# The same hours of one house in all of them.
EXPORTS = {
    "preamble, start and end, a column of units": export(
        f"{PREAMBLE}TYPE,DATE,START TIME,END TIME,USAGE,UNITS,COST,NOTES",
        "Electric usage,{t:%Y-%m-%d},{t:%H:%M},{end:%H:%M},{use},kWh,$0.1,",
    ),
    "hours 1 to 24, decimal commas": export(
        "CUPS;Fecha;Hora;Consumo_kWh;Metodo_obtencion", "ES001;{t:%d/%m/%Y};{hour};{comma};R"
    ),
    "date and clock": export("Datum;Uhrzeit;Verbrauch (kWh)", "{t:%d.%m.%Y};{t:%H:%M};{comma}"),
    "start and end with their distance from UTC": export(
        "Consumption (kwh), Start, End", "{use}, {t:%Y-%m-%dT%H:%M:%S}+00:00, {end:%Y-%m-%dT%H:%M:%S}+00:00"
    ),
    "power by its name, a voltage beside it": export(
        "Date;Time;Global_active_power;Voltage", "{t:%d/%m/%Y};{t:%H:%M:%S};{use};241.97"
    ),
    "the interval's end": export("house,Interval End,kWh", "a,{end:%Y-%m-%d %H:%M},{use}"),
    "import beside export": export("meter,time,export_kWh,import_kWh", "a,{t:%Y-%m-%d %H:%M},9,{use}"),
    "a register's count": register(),
}
GRANTED = {
    "preamble, start and end, a column of units": {"columns"},
    "power by its name, a voltage beside it": {"unit", "columns"},
    "the interval's end": {"ends"},
    "import beside export": {"columns"},
    "a register's count": {"register"},
    "start and end with their distance from UTC": {"utc"},
}


@pytest.mark.parametrize("name", EXPORTS)
def test_an_export_is_read_and_what_was_taken_for_granted_reported(name: str) -> None:
    readings = read(EXPORTS[name])
    np.testing.assert_allclose(readings.power[:, : len(ONE)], expected(ONE, 60), rtol=1e-4)
    assert readings.date(0) == "2024-05-06"
    assert {each.what for each in readings.findings} - {"gaps"} == GRANTED.get(name, set())


def test_a_gap_in_a_register_is_a_gap() -> None:
    counts = ONE.assign(kWh=ONE["kWh"].cumsum() - ONE["kWh"])
    power = read(counts.drop(index=[50, 51])).power[0]
    assert np.flatnonzero(np.isnan(power)).tolist() == [49, 50, 51, len(power) - 1]


def test_units_of_rows_and_of_columns_are_put_into_one() -> None:
    in_wh = np.arange(len(BASE)) % 2 == 0
    rows = BASE.assign(value=np.where(in_wh, 1000.0, 1.0) * BASE["kWh"], unit=np.where(in_wh, "Wh", "kWh"))
    columns = wide(BASE).assign(h1=lambda each: each["h1"] * 1000)
    mixed = columns.rename(columns={"h0": "h0 (kWh)", "h1": "h1 (Wh)"})
    for frame in (rows.drop(columns="kWh"), mixed):
        np.testing.assert_allclose(read(frame).power, expected(BASE, 60), rtol=1e-5)


def laid_out(names: str, *rows: str) -> Layout:
    return assign(names.split(","), [row.split(",") for row in rows])


# Every word by which a column is known, and what it then is: its name is put for the star.
ROLES = [
    (layout.TIME - layout.END, "uploaded,*,a", f"{STAMP},{STAMP},1", {"time": 1, "ends": False}),
    (layout.END & layout.TIME, "*,house,kWh", f"{STAMP},A,1", {"time": 0, "ends": True}),
    (layout.END, "time *,a", f"{STAMP},1", {"ends": True}),
    (layout.END, "time *,from,a", f"{STAMP},{STAMP},1", {"time": 1, "ends": False}),
    (
        layout.CLOCK_WORDS - {"end", "bis"},
        "date,*,house,kWh",
        "2024-05-06,01:00,A,1",
        {"clock": 1, "values": (3,)},
    ),
    ({"end", "bis"}, "date,*,a", "2024-05-06,01:00,1", {"clock": 1, "ends": True}),
    (layout.HOUSE_WORDS, "time,*,kWh", f"{STAMP},7,1", {"house": 1, "values": (2,)}),
    (layout.UNIT, "time,house,value,*", f"{STAMP},A,1,kWh", {"unit": 3}),
    (layout.UNIT, "time,house,value,*", f"{STAMP},A,1,7", {"unit": None}),
    (layout.OCCUPIED_WORDS, "time,house,value,*", f"{STAMP},A,1,0", {"occupied": 3}),
    (layout.VALUE, "time,house,odd,*", f"{STAMP},A,3,1", {"values": (3,)}),
    (layout.EXPORT, "time,house,* kWh,kWh", f"{STAMP},A,3,1", {"values": (3,)}),
    (layout.NO_HOUSE, "time,A1,A2,*", f"{STAMP},1,2,3", {"values": (1, 2)}),
]


@pytest.mark.parametrize(("words", "names", "row", "known"), ROLES)
def test_a_column_is_known_by_each_of_its_words(
    words: set[str], names: str, row: str, known: dict[str, object]
) -> None:
    for word in words:
        layout = laid_out(names.replace("*", word), row, row.replace("00:00", "02:00"))
        assert {name: getattr(layout, name) for name in known} == known, word


@pytest.mark.parametrize(
    ("names", "cells", "house", "values"),
    [
        ("house,time,odd,more,kWh", f"1,{STAMP},1,2,3", 0, (4,)),
        ("house,time,kWh,kW", f"1,{STAMP},1,2", 0, (2,)),
        ("house,time,house 2,house 3", f"1,{STAMP},1,2", None, (0, 2, 3)),
        ("house,time,site,a,b,c,d,e,f,kWh", f"1,{STAMP},7,1,2,3,4,5,6,7", None, (0, 2, 3, 4, 5, 6, 7, 8, 9)),
        ("who,time,what,kWh", f"a,{STAMP},b,1", None, (0, 2, 3)),
        ("house,time,kWh", f"A,{STAMP},1700000000", 0, (2,)),
        ("time,total,status,rate", f"{STAMP},1,x,", None, (1, 3)),
    ],
)
def test_houses_are_a_column_or_the_columns(
    names: str, cells: str, house: int | None, values: tuple[int, ...]
) -> None:
    layout = laid_out(names, cells, cells)
    assert (layout.house, layout.values) == (house, values)


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("kWh (per half hour)", "kWh"),
        ("energyKwh", "kWh"),
        ("kilowatt-hours", "kWh"),
        ("kW and kWh", None),
        ("wattage", None),
        ("reading W", "W"),
        ("mW", None),
    ],
)
def test_a_name_says_one_unit_or_none(name: str, unit: str | None) -> None:
    assert laid_out(f"house,time,{name}", f"a,{STAMP},1").units == (unit,)


DAYS = [f"2024-05-{day:02d}" for day in range(1, 9)]
HOURS = [f"{hour:02d}:00" for hour in range(24)]
NEM_300 = f"300,20240501,{','.join(['0.1'] * 48)},A,,,20240510121004,20240510182204"
REFUSED = {
    "NEM12": f"100,NEM12,200506081149,U,N\n200,NEM1201009,E1,1,E1,N1,01009,kWh,30,\n{NEM_300}\n900\n",
    "NEM13": "100,NEM13,200506081149,U,N\n250,1234567890,1141,01,11,11,N,M123,E,1234,20240501,A\n900\n",
    "Irish CER": "\n".join(f"1392 {195 + day}{half:02d} 0.14" for day in range(2) for half in range(1, 49)),
    "Green Button": '<feed xmlns="http://www.w3.org/2005/Atom"><IntervalBlock xmlns="http://naesb.org/espi"/>',
    "row for every day": "\n".join(
        [",".join(["id", "day", *HOURS[1:]]), *(f"a,{d}{',1' * 23}" for d in DAYS)]
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_layout_that_is_not_read_is_refused_by_its_name(name: str) -> None:
    with pytest.raises(ScenarioError, match=f"{name}.*columns house, time and kWh"):
        read(REFUSED[name].encode())


def test_rows_of_days_come_in_any_order_beside_other_columns_and_of_one_house() -> None:
    by_day = BASE.assign(day=BASE["time"].dt.date, hour=BASE["time"].dt.hour).pivot(
        index=["house", "day"], columns="hour", values="kWh"
    )
    by_day.columns = pd.Index([f"kWh {hour:02d}:00 - {hour + 1:02d}:00" for hour in range(24)])
    many = by_day.reset_index().rename(columns={"day": "Date"}).assign(note="x", total=1.0)
    for each in (csv(many.iloc[::-1]), parquet(many.assign(Date=many["Date"].astype(str)))):
        readings = read(each)
        order = [readings.houses.index(name) for name in ("h0", "h1")]
        np.testing.assert_allclose(readings.power[order], expected(BASE, 60), rtol=1e-6)
    alone = read(csv(many[many["house"] == "h1"].drop(columns="house")))
    np.testing.assert_allclose(alone.power, expected(BASE, 60)[1:], rtol=1e-6)
    twice = refuse(lambda: read(csv(pd.concat([many, many]).assign(house="h0"))))
    assert "several rows for a house and day" in twice


def test_rows_of_a_total_are_no_house_unless_there_are_no_others() -> None:
    """What all use together would be one more house, as large as the street."""
    houses = pd.concat([BASE, ONE.assign(house="Feeder 2"), ONE.assign(house="Summers")])
    for name in ("Total", "Sum of all houses", "GESAMT"):
        found = read(pd.concat([houses, ONE.assign(house=name), BASE.tail(9)]))
        assert found.houses == ("h0", "h1", "Feeder 2", "Summers")
        np.testing.assert_allclose(found.power[:2], expected(BASE, 60))
        assert [each.count for each in found.findings if each.what == "totals"] == [1]
    assert read(ONE.assign(house="Total")).houses == ("Total",)
