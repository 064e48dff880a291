"""The real home that comes with the lab: whole, and its licence with it."""

import numpy as np
import pandas as pd

from rtp.meters import real_home

HOME = real_home.real_home()


def test_every_reading_and_label_of_the_file_is_read() -> None:
    rows = pd.read_csv(real_home.FILE, comment="#")
    assert (len(HOME.houses), HOME.minutes, HOME.date(0), HOME.days) == (1, 15, "2012-06-01", 71)
    np.testing.assert_allclose(np.nansum(HOME.power) / 4, rows["kWh"].sum(), rtol=1e-5)
    assert HOME.occupied is not None
    inside, outside = (
        rows["kWh"].notna() & (rows["occupied"] == 1),
        rows["kWh"].notna() & (rows["occupied"] == 0),
    )
    assert [(HOME.occupied == state).sum() for state in (1, 0)] == [inside.sum(), outside.sum()]
    head = real_home.text()[:500]
    assert all(each in head for each in ("ECO", "household 2", "ETH Zurich", real_home.LICENCE))
