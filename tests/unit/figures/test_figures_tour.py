"""The tour's pictures: every curve and bar is the number that its stop speaks of."""

import numpy as np

from rtp import PRESETS, Scenario, simulate
from rtp.figures.story import (
    HABITS,
    Bar,
    Believed,
    cost_figure,
    shares_figure,
    story_beliefs_figure,
    story_noise_figure,
)
from rtp.mechanisms import FEATURED, YARDSTICK
from rtp.teaching.threat import stake, story_street
from rtp.tradeoff import curve
from tests.unit.figures.look import panel_titles, trace, traces


def test_beliefs_stand_beside_the_truth_and_say_how_often_they_are_right() -> None:
    day = simulate(story_street(Scenario()))
    own = stake(day, 0)
    believed = [Believed(HABITS, own.guess, "#000000"), Believed("Hers", own.unprotected, "#111111")]
    figure, words = story_beliefs_figure(day, own, believed, price=True)
    assert trace(figure, "Price").y.tolist() == day.release["optimal"].rate.tolist()
    assert trace(figure, "Hers").y.tolist() == own.unprotected.tolist()
    assert len(traces(figure, "Truth")) == 2
    assert panel_titles(figure) == [
        "The public price",
        "Habits: right 68 % of this day",
        "Hers: right 100 % of this day",
    ]
    assert "Hers: right 100 % of this day" in words


def test_noise_and_protected_houses_are_the_releases_own() -> None:
    day = simulate(PRESETS["quiet night"].replace(households=40))
    figure, words = story_noise_figure(day)
    protected, *_ = traces(figure, "Blowfish")
    assert protected.y.tolist() == day.release[FEATURED].protected.tolist()
    assert traces(figure, "Blowfish")[1].y.tolist() == day.release[FEATURED].scale.tolist()
    assert trace(figure, "Naive").y.tolist() == day.release[YARDSTICK].scale.tolist()
    assert [(line.hoverinfo, line.hovertemplate) for line in figure.data[1:]] == [(None, "%{y:.3f}")] * 2
    assert "protects 0 to 40 of them" in words


def test_the_cost_is_the_expected_error_in_percent() -> None:
    lines = curve(Scenario(households=20), [0.1, 1.0], days=2)
    figure, words = cost_figure(lines, [YARDSTICK, FEATURED], 0.5)
    np.testing.assert_allclose(trace(figure, "Naive").y, 100 * lines.typical[YARDSTICK].expected)
    assert list(trace(figure, "ε = 0.5 now").x) == [0.5, 0.5]
    assert "the smaller ε, the more" in words


def test_bars_say_their_shares_and_margins() -> None:
    figure, words = shares_figure({"Habits": Bar(0.81, 0.01), "Price": Bar(0.92, 0.02)}, "Right")
    (bars,) = figure.data
    assert list(bars.x) == [0.81, 0.92]
    assert list(bars.y) == ["Habits · 81 %", "Price · 92 %"]
    assert list(bars.error_x.array) == [0.01, 0.02]
    assert words == "Right (50 % is guessing): Habits 81 %, Price 92 %."
    assert figure.layout.xaxis.title.text == "Right<br>(50 % is guessing)"
