"""What-if maps: what is offered, over which range, and what comes out."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from rtp import PRESETS, Group, Habits, OccupancyModel, Scenario, ScenarioError
from rtp.cli.main import main
from rtp.core.formatting import plain
from rtp.core.stats import Range
from rtp.decision.requirement import described_street
from rtp.exposure import exposure
from rtp.figures.decision import lines_figure
from rtp.mechanisms import REGISTRY
from rtp.output.decision import certainty_words, misfit_words
from rtp.scenario import fields
from rtp.scenario.edit import allowed_intervals
from rtp.scenario.fields import put
from rtp.simulation.prices import with_prices
from rtp.sweep.measures import MEASURES
from rtp.sweep.plan import make
from rtp.sweep.run import sweep
from rtp.sweep.whatif import INTERVAL, Map, compute, hours, is_hour, span, values, varied
from tests.help.few import few

SMALL = Scenario(households=20)
MECHANISMS = list(REGISTRY)


@pytest.mark.long
@pytest.mark.parametrize("name", few(PRESETS, "paper", "feeder"))
def test_every_number_offered_has_a_range_that_a_plan_accepts(name: str) -> None:
    scenario = PRESETS[name]
    assert len(make(scenario, {INTERVAL: allowed_intervals(scenario)}, 2)) >= 2
    for address in varied(scenario):
        if address == INTERVAL:
            continue
        low, high = span(scenario, address)
        now, limits = float(fields.get(scenario, address)), fields.bounds(address)
        listed = hours(scenario, low, high, 4) if is_hour(address) else values(low, high, 4)
        assert limits is not None
        assert limits.low <= low <= now <= high <= limits.high
        assert low < high
        assert len(make(scenario, {address: listed}, 2)) >= 2, address
    assert "seed" not in varied(scenario)
    assert "reference_rate" not in varied(scenario)
    assert "reference_rate" in varied(scenario.replace(reference_rate=100.0))


@pytest.fixture(scope="module")
def heat() -> Map:
    return compute(make(SMALL, {"epsilon": [0.1, 1.0], "alpha": [0.5, 1.0, 2.0]}, 10), lambda *_: None)


def test_a_map_is_the_sweep_and_says_how_sure_it_is(heat: Map) -> None:
    for result in sweep(SMALL, heat.plan.grid, 10):
        if result.finished:
            assert heat.parts[result.point].mean.tolist() == result.part.mean.tolist()
    names = fields.numbers(SMALL)
    assert heat.name(4) == f"{names['epsilon']} = 1, {names['alpha']} = 1"
    assert heat.axis("alpha") == [0.5, 1.0, 2.0]
    m, k = MECHANISMS.index("naive"), list(MEASURES).index("profit")
    widest = max((part.interval()[1] - part.mean)[m, k] for part in heat.parts.values())
    assert heat.widest("profit", "naive") == widest
    some = Map(plan=heat.plan, parts={0: replace(heat.parts[0], days=5), 1: heat.parts[1]})
    assert "5 to 10" in certainty_words(some, "rmsre")
    assert f"± {plain(some.widest('rmsre'), 2)} %" in certainty_words(some, "rmsre")


def test_a_map_fits_every_value_of_what_it_varies_and_nothing_else(heat: Map) -> None:
    for scenario in (SMALL, SMALL.replace(epsilon=7.0, alpha=3.0), heat.plan.at(5)):
        assert misfit_words(heat, scenario) == ""
    other = SMALL.replace(beta=1.0, households=21, seed=4, epsilon=7.0, days=2, elasticity=1.0)
    assert len(heat.misfit(other)) == 5
    assert "20 there, 21 now" in misfit_words(heat, other)
    assert "2 more" in misfit_words(heat, other)
    mixed = PRESETS["mixed street"].replace(households=20)
    found = Map(plan=make(mixed, {"groups[Office].share": [0.1, 0.2]}, 2), parts={})
    assert found.misfit(mixed) == []
    assert found.misfit(put(mixed, "groups[1].share", 0.5))
    assert found.misfit(SMALL)
    priced = with_prices(mixed, 60.0, 90.0)
    assert Map(plan=make(priced, {"households": [10, 40]}, 2), parts={}).misfit(priced) == []


def test_a_first_range_leaves_a_house_to_every_group() -> None:
    """Not only in the middle: a group of one keeps its house, one of many leaves the others theirs."""
    sizes = {"Flats": 30, "Shops": 8, "School": 1, "Nobody": 0}
    groups = tuple(Group(name=name, share=size / 39) for name, size in sizes.items())
    habits = tuple(Habits() for _ in groups)
    street = Scenario(households=39, groups=groups, models=(OccupancyModel(habits=habits),))
    for address in ("households", *(f"groups[{g}].share" for g in range(3))):
        low, high = span(street, address)
        assert low <= fields.get(street, address) <= high
        assert low < high
        assert len(make(street, {address: values(low, high, 5)}, 2)) == 5


def test_an_error_is_a_typical_steps_in_percent_whatever_the_number_of_days() -> None:
    found = compute(make(SMALL, {"days": [1, 4]}, 10), lambda *_: None)
    k, shown = list(MEASURES).index("rmsre"), found.shown("rmsre")
    for point, (mean, half) in shown.items():
        kept = found.parts[point]
        np.testing.assert_allclose(mean, 100 * kept.mean[:, k], rtol=1e-14)
        np.testing.assert_allclose(kept.mean[:, k] + half / 100, kept.interval()[1][:, k])
    np.testing.assert_allclose(shown[0][0], shown[1][0], rtol=0.15)
    np.testing.assert_array_equal(found.shown("profit")[1][0], found.parts[1].mean[:, 4])
    table = found.frame()
    assert table["days"].tolist() == [1] * len(MECHANISMS) + [4] * len(MECHANISMS)
    np.testing.assert_array_equal(table["error_percent"], np.concatenate([shown[0][0], shown[1][0]]))
    high = table["error_percent_high"] - table["error_percent"]
    np.testing.assert_allclose(high, np.concatenate([shown[0][1], shown[1][1]]), rtol=1e-9)


def test_a_map_shows_the_exposure_of_its_streets() -> None:
    """To the last digit, of the street as it is described, and outlined where it hides."""
    plan = make(
        SMALL.replace(step_minutes=60, households=3), {"epsilon": [0.1, 5.0]}, 2, ["moment from insider"]
    )
    found = compute(plan, lambda *_: None)
    assert "moment_insider" in found.measures()
    assert not any(name.endswith(("_low", "_high")) for name in found.measures())
    known, shown = (
        exposure(described_street(plan.scenario), "moment", "insider"),
        found.shown("moment_insider"),
    )
    for number, row in found.frame().iterrows():
        at = known.at(row.mechanism, row.epsilon) if row.mechanism != "forecast" else Range(0.5, 0.5, 0.5)
        columns = row[["moment_insider", "moment_insider_low", "moment_insider_high"]]
        assert columns.to_numpy(dtype=float) == pytest.approx(at)
        mean, half = shown[int(str(number)) // len(MECHANISMS)]
        m, reach = MECHANISMS.index(row.mechanism), max(at.high - at.value, at.value - at.low)
        assert (mean[m], half[m]) == pytest.approx((100 * at.value, 100 * reach))
    names = [trace["name"] for trace in lines_figure(found, "moment_insider").traces]
    assert "hidden" in names


def test_a_map_over_when_noon_begins_is_what_the_command_line_sweeps(tmp_path: Path) -> None:
    """Of error, exposure and money, to the last digit."""
    street = SMALL.replace(step_minutes=60, households=3)
    address = "models[0].habits[0].periods[1].start"
    low, high = span(street, address)
    assert (low, high) == (8.0, 10.0), "a step after the morning begins, or more"
    grid = {address: hours(street, low, high, 2), "epsilon": [0.5, 5.0]}
    found = compute(make(street, grid, 2, ["moment from insider"]), lambda *_: None)
    (tmp_path / "street.json").write_text(street.to_json(), encoding="utf-8")
    spec = {"scenario": "street.json", "grid": grid, "days": 2, "secrets": ["moment from insider"]}
    (tmp_path / "spec.json").write_text(json.dumps(spec), encoding="utf-8")
    names = [str(tmp_path / name) for name in ("spec.json", "a.db", "a.csv")]
    assert main(["sweep", names[0], "--out", names[1], "--workers", "1"]) == 0
    assert main(["export", names[1], "--csv", names[2]]) == 0
    swept, shown = pd.read_csv(names[2]), found.frame()
    for column in ("error_percent", "moment_insider", "loss"):
        np.testing.assert_allclose(swept[column], shown[column], rtol=1e-12)
        assert shown[shown.mechanism == "blowfish"][column].nunique() > 2
    assert "starts at" in found.words()[address]
    assert found.plan.at(3).models[0].habits[0].periods[1].start == 10.0


def test_no_group_rounds_to_nobody() -> None:
    street = PRESETS["feeder"]
    with pytest.raises(ScenarioError, match="Shops"):
        make(street, {"households": [180, 5]}, 2)
    assert len(make(street, {"households": [180, 36]}, 2)) == 2
