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

from rtp import PRESETS, Day, Scenario, simulate
from rtp.cli.main import main
from rtp.core.tables import to_csv
from rtp.figures.tradeoff import lines_figure
from rtp.mechanisms import REGISTRY, private
from rtp.output.report import report
from rtp.scenario.describe import origin
from rtp.sweep.plan import make
from rtp.sweep.run import day_seed
from rtp.sweep.whatif import compute
from tests.help.app import figures, number, opened, said, shown
from tests.help.reading import readable

RUNS = [(preset, days) for preset in ("paper", "mansions") for days in (1, 2)]
WRONG = "What if the model is wrong?"
NUMBER = r"([\d.,]+ %)"


def scenario_of(preset: str, days: int) -> Scenario:
    return PRESETS[preset].replace(households=40, days=days)


@cache
def day_of(preset: str, days: int) -> Day:
    return simulate(scenario_of(preset, days))


def digits(share: float) -> str:
    return f"{100 * share:.3g} %"


def errors(day: Day) -> dict[str, str]:
    """This day's, by mechanism."""
    found = {}
    for name in private():
        release = day.release[name]
        off = (release.rate - release.optimal) / release.optimal
        found[name] = digits(float(np.sqrt(np.mean(off**2))))
    return found


def expected(day: Day) -> dict[str, str]:
    """On average over the noise, by mechanism."""
    return {
        name: digits(np.sqrt(96 * day.scenario.days) * day.release[name].expected_rmsre) for name in private()
    }


@pytest.mark.parametrize(("preset", "days"), RUNS)
def test_explore_says_one_error_in_cards_sentence_hints_and_chart(preset: str, days: int) -> None:
    every_rate = ".".join(REGISTRY)
    app = opened(preset=preset, households="40", days=str(days), rates=every_rate)
    day = day_of(preset, days)
    cards = {f"{name.capitalize()} error": error for name, error in errors(day).items()}
    assert cards.items() <= shown(app).items()
    for name in private():
        rmsre = day.release[name].rmsre
        (hover,) = [m.help for m in app.metric if m.label == f"{name.capitalize()} error"]
        assert f"RMSRE {f'{rmsre:.4g}'.rstrip('0')}. The error says" in hover
    hints = {m.label: re.search(f"On average: {NUMBER};", m.help) for m in app.metric}
    for name, error in expected(day).items():
        hint = hints[f"{name.capitalize()} error"]
        assert hint is not None
        assert hint[1] == error
    (sentence,) = re.findall(
        f"misses the optimal one by {NUMBER} of its value .*? it is {NUMBER},", said(app)
    )
    assert sentence == (errors(day)["blowfish"], expected(day)["blowfish"])
    (chart,) = [line for line in readable(app) if line.startswith("Charts over")]
    assert f"Naive {errors(day)['naive']}, Blowfish {errors(day)['blowfish']}," in chart


@pytest.mark.parametrize(("preset", "days"), [RUNS[0], RUNS[-1]])
def test_trade_off_says_the_same_in_lines_words_and_the_wrong_model(preset: str, days: int) -> None:
    day = day_of(preset, days)
    street = {"preset": preset, "households": "40", "days": str(days)}
    app = opened("Trade-off", **street)
    right = {name: error for name, error in expected(day).items() if name != "threshold"}
    curve, *_ = [line for line in readable(app) if line.startswith("Expected error over ε")]
    words = ", ".join(f"{name.capitalize()} {error}" for name, error in right.items())
    assert f"At ε = {day.scenario.epsilon:g}: {words}." in curve
    lines = {
        trace["name"]: trace for trace in figures(app)[0]["data"] if trace.get("mode") == "lines+markers"
    }
    for name, error in right.items():
        x, y = (np.array(lines[name.capitalize()][axis]) for axis in "xy")
        assert digits(float(y[np.argmin(abs(x - day.scenario.epsilon))]) / 100) == error
    asked = 100 * simulate(PRESETS[preset]).release["blowfish"].expected_error  # of the preset, not edited
    assert float(number(app, "accepted error")["text"]) == float(f"{asked:.2g}")
    wrong = opened("Trade-off", tab=WRONG, **street)
    (told,) = re.findall(
        f"Filtered errs by {NUMBER} instead of {NUMBER}, .*? same noise errs by {NUMBER}", said(wrong)
    )
    assert told[1:] == (right["filtered"], right["calibrated"])


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
        cells = re.findall(f"<tr><td>{name.capitalize()}</td><td>{NUMBER}<br>.*?</td><td>{NUMBER}<br>", page)
        assert cells == [(now[name], luckless[name])]
        assert re.findall(rf"^{name} +{NUMBER} +{NUMBER}", printed, re.M) == [(now[name], luckless[name])]
        assert digits(float(np.sqrt(np.mean(table[f"{name}_error_percent"] ** 2))) / 100) == now[name]


@pytest.mark.parametrize(("preset", "days"), RUNS)
def test_a_map_draws_the_mean_of_the_errors_of_its_days(preset: str, days: int) -> None:
    scenario, epsilon = scenario_of(preset, days), 0.3
    found = compute(make(scenario, {"epsilon": [epsilon, 1.0]}, 2), lambda *_: None)
    seeds = [day_seed(scenario.seed, k) for k in range(2)]
    simulated = [simulate(scenario.replace(epsilon=epsilon, seed=seed)).release["naive"] for seed in seeds]
    mean = np.mean([np.sqrt(np.mean((r.rate / r.optimal - 1) ** 2)) for r in simulated])
    figure = lines_figure(found, "rmsre").figure
    (line,) = [trace for trace in figure.data if trace.name == "Naive"]
    assert digits(line.y[0] / 100) == digits(float(mean))
    assert digits(found.frame().query("mechanism == 'naive'")["error_percent"].iloc[0] / 100) == digits(
        float(mean)
    )
