"""The curve and the bills, as drawn."""

import numpy as np
import pytest

from rtp import Scenario
from rtp.core.stats import Range
from rtp.core.types import Floats
from rtp.figures import style
from rtp.figures.style import PinMark
from rtp.figures.tradeoff import PinnedCurve, change_figure, curve_figure
from rtp.mechanisms import FEATURED, private
from rtp.metrics import ERROR_AXIS, error_lines
from rtp.money.summary import BillChange, Summary
from rtp.tradeoff import Curve, Line, curve
from tests.unit.figures.look import axis_titles, hovers

LINES = curve(Scenario(households=50), (0.1, 0.5, 1.0), 50)


def test_lines_are_expected_errors_and_bands_hold_the_days() -> None:
    figure = curve_figure(LINES, 0.5, log=True, target=1.5).figure
    traces = {trace.name: trace for trace in figure.data if trace.name}
    for name in private():
        percents = 100 * (np.sqrt(96) * LINES.lines[name].expected)
        assert traces[style.label(name)].y.tolist() == percents.tolist()
        assert "markers" in traces[style.label(name)].mode  # or it could not be clicked
    bands = {trace.legendgroup: trace for trace in figure.data if trace.fill}
    assert set(bands) == set(private()) - {"forecast"}
    for name, band in bands.items():
        line = LINES.lines[name].times(np.sqrt(96)).times(100)
        assert band.y.tolist() == [*line.high, *line.low[::-1]]
    assert list(traces["ε = 0.5 now"].x) == [0.5, 0.5]
    assert list(traces["accepted 1.5 %"].y) == [1.5, 1.5]
    assert list(traces["accepted 1.5 %"].x) == [0.1, 1.0]


def test_what_is_not_finite_is_not_drawn() -> None:
    nothing = np.full(3, np.inf)
    broken = Line(expected=nothing, low=nothing, high=nothing)
    alone = Curve(epsilons=LINES.epsilons, days=50, steps=96, lines={"naive": broken})
    figure = curve_figure(alone, 0.5, log=True).figure
    assert [trace.name for trace in figure.data] == ["Naive"]
    assert np.isnan(figure.data[0].y).all()


def test_no_error_is_left_out_of_a_logarithmic_axis() -> None:
    three = np.array([0.0, 0.01, 0.02])
    line = Line(expected=three, low=three, high=three + 0.01)
    alone = Curve(epsilons=LINES.epsilons, days=50, steps=1, lines={"naive": line})
    drawn, now = curve_figure(alone, 0.5, log=True).traces  # and no band: a day may have no error
    assert drawn["y"].tolist() == [0.0, 1.0, 2.0]
    assert now["y"] == [1.0, 2.0]


def test_the_right_belief_is_dotted_for_those_that_believe() -> None:
    figure = curve_figure(LINES, 0.5, log=True, right=LINES).figure
    dotted = {trace.name: trace.y.tolist() for trace in figure.data if trace.line.dash == style.PINNED_DASH}
    assert dotted == {
        f"{style.label(name)}, true model": (100 * LINES.typical[name].expected).tolist()
        for name in ("filtered", "forecast")
    }


def test_a_pinned_curve_has_a_diamond_where_it_stands() -> None:
    pin = PinMark("Tight", style.PIN_COLOURS[2])
    figure, words = curve_figure(LINES, 0.5, log=True, pins={pin: PinnedCurve(LINES, 0.5)})
    legend, drawn = (trace for trace in figure.data if trace.legendgroup == "pin Tight")
    assert (legend.name, legend.showlegend, drawn.showlegend) == ("Tight", True, False)
    assert drawn.y.tolist() == (100 * LINES.typical[FEATURED].expected).tolist()
    assert {drawn.line.color, drawn.marker.color, legend.line.color} == {pin.colour}
    assert list(drawn.marker.symbol) == ["circle", "diamond", "circle"]
    assert words.endswith(" Dotted: Blowfish of Tight.")


@pytest.mark.parametrize("log", [False, True])
def test_the_axes_are_named_and_both_are_logarithmic_or_neither(log: bool) -> None:
    figure = curve_figure(LINES, 0.5, log).figure
    assert axis_titles(figure) == {"xaxis": "ε — privacy budget per step", "yaxis": ERROR_AXIS}
    assert hovers(figure) == {"%{y:,.3~r} % (%{customdata[0]:,.3~r} % to %{customdata[1]:,.3~r} %)"}
    assert (figure.layout.yaxis.ticksuffix, figure.layout.yaxis.tickformat) == (" %", ",~r")
    assert {figure.layout.xaxis.type, figure.layout.yaxis.type} == {"log" if log else "linear"}
    assert list(figure.data[-1].x) == [0.5, 0.5], "a target is drawn only where one is given"


def test_the_words_give_the_errors_at_the_budget() -> None:
    words = curve_figure(LINES, 0.5, log=True).words
    assert words.startswith(
        "Expected error over ε from 0.1 to 1, with the range of 95 % of 50 days. At ε = 0.5: "
    )
    for name, line in LINES.lines.items():
        assert f"{style.label(name)} {error_lines(line.expected[1], 96).percent}" in words


def summary(changes: Floats) -> Summary:
    """Of which only the changes of bills are drawn; the first household stands for two."""
    nothing = Range(0.0, 0.0, 0.0)
    street = BillChange(houses=1, bill=9.0, mean=Range(201, 0, 0), worst=Range(3000, 0, 0), paying_more=0.6)
    return Summary(
        profit=nothing,
        loss=nothing,
        mismatch=nothing,
        bills=street,
        groups={},
        changes=changes,
        losses=np.zeros(changes.shape[1]),
        group=np.zeros(len(changes), dtype=int),
        weight=np.array([2.0] + [1.0] * (len(changes) - 1)),
        spans=changes.shape[1],
        mean_loss=nothing,
    )


@pytest.mark.parametrize("changes", [np.linspace(-3, 5, 600).reshape(200, 3), np.zeros((10, 3))])
def test_bars_hold_the_households_each_by_its_weight(changes: Floats) -> None:
    (bars,) = change_figure(summary(changes), "blowfish", "a day", Scenario()).figure.data
    assert bars.y.sum() == pytest.approx(1.0, abs=0.005)  # all but the 0.4 % beyond the axis
    edges = np.append(bars.x - bars.width / 2, bars.x[-1] + bars.width[-1] / 2)
    everybody = np.concatenate([changes[:1], changes])
    # A value within rounding of an edge may be counted on either side of it: one household.
    one = 2 / everybody.size + 1e-12
    for low, high, share in zip(edges, edges[1:], bars.y, strict=False):
        expected = np.mean((everybody >= low) & (everybody < high))
        assert share == pytest.approx(expected, abs=one + 0.005 * expected)


def test_the_change_of_bills_is_said_in_three_numbers() -> None:
    changes = np.array([[-2000.0, 0.0], [1.0, 2.0], [0.0, 3000.0]])
    figure, words = change_figure(summary(changes), "blowfish", "a month (30 days)", Scenario())
    assert words == (
        "Distribution of the change of a household's bill over a month (30 days), from 2 repetitions: "
        "mean 201, worst tenth 3,000; 60 % pay more."
    )
    assert hovers(figure) == {"%{y:.1%}"}
    assert axis_titles(figure) == {
        "xaxis": "Change of a household's bill over a month (30 days)",
        "yaxis": "Share of households",
    }
