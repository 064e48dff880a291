"""Budget against error: the inverse of the curve, and a clear answer where there is none."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from rtp import PRESETS, Scenario
from rtp.core.types import Floats
from rtp.mechanisms import REGISTRY, private
from rtp.scenario import BOUNDS
from rtp.simulation import draw_day, market
from rtp.street.simulate import StreetDay
from rtp.tradeoff import epsilon_for, expected
from tests.help.few import few
from tests.help.hourly import PAPER_AND_HOURLY
from tests.help.streets import CERTAIN
from tests.unit.tradeoff.test_tradeoff import CASES as CASES_OF_CURVES

CASES = {name: CASES_OF_CURVES[name] for name in (*PAPER_AND_HOURLY, "wrong belief", "clipped")}
LOW, HIGH, _ = BOUNDS["epsilon"]
EPSILONS = (0.04, 6.0)


def error(scenario: Scenario, life: StreetDay, name: str, epsilons: Sequence[float]) -> Floats:
    """What to expect of one mechanism."""
    known, mechanism = market(scenario, life), REGISTRY[name]
    return expected.expected(known, mechanism, expected.scales(known, [mechanism], epsilons)[name])


@pytest.mark.slow
@pytest.mark.parametrize("case", few(CASES, "wrong belief"))
def test_epsilon_for_is_the_inverse_of_the_curve(case: str) -> None:
    """Error → budget → error always. Budget → error → budget where the error moves with the budget: a filter
    with a small one hardly looks at data."""
    scenario = CASES[case]
    life = draw_day(scenario)
    for name in private():
        if name == "forecast":
            continue
        for epsilon, target in zip(EPSILONS, error(scenario, life, name, EPSILONS).tolist(), strict=True):
            found = epsilon_for(scenario, name, target, street_day=life).epsilon
            assert found is not None
            assert error(scenario, life, name, [found])[0] == pytest.approx(target, rel=1e-9)
            if name != "filtered":
                assert found == pytest.approx(epsilon, rel=1e-9)


@pytest.mark.long
def test_the_smallest_budget_is_given_where_errors_rise_and_fall() -> None:
    """A filter that believes the wrong model: no smaller budget on a fine grid reaches the target."""
    scenario = CASES["wrong belief"]
    life = draw_day(scenario)
    grid = np.geomspace(LOW, HIGH, 150)
    errors = error(scenario, life, "filtered", grid.tolist())
    for share in (0.2, 0.5, 0.8):
        target = float(errors.min() + share * np.ptp(errors))
        found = epsilon_for(scenario, "filtered", target, street_day=life).epsilon
        assert found is not None
        reached = grid[errors <= target]
        assert found <= reached[0] * (1 + 1e-9)
        assert found >= grid[max(np.searchsorted(grid, reached[0]) - 1, 0)] * (1 - 1e-9)


@pytest.mark.parametrize(
    ("name", "elasticity", "days"),
    [
        ("blowfish", 0.0, 10),
        pytest.param("filtered", 0.0, 2, marks=pytest.mark.long),
        pytest.param("blowfish", 0.5, 2, marks=pytest.mark.long),
    ],
)
def test_a_budget_does_not_depend_on_the_day_that_was_drawn(name: str, elasticity: float, days: int) -> None:
    scenario = PRESETS["feeder"].replace(households=60, step_minutes=60, elasticity=elasticity)
    life = draw_day(scenario)
    rmsre = float(error(scenario, life, name, [0.7])[0])
    drawn = [draw_day(scenario.replace(seed=seed)).demand for seed in range(days)]
    found = {epsilon_for(scenario, name, rmsre, street_day=replace(life, demand=demand)) for demand in drawn}
    assert len(found) == 1


def test_answers_at_the_ends_of_what_can_be_asked() -> None:
    paper = PRESETS["paper"]
    never = epsilon_for(paper, "naive", 1e-9)
    assert never.epsilon is None
    assert never.rmsre == pytest.approx(error(paper, draw_day(paper), "naive", [HIGH])[0])
    for name in ("naive", "filtered"):
        any_will_do = epsilon_for(paper, name, 1e6)
        assert any_will_do.epsilon == LOW
        assert any_will_do.rmsre == pytest.approx(error(paper, draw_day(paper), name, [LOW])[0])
    level = float(error(paper, draw_day(paper), "forecast", [1.0])[0])
    assert epsilon_for(paper, "forecast", level).epsilon == 0
    assert epsilon_for(paper, "forecast", 0.99 * level).epsilon is None


def test_a_certain_street_publishes_the_exact_rate_and_spends_nothing() -> None:
    exact = {name for name in private() if epsilon_for(CERTAIN, name, 1e-3).exact}
    assert exact == {"blowfish", "calibrated", "filtered", "threshold"}
