"""Command line, sweep and report on a street with everything unusual at once."""

import csv
import io
import re
from argparse import Namespace
from pathlib import Path

import numpy as np
import pytest

from rtp import Day, Habits, House, OccupancyModel, Scenario, simulate
from rtp.attack.adversary import posterior
from rtp.audit.exact import exact_loss
from rtp.cli.main import main
from rtp.cli.options import chosen
from rtp.figures.attack import belief_figure, privacy_account_figure, street_figure
from rtp.figures.households import bounds_figure, occupancy_figure
from rtp.leakage.composition import privacy_account
from rtp.leakage.moment import moment_leakage
from rtp.leakage.words import account_words, moment_words
from rtp.output.audit import spent_frame
from rtp.output.report import report
from rtp.output.roster import house_names
from rtp.output.words import noise_story
from rtp.scenario import PAPER_PERIODS, edit, period
from rtp.scenario.describe import digest
from rtp.scenario.fields import put
from rtp.sweep import sweep
from rtp.teaching.threat import beliefs_at, price_words, stake, threat

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
    assert chosen(Namespace(scenario=file, preset=None, set=["step_minutes=60"], street=[])) == hourly


def test_a_sweep_and_a_report_of_it() -> None:
    finished = [result for result in sweep(STREET, {"epsilon": [0.5, 1.0]}, days=2) if result.finished]
    assert {result.values["epsilon"] for result in finished} == {0.5, 1.0}
    assert "H4 (Households, bound 1.4 kW)" in report(simulate(STREET))


NAMES = ("Ash", "Birch", "Cedar", "Damson", "Elm")
NAMED = edit.with_houses(
    Scenario(step_minutes=60),
    [House(name=name, group="Households", occupied=1 + i / 4, empty=0.1) for i, name in enumerate(NAMES)],
)
BY_NUMBER = re.compile(r"[Hh]ouses? (\d|%\{y\})")


def texts(day: Day) -> dict[str, str]:
    """What is written about single houses, by where."""
    insider = posterior(day, "naive", adversary="insider")
    losses = {"naive": exact_loss(day, "naive")}
    account = privacy_account(day, losses["naive"])
    states = np.zeros((24, 5), dtype=bool)
    pair = insider.only(2), insider.only(2)
    street = street_figure(day, insider, np.arange(5), None)
    stripes = occupancy_figure(day, np.arange(3), states[:, :3], np.ones(24, dtype=int), None)
    budget = privacy_account_figure(day, losses, account)
    story = threat(day, stake(day))
    price = price_words(story, day, 9, beliefs_at(day, story.stake, 9))
    return {
        "worst moment": moment_words(day, moment_leakage(day, "naive", 1)),
        "account": account_words(day, account, 3),
        "budget": f"{budget.words} {[trace.get('name') for trace in budget.traces]}",
        "audit": str(spent_frame(day, losses).to_dict()),
        "belief": belief_figure(day, pair, states[:, 2], 5).words,
        "street": f"{street.words} {street.layout['yaxis']['ticktext']} {next(iter(street.traces))}",
        "bounds": str(bounds_figure(day, 4).layout["annotations"]),
        "stripes": str([trace["y"] for trace in stripes.traces if trace["type"] == "heatmap"]),
        "noise": " ".join(noise_story(day)),
        "stake": price,
        "roster": str(house_names(day.scenario)),
    }


def test_listed_houses_are_named_wherever_one_is_meant() -> None:
    """Today's sentences of a drawn street have its numbers, so that a place that has none is noticed."""
    named, drawn = texts(simulate(NAMED)), texts(simulate(NAMED.replace(houses=None)))
    for place, text in named.items():
        assert any(name in text for name in NAMES), place
        assert not BY_NUMBER.search(text), f"{place}: {text}"
        assert place == "audit" or BY_NUMBER.search(drawn[place]), place


@pytest.mark.long
def test_the_command_line_names_listed_houses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "street.json"
    file.write_text(NAMED.to_json(), encoding="utf-8")
    questions = ["--secret", "holiday", "--watch", "1", "--lives", "100", "--crowd", "0.01", "--house", "3"]
    assert main(["overtime", str(file), *questions]) == 0
    out = capsys.readouterr().out
    assert out.count("Damson") >= 3
    assert not BY_NUMBER.search(out)
