"""What-if maps: what is offered, over which range, and what comes out."""

from dataclasses import replace

import numpy as np
import pytest

from rtp import PRESETS, Scenario
from rtp.core.formatting import plain
from rtp.figures.tradeoff import heat_figure, lines_figure
from rtp.mechanisms import REGISTRY
from rtp.scenario import LABELS, fields
from rtp.scenario.edit import allowed_intervals
from rtp.scenario.fields import put
from rtp.sweep.measures import MEASURES
from rtp.sweep.plan import make
from rtp.sweep.run import sweep
from rtp.sweep.whatif import INTERVAL, Map, compute, span, values, varied

SMALL = Scenario(households=20)
MECHANISMS = list(REGISTRY)


@pytest.mark.slow
@pytest.mark.parametrize("name", PRESETS)
def test_every_number_offered_has_a_range_that_a_plan_accepts(name: str) -> None:
    scenario = PRESETS[name]
    assert len(make(scenario, {INTERVAL: allowed_intervals(scenario)}, 2)) >= 2
    for address in varied(scenario):
        if address == INTERVAL:
            continue
        low, high = span(scenario, address)
        assert low < high
        assert len(make(scenario, {address: values(low, high, 4)}, 2)) >= 2, address
    assert "seed" not in varied(scenario)
    assert "reference_rate" not in varied(scenario)
    assert "reference_rate" in varied(scenario.replace(reference_rate=100.0))


def test_ranges_that_reach_far_go_in_equal_factors() -> None:
    assert values(1.0, 10.0, 3) == {"from": 1.0, "to": 10.0, "count": 3, "scale": "log"}
    assert values(1.0, 9.9, 4) == {"from": 1.0, "to": 9.9, "count": 4, "scale": "linear"}
    assert values(0.0, 1000.0, 3) == {"from": 0.0, "to": 1000.0, "count": 3, "scale": "linear"}


@pytest.mark.parametrize(
    ("address", "now", "first", "last"),
    [
        ("epsilon", 0.5, 0.125, 2.0),
        ("households", 21, 5.0, 84.0),  # whole ones
        ("elasticity", 0.0, 0.0, 1.0),  # nothing to multiply
        ("negligible", 0.2, 0.05, 0.5),  # its largest
        ("groups[0].occupied_min", 0.5, 0.125, 1.0),  # no further than the other end of the bounds
        ("groups[0].empty_max", 0.5, 0.125, 2.0),
        ("groups[0].occupied_max", 4.0, 2.0, 16.0),
    ],
)
def test_a_first_range_is_from_a_quarter_to_four_times_within_what_is_possible(
    address: str, now: float, first: float, last: float
) -> None:
    street = put(SMALL, "groups[0].occupied_max", 4.0) if address.endswith("max") else SMALL
    if address == "groups[0].occupied_max":
        street = put(street, "groups[0].occupied_min", 2.0)
    assert span(put(street, address, now), address) == (first, last)


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
    assert lines.name(1) == "ε — privacy budget per step = 0.5"
    assert lines.axis("epsilon") == [0.1, 0.5, 1.0]


def test_a_point_is_named_by_all_that_is_varied(heat: Map) -> None:
    assert heat.name(4) == "ε — privacy budget per step = 1, α — price slope = 1"


def certain(days: str, widest: str) -> str:
    return f"Every point is the mean of {days} simulated days; its 95 % interval is at most ± {widest}."


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
    assert set(table["sampled_days"]) == {10}
    assert len(table) == len(stopped.parts) * len(MECHANISMS)
    widest = max(half.max() for _, half in stopped.shown("rmsre").values())
    assert stopped.certainty("rmsre") == certain("10", f"{plain(widest, 2)} %")


def test_certainty_is_the_widest_interval(heat: Map) -> None:
    m, k = MECHANISMS.index("naive"), list(MEASURES).index("profit")
    widest = max((part.interval()[1] - part.mean)[m, k] for part in heat.parts.values())
    assert heat.certainty("profit", "naive") == certain("10", plain(widest, 2))
    some = {0: replace(heat.parts[0], days=5), 1: heat.parts[1], 2: replace(heat.parts[2], days=7)}
    told = Map(plan=heat.plan, parts=some).certainty("protected")
    assert told == certain("5 to 10", "0")


