"""Command line, sweep and report on a street with everything unusual at once."""

import csv
import io
from argparse import Namespace
from pathlib import Path

import pytest

from rtp import Habits, House, OccupancyModel, Scenario, simulate
from rtp.cli.main import main
from rtp.cli.options import chosen
from rtp.output.report import report
from rtp.scenario import PAPER_PERIODS, edit, period
from rtp.scenario.describe import digest
from rtp.scenario.fields import put
from rtp.sweep import sweep

HOURLY = tuple(period(f"P{i}", float(i), leave=0.1, arrive=0.3) for i in range(24))
STREET = edit.with_houses(
    Scenario(
        days=2,
        first_weekday="Friday",
        step_minutes=30,
        power_unit="kW",
        currency="EUR",
        alpha=0.0004,
        beta=0.11,
        models=(OccupancyModel(habits=(Habits(periods=HOURLY, weekend=PAPER_PERIODS),)),),
    ),
    [
        House(name=f"H{i}", group="Households", occupied=1 + i / 10, empty=0.1, left_out=i == 5)
        for i in range(6)
    ],
)


def test_the_command_line_runs_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, table = tmp_path / "street.json", tmp_path / "day.csv"
    file.write_text(STREET.to_json(), encoding="utf-8")
    assert main(["run", str(file), "--csv", str(table)]) == 0
    assert capsys.readouterr().out.startswith("5 households, 2 days, ε = 0.5, seed 0\n")
    rows = list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8"))))
    day = simulate(STREET)
    assert [float(row["blowfish_rate_EUR_per_kWh"]) for row in rows] == day.release["blowfish"].rate.tolist()
    assert (rows[0]["period"], rows[48]["period"]) == ("P0", "Night"), "Friday, and the weekend's night"
    assert rows[0]["lab_scenario"] == digest(STREET)
    assert main(["run", str(file), "--set", "households=9"]) == 2
    assert "it must be 5, the houses listed and not left out" in capsys.readouterr().err


def test_a_table_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "street.csv"
    table.write_text(
        "house;group;occupied;empty\nA;Households;1,2;0,1\nB;Households;4;0,1\n", encoding="utf-8"
    )
    assert main(["run", "--street", str(table), "--set", "step_minutes=60"]) == 0
    assert capsys.readouterr().out.startswith("2 households, one day, ε = 0.5, seed 0\n")
    table.write_text("house;group;occupied;empty\nA;Households;=1;0,1\n", encoding="utf-8")
    assert main(["run", "--street", str(table)]) == 2
    assert "Row 2, column occupied holds a formula; paste its value." in capsys.readouterr().err


def test_another_step_by_its_address_restates_what_is_per_step(tmp_path: Path) -> None:
    slow = period("All day", 0.0, leave=0.1, arrive=0.2, basis="step")
    scenario = Scenario(models=(OccupancyModel(habits=(Habits(periods=(slow,)),)),))
    hourly = put(scenario, "step_minutes", 60)
    assert hourly.models[0].habits[0].periods[0].leave == pytest.approx(1 - 0.9**4)
    file = tmp_path / "street.json"
    file.write_text(scenario.to_json(), encoding="utf-8")
    assert chosen(Namespace(scenario=file, preset=None, set=["step_minutes=60"], street=None)) == hourly


def test_a_sweep_and_a_report_of_it() -> None:
    finished = [result for result in sweep(STREET, {"epsilon": [0.5, 1.0]}, days=2) if result.finished]
    assert {result.values["epsilon"] for result in finished} == {0.5, 1.0}
    assert "H4 (Households, bound 1.4 kW)" in report(simulate(STREET))
