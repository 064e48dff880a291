"""What-if maps as drawn: every point's mean and interval, titles, and words that say how sure they are."""

import numpy as np
import pytest

from rtp import Scenario
from rtp.figures import style
from rtp.figures.tradeoff import TICKS, heat_figure, lines_figure
from rtp.mechanisms import REGISTRY
from rtp.sweep.measures import MEASURES
from rtp.sweep.plan import make
from rtp.sweep.whatif import Map, compute
from tests.unit.figures.look import axis_titles, trace

SMALL = Scenario(households=20)


def computed(grid: dict[str, list[float]]) -> Map:
    return compute(make(SMALL, grid, days=2), _ignore)


def _ignore(done: float, found: Map) -> None: ...


@pytest.fixture(scope="module")
def line() -> Map:
    return computed({"epsilon": [0.1, 0.5, 2.0]})


@pytest.fixture(scope="module")
def heat() -> Map:
    return computed({"epsilon": [0.41234, 0.5, 0.6], "alpha": [1.0, 2.0]})


def test_what_a_map_can_show_is_said_in_words() -> None:
    assert MEASURES == {
        "rmsre": "Error, % of the rate in a typical step",
        "scale": "Laplace scale, mean over the steps",
        "protected": "Protected houses, mean over the steps",
        "peak_demand": "Peak demand",
        "profit": "Generator's profit a day",
        "loss": "Generator's loss of profit a day",
        "mismatch": "Cost of the mismatch a day",
        "bill": "Mean bill a day",
        "bill_change": "Mean change of the bill a day",
    }


@pytest.mark.parametrize("measure", MEASURES)
def test_lines_are_the_means_with_their_intervals(line: Map, measure: str) -> None:
    figure, words = lines_figure(line, measure)
    shown = line.shown(measure)
    for m, name in enumerate(REGISTRY):
        means = [shown[p][0][m] for p in range(3)]
        if name == "optimal" and not any(means):
            assert style.label(name) not in [t.name for t in figure.data]
            continue
        own = trace(figure, style.label(name))
        assert list(own.x) == [0.1, 0.5, 2.0]
        np.testing.assert_array_equal(own.y, [value if np.isfinite(value) else np.nan for value in means])
        half = [shown[p][1][m] for p in range(3)]
        np.testing.assert_array_equal(own.error_y.array, half)
        np.testing.assert_array_equal(own.customdata, np.column_stack([range(3), half]))
    field = line.words()["epsilon"]
    assert axis_titles(figure) == {"xaxis": field, "yaxis": MEASURES[measure]}
    assert words == f"{MEASURES[measure]} over {field}."


def test_a_far_range_is_logarithmic_with_ticks_at_its_points(line: Map) -> None:
    assert lines_figure(line, "rmsre").figure.layout.xaxis.type == "log"
    many = computed({"alpha": np.linspace(1, 2, 17).tolist()})
    axis = lines_figure(many, "rmsre").figure.layout.xaxis
    assert axis.type == "linear"
    assert TICKS == 8
    assert list(axis.tickvals) == np.linspace(1, 2, 17)[::3].tolist()
    assert list(axis.ticktext) == [f"{value:.3g}" for value in axis.tickvals]


@pytest.mark.parametrize(
    ("field", "values", "kind"),
    [
        ("epsilon", [1.0, 10.0], "log"),
        ("epsilon", [1.0, 9.9], "linear"),
        ("habit_spread", [0.0, 0.02], "linear"),
    ],
)
def test_an_axis_is_logarithmic_from_ten_times_its_start(field: str, values: list[float], kind: str) -> None:
    axis = lines_figure(computed({field: values}), "rmsre").layout["xaxis"]
    assert (axis["type"], axis["tickvals"]) == (kind, values)


def test_eight_points_have_a_tick_each() -> None:
    values = np.linspace(1, 2, 8).tolist()
    assert lines_figure(computed({"alpha": values}), "rmsre").layout["xaxis"]["tickvals"] == values


def test_the_heat_map_has_every_point_in_its_cell(heat: Map) -> None:
    figure, words = heat_figure(heat, "rmsre", "naive")
    cells, dots = figure.data
    m, shown = list(REGISTRY).index("naive"), heat.shown("rmsre")
    assert len(dots.x) == 6
    for x, y, (point, mean, half, days) in zip(dots.x, dots.y, dots.customdata, strict=True):
        at, own = heat.plan.values(int(point)), shown[int(point)]
        assert (x, y) == (f"{at['epsilon']:.4g}", f"{at['alpha']:.4g}")
        assert (mean, half, days) == (own[0][m], own[1][m], 2)
        assert cells.z[list(cells.y).index(y), list(cells.x).index(x)] == own[0][m]
    names = heat.words()
    assert axis_titles(figure) == {"xaxis": names["epsilon"], "yaxis": names["alpha"]}
    assert cells.colorbar.title.text == MEASURES["rmsre"]
    assert words == f"{MEASURES['rmsre']} over {names['epsilon']} and {names['alpha']}."
