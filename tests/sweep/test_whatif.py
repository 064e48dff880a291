"""What-if maps: what is offered, over which range, and what comes out."""

import numpy as np
import pytest

from rtp import PRESETS, Scenario
from rtp.figures.whatif import heat_figure, lines_figure
from rtp.mechanisms import REGISTRY
from rtp.scenario import fields
from rtp.sweep.measures import MEASURES
from rtp.sweep.plan import make
from rtp.sweep.runs import sweep
from rtp.sweep.whatif import Map, compute, span, values, varied

SMALL = Scenario(households=20)
MECHANISMS = list(REGISTRY)


@pytest.mark.parametrize("name", PRESETS)
def test_every_number_offered_has_a_range_that_a_plan_accepts(name: str) -> None:
    scenario = PRESETS[name]
    for address in varied(scenario):
        low, high = span(scenario, address)
        assert low < high
        assert len(make(scenario, {address: values(low, high, 4)}, 2)) >= 2, address
    assert "seed" not in varied(scenario)
    assert "reference_rate" not in varied(scenario)
    assert "reference_rate" in varied(scenario.replace(reference_rate=100.0))


def test_ranges_that_reach_far_go_in_equal_factors() -> None:
    assert values(0.1, 10.0, 3)["scale"] == "log"
    assert values(1.0, 9.0, 3)["scale"] == "linear"
    assert values(0.0, 1000.0, 3)["scale"] == "linear"


@pytest.fixture(scope="module")
def lines() -> Map:
    return compute(make(SMALL, {"epsilon": [0.1, 0.5, 1.0]}, 20), lambda *_: None)


@pytest.fixture(scope="module")
def heat() -> Map:
    return compute(make(SMALL, {"epsilon": [0.1, 1.0], "alpha": [0.5, 1.0, 2.0]}, 10), lambda *_: None)


def test_a_map_is_the_sweep(lines: Map) -> None:
    for result in sweep(SMALL, {"epsilon": [0.1, 0.5, 1.0]}, 20):
        if result.finished:
            assert lines.parts[result.point].mean.tolist() == result.part.mean.tolist()
    assert lines.words() == {"epsilon": fields.numbers(SMALL)["epsilon"]}
    assert lines.name(1).endswith("= 0.5")


def test_it_reports_what_it_has_and_what_was_stopped_is_kept_in_the_table() -> None:
    class Enough(Exception):
        pass

    last: list[Map] = []

    def report(done: float, found: Map) -> None:
        last.append(found)
        if found.parts:
            raise Enough

    with pytest.raises(Enough):
        compute(make(SMALL, {"households": [5, 10]}, 20), report)
    stopped = last[-1]
    table = stopped.frame()
    assert set(table["days"]) == {10}
    assert len(table) == len(stopped.parts) * len(MECHANISMS)
    assert stopped.certainty("rmsre").startswith("Every point is the mean of 10 simulated days")


def test_certainty_is_the_widest_interval(heat: Map) -> None:
    m, k = MECHANISMS.index("naive"), list(MEASURES).index("profit")
    widest = max((part.interval()[1] - part.mean)[m, k] for part in heat.parts.values())
    assert f"± {widest:.2g}." in heat.certainty("profit", "naive")


def test_lines_show_means_with_intervals_and_know_their_points(lines: Map) -> None:
    figure = lines_figure(lines, "rmsre").figure
    traces = {trace.name.lower(): trace for trace in figure.data}
    assert set(traces) == set(MECHANISMS) - {"optimal"}
    m = MECHANISMS.index("blowfish")
    assert list(traces["blowfish"].y) == [lines.parts[p].mean[m, 0] for p in range(3)]
    assert list(traces["blowfish"].error_y.array) == [lines.half_widths()[p][m, 0] for p in range(3)]
    assert [row[0] for row in traces["blowfish"].customdata] == [0, 1, 2]
    assert len(lines_figure(lines, "profit").figure.data) == len(MECHANISMS)


def test_the_heat_map_puts_every_point_in_its_cell(heat: Map) -> None:
    cells, dots = heat_figure(heat, "rmsre", "naive").figure.data
    m = MECHANISMS.index("naive")
    for x, y, (point, *_) in zip(dots.x, dots.y, dots.customdata, strict=True):
        at = heat.plan.values(int(point))
        assert (x, y) == (f"{at['epsilon']:.4g}", f"{at['alpha']:.4g}")
        drawn = np.asarray(cells.z)[list(cells.y).index(y), list(cells.x).index(x)]
        assert drawn == heat.parts[int(point)].mean[m, 0]