def test_an_error_is_shown_as_a_percentage_of_a_typical_step_whatever_the_number_of_days() -> None:
    found = compute(make(SMALL, {"days": [1, 4]}, 10), lambda *_: None)
    k, shown = list(MEASURES).index("rmsre"), found.shown("rmsre")
    for point, steps in enumerate((96, 384)):
        kept, (mean, half) = found.parts[point], shown[point]
        np.testing.assert_allclose(mean, 100 * np.sqrt(steps) * kept.mean[:, k], rtol=1e-14)
        np.testing.assert_allclose(kept.mean[:, k] + half / 100 / np.sqrt(steps), kept.interval()[1][:, k])
    np.testing.assert_array_equal(found.shown("profit")[1][0], found.parts[1].mean[:, 4])
    table = found.frame()
    assert table["days"].tolist() == [1] * len(MECHANISMS) + [4] * len(MECHANISMS)
    np.testing.assert_array_equal(table["error_percent"], np.concatenate([shown[0][0], shown[1][0]]))
    high = table["error_percent_high"] - table["error_percent"]
    np.testing.assert_allclose(high, np.concatenate([shown[0][1], shown[1][1]]), rtol=1e-9)
    widest = max(half.max() for _, half in shown.values())
    assert found.certainty("rmsre") == certain("10", f"{plain(widest, 2)} %")


def test_lines_show_means_with_intervals_and_know_their_points(lines: Map) -> None:
    figure = lines_figure(lines, "rmsre").figure
    traces = {trace.name.lower(): trace for trace in figure.data}
    assert set(traces) == set(MECHANISMS) - {"optimal"}
    m = MECHANISMS.index("blowfish")
    shown = lines.shown("rmsre")
    assert list(traces["blowfish"].y) == [shown[p][0][m] for p in range(3)]
    assert list(traces["blowfish"].error_y.array) == [shown[p][1][m] for p in range(3)]
    assert [row[0] for row in traces["blowfish"].customdata] == [0, 1, 2]
    assert len(lines_figure(lines, "profit").figure.data) == len(MECHANISMS)


def test_the_heat_map_puts_every_point_in_its_cell(heat: Map) -> None:
    cells, dots = heat_figure(heat, "rmsre", "naive").figure.data
    m = MECHANISMS.index("naive")
    for x, y, (point, *_) in zip(dots.x, dots.y, dots.customdata, strict=True):
        at = heat.plan.values(int(point))
        assert (x, y) == (f"{at['epsilon']:.4g}", f"{at['alpha']:.4g}")
        drawn = np.asarray(cells.z)[list(cells.y).index(y), list(cells.x).index(x)]
        assert drawn == heat.shown("rmsre")[int(point)][0][m]


def test_a_map_fits_every_value_of_what_it_varies_and_nothing_else(heat: Map) -> None:
    for scenario in (SMALL, SMALL.replace(epsilon=7.0, alpha=3.0), heat.plan.at(5)):
        assert heat.misfit(scenario) == ""
    assert heat.misfit(SMALL.replace(beta=1.0, epsilon=7.0)) == "β — base price: 62.5 there, 1 now"
    told = "Households: 20 there, 21 now; β — base price: 62.5 there, 1 now; Seed: 0 there, 4 now"
    assert heat.misfit(SMALL.replace(beta=1.0, households=21, seed=4)) == told
    far = SMALL.replace(beta=1.0, households=21, seed=4, days=2, elasticity=1.0)
    assert heat.misfit(far) == (
        "Households: 20 there, 21 now; Days: 1 there, 2 now; β — base price: 62.5 there, 1 now; 2 more"
    )


def test_a_map_of_a_group_does_not_fit_a_street_without_it() -> None:
    mixed = PRESETS["mixed street"].replace(households=20)
    found = Map(plan=make(mixed, {"groups[Office].share": [0.1, 0.2]}, 2), parts={})
    assert found.misfit(mixed) == ""
    assert found.misfit(put(mixed, "groups[1].share", 0.5)) == (
        "Home: Share of the street: 0.54 there, 0.7 now; Shift: Share of the street: 0.36 there, 0.2 now"
    )
    assert found.misfit(SMALL) == (
        "Groups: Office, Home, Shift there, Households now; "
        "Models: Three ways to live there, As published now"
    )


def test_price_intervals_are_varied_as_the_street_allows() -> None:
    quarters = PRESETS["unsure curator"]  # a period begins at 23:45
    assert allowed_intervals(quarters) == [5, 15]
    found = compute(make(SMALL, {INTERVAL: allowed_intervals(SMALL)}, 1), lambda _, __: None)
    assert [found.plan.at(point).steps_per_day for point in found.parts] == [288, 144, 96, 72, 48, 24]
    assert found.words() == {INTERVAL: LABELS[INTERVAL]}
    assert found.name(0) == "A price every … minutes = 5"
