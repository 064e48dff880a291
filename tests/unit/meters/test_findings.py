"""What is said of readings, at the very limit from which it is said and just before it."""

import numpy as np
import pandas as pd
import pytest

from rtp.meters import Readings, read
from tests.unit.meters.files import table

HOUR = pd.Timedelta(1, "h")


def said(readings: Readings) -> dict[str, tuple[int, str, str]]:
    return {each.what: (each.count, each.words, each.done) for each in readings.findings}


def house(values: list[float] | np.ndarray, name: str = "a", unit: str = "kWh") -> pd.DataFrame:
    """Hours from a Monday on."""
    times = pd.date_range("2024-05-06", periods=len(values), freq="60min")
    return pd.DataFrame({"house": name, "time": times, unit: values})


def uneven(count: int) -> np.ndarray:
    return 0.5 + np.arange(count) % 7 / 8


def test_ninety_six_steps_that_never_fall_are_a_registers() -> None:
    enough, fewer = (house(np.arange(count, dtype=float)) for count in (97, 96))
    assert said(read(enough))["register"] == (
        1,
        "Houses whose readings never fall: registers: 1",
        "differences are used",
    )
    assert "register" not in said(read(fewer))
    np.testing.assert_allclose(read(enough).power[0, :96], 1.0)


def test_a_register_may_stand_still_but_must_grow_more_than_once() -> None:
    still = np.zeros(120)
    still[50:] = 1.0
    assert "register" not in said(read(house(still)))
    still[70:] = 2.0
    assert "register" in said(read(house(still)))
    still[90] = 1.0
    assert "register" not in said(read(house(still)))


def test_a_power_that_never_falls_is_no_register() -> None:
    assert "register" not in said(read(house(np.arange(120, dtype=float), unit="kW")))


@pytest.mark.parametrize(("days", "left_out"), [(180, False), (181, True)])
def test_a_reading_is_misdated_from_half_a_year_on(days: int, left_out: bool) -> None:
    many = house(uneven(240))
    last = many["time"].iloc[-1]
    stray = many.iloc[[0]].assign(time=last + pd.Timedelta(days, "D"))
    readings = read(pd.concat([many, stray]))
    told = (1, "Readings dated months away from all others: 1", "left out")
    assert said(readings).get("misdated") == (told if left_out else None)
    assert readings.days == (10 if left_out else 10 + 180)


@pytest.mark.parametrize(("others", "left_out"), [(99, True), (98, False)])
def test_one_reading_in_a_hundred_is_misdated_and_more_are_not(others: int, left_out: bool) -> None:
    many = house(uneven(others)).assign(occupied=1)
    stray = many.iloc[[0]].assign(time=pd.Timestamp("2026-01-01"), occupied=0)
    readings = read(pd.concat([many, stray]))
    assert ("misdated" in said(readings)) == left_out
    assert readings.occupied is not None
    assert (readings.occupied == 0).any() != left_out


@pytest.mark.parametrize(("negative", "words"), [(1, ""), (2, ", as of meters that count exports backwards")])
def test_more_than_one_negative_reading_in_a_hundred_is_net_metering(negative: int, words: str) -> None:
    values = uneven(100)
    values[:negative] = -1.0
    words += " (net metering)" if words else ""
    told = (negative, f"Negative readings{words}: {negative}", "treated as missing")
    assert said(read(house(values)))["negative"] == told


@pytest.mark.parametrize(
    ("kw", "words"),
    [
        (0.00501, None),
        (0.0049, "A typical house would use 0.0049 kW on average"),
        (20.0, None),
        (20.5, "A typical house would use 20.5 kW on average"),
    ],
)
def test_a_house_uses_from_five_watts_to_twenty_kilowatts(kw: float, words: str | None) -> None:
    found = said(read(house([kw, kw], unit="kW"))).get("plausible")
    assert found == (None if words is None else (1, words, "kept; check the unit"))


def test_houses_that_use_nothing_do_not_make_others_implausible() -> None:
    dead = [house([0.0, 0.0], name, "kW") for name in "bcd"]
    assert "plausible" not in said(read(pd.concat([house([0.5, 0.5], unit="kW"), *dead])))
    assert "plausible" not in said(read(dead[0]))


def test_ten_times_the_99th_percentile_is_no_outlier_and_more_is() -> None:
    values = np.ones(101)  # the 100th of 101 is the percentile
    values[0] = 10.0
    assert "outliers" not in said(read(house(values)))
    values[0] = 10.5
    told = "Readings over 10 times the house's 99th percentile, in 1 of the houses: 1"
    assert said(read(house(values)))["outliers"] == (1, told, "kept; a bound that you state will cut them")
    values[1] = 10.5
    assert "outliers" not in said(read(house(values))), "the 100th is as large"


def test_outliers_are_counted_by_readings_and_by_houses() -> None:
    values = np.ones(201)
    values[:2] = 30.0
    words = said(read(pd.concat([house(values), house(values, "b")])))["outliers"][1]
    assert words == "Readings over 10 times the house's 99th percentile, in 2 of the houses: 4"


