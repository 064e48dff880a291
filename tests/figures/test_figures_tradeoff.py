"""The curve and the bills, as drawn."""

import numpy as np
import pytest

from rtp import Scenario
from rtp.figures import style
from rtp.figures.money import change_figure
from rtp.figures.tradeoff import curve_alt, curve_figure
from rtp.mechanisms import private
from rtp.tradeoff import Curve, Line, curve

LINES = curve(Scenario(households=50), (0.1, 0.5, 1.0), 50)


def test_lines_are_expected_errors_and_bands_hold_the_days() -> None:
    figure = curve_figure(LINES, 0.5, log=True, target=0.01)
    traces = {trace.name: trace for trace in figure.data if trace.name}
    for name in private():
        assert traces[style.label(name)].y.tolist() == LINES.lines[name].expected.tolist()
        assert "markers" in traces[style.label(name)].mode  # or it could not be clicked
    bands = {trace.legendgroup: trace for trace in figure.data if trace.fill}
    assert set(bands) == set(private()) - {"forecast"}
    for name, band in bands.items():
        line = LINES.lines[name]
        assert band.y.tolist() == [*line.high, *line.low[::-1]]
    assert list(traces["ε = 0.5 now"].x) == [0.5, 0.5]
    assert list(traces["accepted 0.01"].y) == [0.01, 0.01]


def test_what_is_not_finite_is_not_drawn() -> None:
    nothing = np.full(3, np.inf)
    broken = Line(expected=nothing, today=nothing, low=nothing, high=nothing)
    figure = curve_figure(Curve(epsilons=LINES.epsilons, days=50, lines={"naive": broken}), 0.5, log=True)
    assert [trace.name for trace in figure.data] == ["Naive"]
    assert np.isnan(figure.data[0].y).all()


def test_the_right_belief_is_dotted_for_those_that_believe() -> None:
    figure = curve_figure(LINES, 0.5, log=True, right=LINES)
    dotted = [trace.name for trace in figure.data if trace.line.dash == style.BASELINE_DASH]
    assert dotted == ["Filtered, true model", "Forecast, true model"]


def test_the_words_give_the_errors_at_the_budget() -> None:
    assert f"Blowfish {LINES.lines['blowfish'].expected[1]:.2e}" in curve_alt(LINES, 0.5)


@pytest.mark.parametrize("today", [np.linspace(-3, 5, 200), np.zeros(10)])
def test_all_of_todays_households_are_in_the_bars(today: np.ndarray) -> None:
    bars, line = change_figure(today, np.concatenate([today, today + 0.1]), "blowfish", "a day", 2).data
    assert sum(bars.y) == pytest.approx(1.0)
    assert sum(line.y) <= 1.0 + 1e-12
    share = bars.y[bars.x > 0].sum() if today.any() else None
    assert share is None or share == pytest.approx(np.mean(today > 0), abs=2 * bars.y.max())
