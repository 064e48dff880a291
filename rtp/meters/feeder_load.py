"""A feeder's own load: what a typical day of it looks like, and the tariff that gives it a range of prices.

The file has a column of times and one of load, or one for each of its parts, which are added up; it is read
as readings are, so units, clocks and ways of writing are understood. At every time of the day the typical
load is the mean over all days that have it. The least of these means is to have the lowest price and the
largest the highest, as on a scenario's typical day (`rtp.money.price_range`).
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rtp.core.types import Floats
from rtp.meters.reading import read
from rtp.money.price_range import PriceLine, PriceRange, price_line
from rtp.scenario import ScenarioError

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd


@dataclass(frozen=True, kw_only=True)
class FeederLoad:
    """A feeder's load in kW."""

    load: Floats  # (n,) of every step that has one
    typical: Floats  # (steps of a day,) the mean over days

    def outside(self, line: PriceLine, prices: PriceRange) -> float:
        """Return the share of steps at which a tariff's optimal rate leaves a range of prices."""
        rate = line.alpha * self.load + line.beta
        slack = 1e-9 * prices.high  # a load at the end of the range is inside, however it was rounded
        return float(np.mean((rate < prices.low - slack) | (rate > prices.high + slack)))

    def price_line(self, prices: PriceRange) -> PriceLine:
        """Return the tariff that gives its typical day this range of prices."""
        return price_line(self.typical, prices)


def read_load(source: "str | Path | bytes | pd.DataFrame", unit: str | None = None) -> FeederLoad:
    """Return a feeder's load from a file, its bytes or a table. Without a unit, said or written, it is kW."""
    readings = read(source, unit=unit)
    if any(finding.what == "unit" for finding in readings.findings):
        readings = read(source, unit="kW")
    load = readings.power.sum(axis=0, dtype=float)
    days = load.reshape(-1, readings.steps_per_day)
    known = np.isfinite(days)
    counted = known.sum(axis=0)
    if not counted.all():
        raise ScenarioError(
            "The load",
            f"is missing at {int((counted == 0).sum())} times of every day; it must have them all.",
        )
    typical = np.where(known, days, 0.0).sum(axis=0) / counted
    return FeederLoad(load=load[np.isfinite(load)], typical=typical)
