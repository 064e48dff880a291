"""One run, one number: every error on every screen, in the report, the files and the command line agrees.

The numbers are held against a twin without `rtp.metrics` and `rtp.core.formatting`: the root of the
mean squared relative error of the published rates, in three digits.
"""

import io
import re
from functools import cache

import numpy as np
import pandas as pd
import pytest

from rtp import PRESETS, Day, simulate
from rtp.cli.main import main
from rtp.figures import style
from rtp.mechanisms import FEATURED, REGISTRY, private
from rtp.output.report import report
from rtp.scenario.describe import origin
from rtp.scenario.export import to_csv
from tests.help.app import figures, opened
from tests.help.reading import readable

RUNS = [("paper", 1), ("mansions", 2)]
NUMBER = r"([\d.,]+ %)"


@cache
def day_of(preset: str, days: int) -> Day:
    return simulate(PRESETS[preset].replace(households=40, days=days))


def digits(share: float) -> str:
    return f"{100 * share:.3g} %"


def errors(day: Day) -> dict[str, str]:
    """This day's, by mechanism."""
    off = {name: day.release[name].rate / day.release[name].optimal - 1 for name in private()}
    return {name: digits(float(np.sqrt(np.mean(each**2)))) for name, each in off.items()}


def expected(day: Day) -> dict[str, str]:
    """On average over the noise, by mechanism."""
    return {name: digits(day.release[name].expected_error) for name in private()}


@pytest.mark.parametrize(("preset", "days"), RUNS)
def test_explore_says_one_error_in_picture_claim_and_chart(preset: str, days: int) -> None:
    rates = ".".join(REGISTRY)
    app = opened(preset=preset, households="40", days=str(days), rates=rates)
    day = day_of(preset, days)
    now, luckless = errors(day), expected(day)
    (legend,) = [note["text"] for note in figures(app)[1]["layout"]["annotations"] if "●" in note["text"]]
    said: dict[str, str] = {}
    for line in re.sub(r"<span.*?</span>", "", legend).split("<br>")[1:]:
        ((names, error),) = re.findall(rf"^ (.*?) {NUMBER}", line)
        said |= {{"private": FEATURED}.get(name, name): error for name in names.split(" = ")}
    assert said.keys() == set(private())
    for name, error in said.items():
        if REGISTRY[name].postprocess is None:  # else it also depends on the day's demand
            assert error == luckless[name]
    assert luckless["blowfish"] in re.findall(NUMBER, app.title[0].value.replace("\u00a0", " "))
    assert any(
        f"Naive {now['naive']}, {style.title(FEATURED)} {now['blowfish']}," in line for line in readable(app)
    )


@pytest.mark.parametrize(("preset", "days"), RUNS)
def test_report_table_and_command_line_say_the_same(
    preset: str, days: int, capsys: pytest.CaptureFixture[str]
) -> None:
    day = day_of(preset, days)
    now, luckless = errors(day), expected(day)
    page = report(day)
    assert main(["run", "--preset", preset, "--set", "households=40", "--set", f"days={days}"]) == 0
    printed = capsys.readouterr().out
    table = pd.read_csv(io.StringIO(to_csv(day.frame(), origin(day.scenario))))
    for name in private():
        row = "</td> <td>".join((name.capitalize(), NUMBER, NUMBER))
        cells = re.findall(f"<td>{row}</td>", " ".join(page.split()))
        assert cells == [(now[name], luckless[name])]
        assert re.findall(rf"^{name} +{NUMBER} +{NUMBER}", printed, re.M) == [(now[name], luckless[name])]
        assert digits(float(np.sqrt(np.mean(table[f"{name}_error_percent"] ** 2))) / 100) == now[name]
