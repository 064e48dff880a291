"""The real home that comes with the lab: whole, its licence with it, and drawn as it is."""

import numpy as np
import pandas as pd

from rtp.figures.meters import home_figure
from rtp.meters import real_home
from rtp.meters.at_home import at_home

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


def test_its_picture_shows_truth_only_where_somebody_said_it_and_only_when_revealed() -> None:
    found = at_home(HOME)
    bare, whole = (
        home_figure(found, 0, 11, 2, learned=learned) for learned in (False, True)
    )  # 12 and 13 June
    assert [trace["name"] for trace in bare.traces] == ["Use"]
    stripes = {trace["name"]: trace["y"] for trace in whole.traces if trace.get("yaxis") == "y3"}
    in_or_out = sum(stripes.values()).reshape(2, -1)
    assert (in_or_out[0] == 0).all(), "nobody said anything on the twelfth"
    assert (in_or_out[1] == 1).all()
    assert whole.figure
    believed = next(trace["y"] for trace in whole.traces if trace["name"] == "Learned: at home")
    some = slice(11 * len(believed) // 2, 13 * len(believed) // 2)
    np.testing.assert_array_equal(believed, found.at_home[0, some])
