"""Listed houses are called by their names on every screen, in reports and on the command line."""

import csv
import io
import re
from pathlib import Path

import numpy as np
import pytest

from rtp import Day, House, Scenario, simulate
from rtp.attack.adversary import posterior
from rtp.attack.words import limit_words
from rtp.audit.exact import exact_loss
from rtp.audit.words import spent_frame
from rtp.cli.main import main
from rtp.figures.attack import belief_figure, privacy_account_figure, street_figure
from rtp.figures.households import bounds_figure, occupancy_figure
from rtp.leakage.composition import privacy_account
from rtp.leakage.moment import moment_leakage
from rtp.leakage.words import account_words, moment_words
from rtp.output.report import report
from rtp.output.roster import house_names
from rtp.output.words import noise_story
from rtp.scenario import edit
from rtp.teaching.threat import beliefs_at, price_words, stake, threat

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
        "limit": limit_words(posterior(day, "naive", adversary="outsider"), day.scenario),
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


def test_the_command_line_names_them_and_restates_another_step(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, table = tmp_path / "street.json", tmp_path / "day.csv"
    unusual = NAMED.replace(days=2, first_weekday="Friday", power_unit="kW", currency="EUR")
    file.write_text(edit.set_weekend(unusual, 0, 0, True).to_json(), encoding="utf-8")
    assert main(["run", str(file), "--set", "step_minutes=30", "--csv", str(table)]) == 0
    rows = list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8"))))
    assert len(rows) == 96
    assert "blowfish_rate_EUR_per_kWh" in rows[0]
    assert main(["run", str(file), "--set", "households=9"]) == 2
    assert "households" in capsys.readouterr().err
    assert "Elm" in report(simulate(unusual))
