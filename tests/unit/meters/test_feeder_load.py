"""α and β from the CSV of a feeder's load."""

import numpy as np
import pandas as pd
import pytest

from rtp import ScenarioError
from rtp.meters.feeder_load import read_load
from rtp.money.price_range import PriceRange, price_line

ASKED = PriceRange(0.2, 0.45)


@pytest.mark.parametrize(
    ("column", "times"), [("load", 1.0), ("Load (kW)", 1.0), ("Feeder (W)", 1e3), ("energy kWh", 0.5)]
)
@pytest.mark.parametrize(("delimiter", "decimal"), [(",", "."), (";", ",")])
def test_a_load_gives_the_tariff_of_its_typical_day(
    column: str, times: float, delimiter: str, decimal: str
) -> None:
    """Ten days of half-hours, each a multiple of the typical one; the load is kept to 1e-7 of itself."""
    shape = 100 + 50 * np.sin(2 * np.pi * np.arange(48) / 48)
    load = np.outer([0.9, 1.1, 0.9, 1.1, 0.9, 1.1, 0.9, 1.1, 0.8, 1.2], shape).ravel()
    clock = pd.date_range("2024-02-01", periods=len(load), freq="30min").strftime("%Y-%m-%d %H:%M")
    table = pd.DataFrame({"time": clock, column: load * times})
    found = read_load(table.to_csv(index=False, sep=delimiter, decimal=decimal).encode())
    np.testing.assert_allclose(found.typical, shape, rtol=1e-6)
    line = found.price_line(ASKED)
    assert line[:2] == pytest.approx(price_line(shape, ASKED)[:2], rel=1e-5)
    rate = line.alpha * load + line.beta
    assert found.outside(line, line.prices) == np.mean((rate < ASKED.low) | (rate > ASKED.high)) > 0


def test_parts_of_a_feeder_are_added_up_and_gaps_left_out() -> None:
    clock = pd.date_range("2024-02-01", periods=72, freq="60min").strftime("%Y-%m-%d %H:%M")
    one = np.tile(np.arange(24.0), 3) + 5
    table = pd.DataFrame({"time": clock, "north kW": one, "south kW": 2 * one})
    table.loc[30, "north kW"] = np.nan
    found = read_load(table.to_csv(index=False).encode())
    np.testing.assert_allclose(found.typical, 3 * one[:24])
    assert len(found.load) == 71
    without = table[pd.to_datetime(table["time"]).dt.hour < 20]
    with pytest.raises(ScenarioError, match="The load"):
        read_load(without.to_csv(index=False).encode())