def test_a_week_of_readings_can_be_learned_from() -> None:
    enough, fewer = house(uneven(7 * 24), "a"), house(uneven(7 * 24 - 1), "b")
    readings = read(pd.concat([enough, fewer]))
    assert readings.usable.tolist() == [True, False]
    told = "Houses with under 7 days of readings: 1"
    assert said(readings)["short"] == (1, told, "replayed; not learned from")


@pytest.mark.parametrize(
    ("day", "hour", "forward"),
    [("2024-05-12", 0, True), ("2024-05-12", 3, True), ("2024-05-12", 4, False), ("2024-05-13", 2, False)],
)
def test_only_an_hour_before_four_of_a_sunday_is_a_clocks(day: str, hour: int, forward: bool) -> None:
    whole = house(uneven(10 * 24))
    skipped = pd.Timestamp(day) + hour * HOUR
    found = said(read(whole[whole["time"] != skipped]))
    told = (1, f"{day}: the clock went forward", "the hour that was skipped is left out")
    assert found.get("clock") == (told if forward else None)
    assert ("gaps" in found) != forward


def test_hours_before_the_first_reading_and_after_the_last_were_not_skipped() -> None:
    sunday = pd.Timestamp("2024-05-12")
    frame = house(uneven(8 * 24)).assign(time=lambda each: each["time"] + (sunday - each["time"][0]))
    assert "clock" not in said(read(frame[1:]))
    assert "gaps" not in said(read(frame[1:-1]))


def test_an_hour_that_most_houses_show_twice_is_a_clocks() -> None:
    """Of two houses both: with one of them it is a double."""
    both = table(60, days=8)
    sunday = both["time"] == pd.Timestamp("2024-05-12 02:00")
    back = said(read(pd.concat([both, both[sunday]])))
    assert back["clock"] == (1, "2024-05-12: the clock went back", "the mean of the two hours is used")
    assert "doubles" not in back
    one = said(read(pd.concat([both, both[sunday & (both["house"] == "h0")]])))
    assert "clock" not in one
    assert one["doubles"] == (1, "Readings beyond one in an interval: 1", "their mean is used")


def test_a_gap_counts_once_for_every_house_that_has_it() -> None:
    """Between the first and the last reading; a house that reports less often has none."""
    frame = pd.concat([house(uneven(200)).drop(index=[50, 51]), house(uneven(200), "b").drop(index=[199])])
    alone = house(uneven(200)).drop(index=[1, 2, 198])
    assert said(read(alone))["gaps"][:2] == (3, "Missing readings: 3 (1.39 %)")
    rare = house(uneven(200), "rare")[::2]
    told = "Missing readings: 3 (0.463 %)"
    assert said(read(pd.concat([frame, rare])))["gaps"] == (3, told, "left as gaps: learning invents nothing")


def test_columns_that_are_no_houses_are_counted_and_six_are_named() -> None:
    names = ["total", "price", "weather", "wind", "rain", "cost", "flag"]
    frame = house(uneven(48)).drop(columns="house").assign(**dict.fromkeys(names, 1.0))
    told = "Columns that are no house's use: total, price, weather, wind, rain, cost"
    assert said(read(frame))["columns"] == (7, told, "left out")


def test_dead_constant_and_rare_houses_are_told_apart() -> None:
    frame = pd.concat(
        [
            house(uneven(200)),
            house(uneven(200), "b"),
            house(np.zeros(200), "dead"),
            house(np.full(200, 0.25), "constant"),
            house(uneven(200), "rare")[::2],
        ]
    )
    readings = read(frame)
    assert readings.houses == ("a", "b", "dead", "constant")
    assert readings.usable.tolist() == [True, True, False, False]
    assert said(readings) == {
        "dead": (1, "Dead meters, nothing but zero: 1", "replayed; not learned from"),
        "constant": (1, "Meters that never change: 1", "replayed; not learned from"),
        "interval": (1, "Houses that report less often than every 60 minutes: 1", "left out"),
    }


def test_what_is_taken_for_granted_is_said() -> None:
    frame = house(uneven(7 * 24)).rename(columns={"kWh": "value", "time": "interval end"})
    stamps = (frame["interval end"] + pd.Timedelta(80, "min")).dt.strftime("%Y-%m-%dT%H:%MZ")
    assert said(read(frame.assign(**{"interval end": stamps}))) == {
        "unit": (1, "No column says its unit", "taken as kWh; say so if it is another"),
        "utc": (1, "Times are in UTC", "left so; name a time zone to have local days"),
        "ends": (1, "A time is that of its interval's end", "moved back 60 minutes"),
        "moved": (20, "Times stand 20 minutes past the clock's grid", "moved back onto it"),
    }


def test_all_days_on_which_clocks_changed_are_named() -> None:
    whole = house(uneven(15 * 24))
    skipped = pd.to_datetime(["2024-05-12 02:00", "2024-05-19 02:00"])
    words = "2024-05-12, 2024-05-19: the clock went forward"
    assert said(read(whole[~whole["time"].isin(skipped)]))["clock"][:2] == (2, words)


def test_a_house_that_mostly_uses_nothing_has_no_outliers() -> None:
    values = np.zeros(201)
    values[7] = 5.0
    assert "outliers" not in said(read(house(values)))
