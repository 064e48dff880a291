"""CSV gives every number back, no cell of it is a formula, and it says which lab made it."""

import csv
import io

import pandas as pd
import pytest

from rtp import Scenario, simulate
from rtp.core.tables import neutral, to_csv
from rtp.scenario.describe import origin
from rtp.version import VERSION


def test_csv_gives_every_number_back_to_the_last_bit() -> None:
    day = simulate(Scenario(households=20))
    rows = list(csv.DictReader(io.StringIO(to_csv(day.frame(), origin(day.scenario)))))
    assert [float(row["filtered_rate"]) for row in rows] == day.release["filtered"].rate.tolist()
    assert [float(row["occupancy"]) for row in rows] == day.occupancy.tolist()
    assert rows[28]["time"] == "07:00"
    assert {row["lab_version"] for row in rows} == {VERSION}


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "Night\r=1", "\n=1"])
def test_no_text_can_start_a_formula(text: str) -> None:
    frame = simulate(Scenario(households=2)).frame()
    frame["period"] = text
    frame[text] = 1.0
    rows = list(csv.reader(io.StringIO(to_csv(frame, {"lab_seed": 0}), newline="")))
    assert len(rows) == 97
    for cell in (rows[0][-2], rows[1][2]):
        assert cell == neutral(text)
        assert not cell.strip().startswith(("=", "+", "-", "@"))


def test_ordinary_text_and_negative_numbers_stay_as_they_are() -> None:
    assert neutral("Night") == "Night"
    table = pd.DataFrame({"text": ["=1", "a"], "change": [-1.5, 0.0], "count": [-1, 2], "on": [True, False]})
    assert to_csv(table, {"lab_seed": 7}) == (
        "text,change,count,on,lab_seed\n'=1,-1.5,-1,True,7\na,0.0,2,False,7\n"
    )
