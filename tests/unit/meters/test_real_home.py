"""The real home that comes with the lab is whole, and its licence with it."""

import numpy as np
import pandas as pd

from rtp.meters import real_home


def test_every_reading_and_label_of_the_file_is_read() -> None:
    rows, home = pd.read_csv(real_home.FILE, comment="#"), real_home.real_home()
    assert (home.minutes, home.date(0), home.days) == (15, "2012-06-01", 71)
    np.testing.assert_allclose(home.power[0], rows["kWh"] * 4, rtol=1e-4)
    assert home.occupied is not None
    np.testing.assert_array_equal(home.occupied[0], rows["occupied"].where(rows["kWh"].notna()).fillna(-1))
    assert all(each in real_home.text()[:500] for each in ("ECO", "ETH Zurich", real_home.LICENCE))
