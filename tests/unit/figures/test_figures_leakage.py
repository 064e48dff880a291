"""The pictures of what rates tell over time, and their words."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from scipy.optimize import brentq

from rtp import PRESETS, Day, Scenario, simulate
from rtp.core.formatting import percent, plain
from rtp.figures import style
from rtp.figures.leakage import (
    AXIS,
    composition_figure,
    crowd_figure,
    detection_figure,
    moment_figure,
    price_figure,
)
from rtp.leakage.budget import MomentLine, MomentPrice, epsilon_for_moment, joined_prices, price_of_a_moment
from rtp.leakage.composition import compositions
from rtp.leakage.crowd import noise_still_needed, scale_text
from rtp.leakage.detection import detect_daily
from rtp.leakage.moment import giveaway, moment_leakage
from rtp.mechanisms import REGISTRY, private
from rtp.metrics import ERROR_AXIS
from rtp.simulation import draw_day, market
from rtp.tradeoff import curve
from tests.unit.figures.look import axis_titles
from tests.unit.tradeoff.streets import certain_street

pytestmark = pytest.mark.slow

FEW = Scenario(households=6, epsilon=0.3)
KNOWN = market(FEW, draw_day(FEW))


@pytest.fixture(scope="module")
def price() -> MomentPrice:
    return joined_prices(price_of_a_moment(FEW, [0.1, 1.0]), price_of_a_moment(FEW, [0.3]))


def test_a_joined_budget_is_as_if_always_there(price: MomentPrice) -> None:
    whole = price_of_a_moment(FEW, [0.1, 0.3, 1.0])
    again = joined_prices(whole, whole)
    assert price.epsilons.tolist() == again.epsilons.tolist() == [0.1, 0.3, 1.0]
    for name, line in whole.lines.items():
        for other in (price.lines[name], again.lines[name]):
            np.testing.assert_allclose(other.leak, line.leak, rtol=1e-12)
            np.testing.assert_allclose(other.rmsre, line.rmsre, rtol=1e-12)


def test_points_are_the_leak_and_the_error_of_their_budget(price: MomentPrice) -> None:
    picture = price_figure(price, FEW.steps, 0.3, True, 2.0)
    assert all(isinstance(trace.get("customdata", []), list) for trace in picture.spec["data"])
    figure = picture.figure
    traces = {trace.name: trace for trace in figure.data}
    errors = curve(FEW, [0.1, 0.3, 1.0], 2).typical
    for name in (n for n in private() if n != "forecast"):
        trace = traces[style.label(name)]
        again = price_of_a_moment(FEW, [0.1, 0.3, 1.0]).lines[name]
        np.testing.assert_allclose(trace.x, again.leak, rtol=1e-9)
        np.testing.assert_allclose(trace.y, 100 * errors[name].expected, rtol=1e-9)
        assert [row[0] for row in trace.customdata] == [0.1, 0.3, 1.0]
        assert list(trace.marker.symbol) == ["circle", "diamond", "circle"]
    level = traces["Forecast, no leak"]
    assert list(level.y) == pytest.approx([100 * errors["forecast"].expected[0]] * 2)
    assert list(traces["accepted 2 %"].y) == [2.0, 2.0]
    assert axis_titles(figure) == {"xaxis": AXIS, "yaxis": ERROR_AXIS}
    assert figure.layout.xaxis.type == figure.layout.yaxis.type == "log"


def test_the_curve_leads_back_to_the_budget_of_a_leak(price: MomentPrice) -> None:
    """`epsilon_for_moment` asked with a point's leak gives the point's budget and error."""
    line = price.lines["blowfish"]
    found = epsilon_for_moment(FEW, "blowfish", float(line.leak[1]))
    assert found.epsilon == pytest.approx(0.3, rel=1e-9)
    assert found.rmsre == pytest.approx(line.rmsre[1], rel=1e-8)


def test_the_words_give_error_and_leak_at_the_budget(price: MomentPrice) -> None:
    words = price_figure(price, FEW.steps, 0.3, False).words
    assert words.startswith("Expected error over the leak of the most exposed moment. At ε = 0.3: ")
    for name, line in price.lines.items():
        error = percent(float(np.sqrt(96) * line.rmsre[1]))
        assert f"{style.label(name)} {error} at a leak of {plain(line.leak[1])}" in words


def test_a_street_without_secrets_has_levels_only() -> None:
    scenario = certain_street()
    found = price_of_a_moment(scenario, [0.1, 1.0], street_day=draw_day(scenario))
    names = [trace.name for trace in price_figure(found, scenario.steps, 0.1, True).figure.data]
    assert names == [f"{style.label(name)}, no leak" for name in private()]


def test_only_finite_leaks_are_points_and_levels_reach_across_them() -> None:
    leaks = {
        "naive": (0.2, np.inf),
        "blowfish": (np.inf, np.inf),
        "calibrated": (0.0, 0.5),
        "forecast": (0, 0),
    }
    found = MomentPrice(
        epsilons=np.array([0.1, 1.0]),
        lines={
            name: MomentLine(leak=np.array(leak, dtype=float), rmsre=np.array([0.02, 0.01]))
            for name, leak in leaks.items()
        },
    )
    naive, calibrated, level, accepted = price_figure(found, 4, 1.0, True, 3.0).traces
    assert [each["name"] for each in (naive, calibrated)] == ["Naive", "Calibrated"]
    assert (naive["x"].tolist(), naive["y"].tolist(), naive["customdata"]) == ([0.2], [4.0], [[0.1]])
    assert (calibrated["x"].tolist(), calibrated["y"].tolist()) == ([0.5], [2.0])
    assert (level["name"], level["x"], level["y"]) == ("Forecast, no leak", [0.2, 0.5], [4.0, 4.0])
    assert (accepted["x"], accepted["y"]) == ([0.2, 0.5], [3.0, 3.0])
    (alone,) = price_figure(found.only(["forecast"]), 4, 1.0).traces
    assert alone["x"] == [0.1, 1.0], "where nothing leaks the axis is any"
    broken = MomentLine(leak=np.array([0.3, 0.6]), rmsre=np.array([np.inf, 0.01]))
    (drawn,) = price_figure(replace(found, lines={"naive": broken}), 4, 1.0).traces
    assert drawn["x"].tolist() == [0.6]


def test_equal_noise_leaks_and_errs_equally_whatever_its_budget() -> None:
    """Naive, Blowfish and Calibrated noise of one scale all day: three budgets, one point of the picture."""
    day = simulate(FEW)
    points = []
    for name in ("naive", "blowfish", "calibrated"):
        narrow = day.release[name].scale
        assert np.ptp(narrow) == 0
        epsilon = brentq(partial(_wider_than_two, name), 0.01, 10.0, xtol=1e-14)
        line = price_of_a_moment(FEW, [epsilon], street_day=day.street_day).lines[name]
        points.append((line.leak[0], line.rmsre[0], epsilon))
    leaks, errors, epsilons = zip(*points, strict=True)
    assert leaks == pytest.approx([leaks[0]] * 3, rel=1e-9)
    assert errors == pytest.approx([errors[0]] * 3, rel=1e-9)
    assert min(np.abs(np.diff(epsilons))) > 1e-3


def _wider_than_two(name: str, epsilon: float) -> float:
    return float(REGISTRY[name].scale(KNOWN.at(epsilon)).scale[0]) - 2.0


@pytest.fixture(scope="module")
def day() -> Day:
    return simulate(PRESETS["tiny street"])


def test_the_moment_is_drawn_with_what_each_rate_adds(day: Day) -> None:
    found = moment_leakage(day, "blowfish")
    house = int(found.house[found.step])
    gives = giveaway(day, "blowfish", house, found.step)
    figure, words = moment_figure(day, found, found.step, gives)
    np.testing.assert_allclose(figure.data[0].y, found.whole)
    np.testing.assert_allclose(figure.data[1].y, found.so_far)
    np.testing.assert_allclose(figure.data[3].y, gives)
    assert words == (
        f"Leak of every moment from the Blowfish rates. Whole record: at most {plain(found.worst)}, at "
        f"{day.scenario.when(found.step)}; rates so far: at most {plain(float(found.so_far.max()))}."
    )


def test_what_a_rate_adds_is_what_is_missing_without_it(day: Day) -> None:
    """The moment's own rate adds just its loss, the most of all, and no rate takes anything away."""
    found = moment_leakage(day, "blowfish", 2)
    gives = giveaway(day, "blowfish", 2, found.step)
    own = found.so_far[0]  # at the first step there is no past: the loss of its own rate
    assert gives[found.step] == pytest.approx(own, rel=1e-9)
    assert (gives >= -1e-12).all()
    assert gives.max() == gives[found.step]


