"""Small files of readings to read: two houses, two days of half-hours, in many ways of writing."""

import gzip
import io

import numpy as np
import pandas as pd

HOUSES, DAYS = 2, 2
HEADER = b"house,time,kWh\n"


def table(
    minutes: int = 30, start: str = "2024-05-06", houses: int = HOUSES, days: int = DAYS
) -> pd.DataFrame:
    """Long: house, time, kWh. What is used can be told from when and where."""
    times = pd.date_range(start, periods=days * 1440 // minutes, freq=f"{minutes}min")
    value = np.arange(houses * len(times)).reshape(houses, -1) * 17 % 37 / 64 + 1 / 64
    return pd.DataFrame(
        {
            "house": np.repeat([f"h{i}" for i in range(houses)], len(times)),
            "time": np.tile(times.to_numpy(), houses),
            "kWh": value.ravel(),
        }
    )


def expected(frame: pd.DataFrame, minutes: int = 30) -> np.ndarray:
    """kW, (houses, steps)."""
    return frame["kWh"].to_numpy().reshape(frame["house"].nunique(), -1) * 60 / minutes


def csv(
    frame: pd.DataFrame,
    form: str = "%Y-%m-%d %H:%M:%S",
    *,
    encoding: str = "utf-8",
    sep: str = ",",
    decimal: str = ".",
) -> bytes:
    return str(frame.to_csv(index=False, date_format=form, sep=sep, decimal=decimal)).encode(encoding)


def wide(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.pivot(index="time", columns="house", values="kWh").reset_index()


def parquet(frame: pd.DataFrame) -> bytes:
    buffer = io.BytesIO()
    frame.to_parquet(buffer, index=False)
    return buffer.getvalue()


def bomb(block: bytes) -> bytes:
    """A small gzip file that unpacks to a header and 128 times the same block."""
    return gzip.compress(HEADER) + 128 * gzip.compress(block, compresslevel=6)
