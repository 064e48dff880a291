"""The words by which a column is known, in English, German and Spanish, where nothing else decides."""

import pytest

from rtp.meters.layout import Layout, assign, unit_named

TIMES = """
time timestamp datetime date tstp stamp start zeit zeitstempel datum utc fecha from von beginn interval
settlement
"""
ENDS = "end until to bis ende"
CLOCKS = "time zeit uhrzeit hora hour stunde start von clock"
HOUSES = """
house household houses home dwelling building haus site customer user id meter lclid nmi mpan device
dataid uuid houseid householdid meterid cups zähler zaehler
"""
UNIT_COLUMNS = "unit units uom einheit unidad"
OCCUPANCY = "occupied occupancy presence present"
POWERS = "power leistung potencia"
USES = """
energy consumption usage use used load demand value reading readings verbrauch consumo wert import
imported bezug watt watts
"""
EXPORTS = """
export exported generation generated production produced feed feedin solar pv einspeisung surplus
excedente lieferung
"""
NO_HOUSES = """
total sum sums aggregate aggregated gesamt summe feeder transformer temperature temp humidity weather
wind rain irradiance radiation temperatur price tariff cost costs preis precio kosten charge rate voltage
current intensity reactive frequency metering spannung weekday holiday month year season quality method
metodo status flag notes note type index unnamed
"""
UNITS = {
    "Wh": "wh watthour watthours watt-hours",
    "kWh": "kwh kilowatthour kilowatthours",
    "MWh": "mwh megawatthour megawatthours",
    "W": "w watt watts",
    "kW": "kw kilowatt kilowatts",
    "MW": "mw megawatt megawatts",
}
STAMP = ("2024-05-06 00:00", "2024-05-06 01:00")


def laid_out(**columns: tuple[str, str]) -> Layout:
    """The layout of two rows; underscores in a name are spaces."""
    names = [name.replace("_", " ") for name in columns]
    return assign(names, list(zip(*columns.values(), strict=True)))


@pytest.mark.parametrize("word", TIMES.split())
def test_of_two_columns_of_times_the_named_one_counts(word: str) -> None:
    layout = laid_out(uploaded=STAMP, **{word: STAMP}, a=("1", "2"))
    assert (layout.time, layout.house, layout.values, layout.ends) == (1, None, (2,), False)


@pytest.mark.parametrize("word", ENDS.split())
def test_a_time_by_that_name_is_an_intervals_end(word: str) -> None:
    assert laid_out(**{word: STAMP}, house=("A", "B"), kWh=("1", "2")).ends


@pytest.mark.parametrize("word", ["end", "ending", "ended", "ends", "until", "to", "bis", "ende"])
def test_a_time_with_that_word_is_an_intervals_end_unless_a_beginning_stands_beside_it(word: str) -> None:
    ends = {f"time_{word}": STAMP}
    assert laid_out(**ends, a=("1", "2")).ends
    both = laid_out(**ends, from_=STAMP, a=("1", "2"))
    assert (both.time, both.ends, both.values) == (1, False, (2,))


@pytest.mark.parametrize("word", ["end", "bis"])
def test_a_clock_by_that_name_is_an_intervals_end_unless_a_beginning_stands_beside_it(word: str) -> None:
    ends = {"date": ("2024-05-06",) * 2, word: ("01:00", "02:00")}
    alone = laid_out(**ends, a=("1", "2"))
    assert (alone.clock, alone.ends, alone.values) == (1, True, (2,))
    both = laid_out(**ends, start=("00:00", "01:00"), a=("1", "2"))
    assert (both.clock, both.ends, both.values) == (2, False, (3,))


@pytest.mark.parametrize("word", CLOCKS.split())
def test_a_clock_beside_a_date_is_known_by_its_name(word: str) -> None:
    dates = ("2024-05-06", "2024-05-06")
    layout = laid_out(date=dates, **{word: ("00:00", "01:00")}, house=("A", "B"), kWh=("1", "2"))
    assert (layout.time, layout.clock, layout.house, layout.values) == (0, 1, 2, (3,))


@pytest.mark.parametrize("word", HOUSES.split())
def test_a_column_of_houses_is_known_by_its_name(word: str) -> None:
    layout = laid_out(time=STAMP, **{word: ("7", "7")}, kWh=("1", "2"))
    assert (layout.house, layout.values) == (1, (2,))


@pytest.mark.parametrize("word", UNIT_COLUMNS.split())
def test_a_column_of_units_is_known_by_its_name(word: str) -> None:
    assert laid_out(time=STAMP, house=("A", "B"), value=("1", "2"), **{word: ("kWh", "kWh")}).unit == 3


def test_units_are_those_of_a_column_that_is_named_so_and_holds_them() -> None:
    """A house may have a number that is called its unit."""
    assert laid_out(time=STAMP, house=("A", "B"), value=("1", "2"), measure=("kWh", "kWh")).unit is None
    assert laid_out(time=STAMP, house=("A", "B"), value=("1", "2"), unit=("1a", "2b")).unit is None
    assert laid_out(time=STAMP, house=("A", "B"), value=("1", "2"), unit=("", "")).unit is None


@pytest.mark.parametrize("word", OCCUPANCY.split())
def test_who_is_at_home_is_known_by_its_name(word: str) -> None:
    assert laid_out(time=STAMP, house=("A", "B"), value=("1", "2"), **{word: ("0", "1")}).occupied == 3


@pytest.mark.parametrize("word", [*POWERS.split(), *USES.split()])
def test_of_several_numbers_the_one_called_use_is_read(word: str) -> None:
    layout = laid_out(time=STAMP, house=("A", "B"), odd=("3", "4"), **{word: ("1", "2")})
    assert layout.values == (3,)
    assert layout.is_power == (word in POWERS.split())


@pytest.mark.parametrize("word", EXPORTS.split())
def test_what_is_exported_is_no_use(word: str) -> None:
    layout = laid_out(time=STAMP, house=("A", "B"), **{f"{word}_kWh": ("3", "4")}, kWh=("1", "2"))
    assert (layout.values, layout.left_out) == ((3,), (f"{word} kWh",))


@pytest.mark.parametrize("word", NO_HOUSES.split())
def test_a_column_that_is_no_house_is_left_out(word: str) -> None:
    layout = laid_out(time=STAMP, A1=("1", "2"), A2=("1", "2"), **{word: ("3", "4")})
    assert (layout.values, layout.left_out) == ((1, 2), (word,))


@pytest.mark.parametrize(("unit", "word"), [(unit, word) for unit in UNITS for word in UNITS[unit].split()])
def test_a_unit_is_known_by_its_names(unit: str, word: str) -> None:
    assert unit_named(word) == unit
