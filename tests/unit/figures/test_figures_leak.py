"""Error over the leak of a moment: every point where the numbers are, and one click from its budget."""

from functools import partial

import numpy as np
import pytest
from scipy.optimize import brentq

from rtp import Scenario, simulate
from rtp.core.formatting import percent, plain
from rtp.figures import style
from rtp.figures.leakage import AXIS, price_figure
from rtp.leakage.budget import MomentPrice, epsilon_for_moment, joined, price_of_a_moment
from rtp.mechanisms import REGISTRY, private
from rtp.metrics import ERROR_AXIS
from rtp.simulation import live, market
from rtp.tradeoff import curve
from tests.unit.figures.look import axis_titles
from tests.unit.tradeoff.streets import certain_street

FEW = Scenario(households=6, epsilon=0.3)
KNOWN = market(FEW, live(FEW))


@pytest.fixture(scope="module")
def price() -> MomentPrice:
    return joined(price_of_a_moment(FEW, [0.1, 1.0]), price_of_a_moment(FEW, [0.3]))


def test_a_budget_joined_is_as_if_it_had_always_been_there(price: MomentPrice) -> None:
    whole = price_of_a_moment(FEW, [0.1, 0.3, 1.0])
    again = joined(whole, whole)
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
    assert words.startswith("Expected error over the leak of the worst moment. At ε = 0.3: ")
    for name, line in price.lines.items():
        error = percent(float(np.sqrt(96) * line.rmsre[1]))
        assert f"{style.label(name)} {error} at a leak of {plain(line.leak[1])}" in words


def test_a_street_without_secrets_has_levels_only() -> None:
    scenario = certain_street()
    found = price_of_a_moment(scenario, [0.1, 1.0], street_day=live(scenario))
    names = [trace.name for trace in price_figure(found, scenario.steps, 0.1, True).figure.data]
    assert names == [f"{style.label(name)}, no leak" for name in private()]


def test_the_same_noise_leaks_the_same_and_errs_the_same_whatever_its_budget_is_called() -> None:
    """Naive, Blowfish and Calibrated noise of one scale all day: three budgets, one point of the picture."""
    day = simulate(FEW)
    points = []
    for name in ("naive", "blowfish", "calibrated"):
        narrow = day.release[name].scale
        assert np.ptp(narrow) == 0
        epsilon = brentq(partial(_wider_than_two, name), 0.01, 10.0, xtol=1e-14)
        line = price_of_a_moment(FEW, [epsilon], street_day=day.life).lines[name]
        points.append((line.leak[0], line.rmsre[0], epsilon))
    leaks, errors, epsilons = zip(*points, strict=True)
    assert leaks == pytest.approx([leaks[0]] * 3, rel=1e-9)
    assert errors == pytest.approx([errors[0]] * 3, rel=1e-9)
    assert min(np.abs(np.diff(epsilons))) > 1e-3


def _wider_than_two(name: str, epsilon: float) -> float:
    return float(REGISTRY[name].scale(KNOWN.at(epsilon)).scale[0]) - 2.0