def test_detection_has_a_line_and_a_band_for_every_rate(day: Day) -> None:
    *_, found = detect_daily(day.scenario, "holiday", 2, repetitions=40)
    figure, words = detection_figure(found, "insider")
    lines = {trace.name: trace for trace in figure.data if trace.name}
    assert set(lines) == {mechanism.label for mechanism in REGISTRY.values()}
    np.testing.assert_allclose(lines["Blowfish"].y, found.by_rate["blowfish", "insider"].area.value)
    areas = [
        f"{mechanism.label} {percent(float(found.by_rate[name, 'insider'].area.value[-1]), 2)}"
        for name, mechanism in REGISTRY.items()
    ]
    assert areas[list(REGISTRY).index("forecast")] == "Forecast 50 %"
    assert words == (
        "A holiday, seen by an insider, who knows what everyone else used, after 2 days: "
        f"{', '.join(areas)}. A half is guessing."
    )


def test_the_crowd_marks_this_street_and_says_whom_it_fails(day: Day) -> None:
    found = noise_still_needed(day, 0.5, 1e-3, sizes=(5, 100))
    figure, words = crowd_figure(found, 5)
    np.testing.assert_allclose(figure.data[0].y, found.scale)
    assert list(figure.data[2].x) == [5, 5]
    few, many = (scale_text(float(scale)) for scale in found.scale)
    assert words == (
        f"Noise needed for ε = 0.5 and δ = 0.001 in one rate: 5 houses {few}, 100 houses {many}."
    )
    assert [each["name"] for each in crowd_figure(found, 5).traces] == [
        "Against an outsider",
        "Against an insider",
        "This street",
    ]


def test_compositions_and_a_moments_price_are_drawn_as_computed(day: Day) -> None:
    found = compositions(day.scenario, 2.0, street_day=day.street_day)
    figure, words = composition_figure(found, 2.0, 96)
    np.testing.assert_allclose(figure.data[0].x, [100 * np.sqrt(96) * way.rmsre for way in found])
    errors = [f"{way.name} {percent(np.sqrt(96) * way.rmsre)}" for way in found]
    assert words == f"Error of each way to promise 2: {', '.join(errors)}."
    assert figure.data[0].textangle == 0, "no number stands on its side"
    price = price_of_a_moment(day.scenario, [0.1, 1.0], street_day=day.street_day)
    lines = {trace.name: trace for trace in price_figure(price, 96, 1.0).figure.data}
    assert "Forecast, no leak" in lines
    np.testing.assert_allclose(lines["Naive"].x, price.lines["naive"].leak)
