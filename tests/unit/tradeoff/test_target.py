"""Budget against error: the inverse of the curve, and a clear answer where there is none."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import pytest

from rtp import PRESETS, Scenario, ScenarioError
from rtp.core.types import Floats
from rtp.mechanisms import REGISTRY, private
from rtp.scenario import BOUNDS
from rtp.simulation import draw_day, market
from rtp.street.simulate import StreetDay
from rtp.tradeoff import Budget, curve, epsilon_for, expected, most_private
from tests.help.hourly import HOURLY, PAPER_AND_HOURLY
from tests.unit.tradeoff.streets import certain_street

CASES = {
    **PAPER_AND_HOURLY,
    "wrong belief": HOURLY["unsure curator"].replace(assumed_model="Night owls"),
    "clipped": Scenario(households=20, beta=2.0, clip_at_zero=True),
}
LOW, HIGH, _ = BOUNDS["epsilon"]
EPSILONS = (0.04, 6.0)


def error(scenario: Scenario, life: StreetDay, name: str, epsilons: Sequence[float]) -> Floats:
    """What `curve` draws of one mechanism."""
    known, mechanism = market(scenario, life), REGISTRY[name]
    return expected.expected(known, mechanism, expected.scales(known, [mechanism], epsilons)[name])


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_epsilon_for_is_the_inverse_of_the_curve(case: str) -> None:
    """Error → budget → error always. Budget → error → budget where the error moves with the budget: a filter
    with a small one hardly looks at data."""
    scenario = CASES[case]
    life = draw_day(scenario)
    drawn = curve(scenario, EPSILONS, 2, street_day=life)
    for name in private():
        if name == "forecast":
            continue
        for epsilon, target in zip(EPSILONS, drawn.lines[name].expected.tolist(), strict=True):
            found = epsilon_for(scenario, name, target, street_day=life).epsilon
            assert found is not None
            assert error(scenario, life, name, [found])[0] == pytest.approx(target, rel=1e-9)
            if name != "filtered":
                assert found == pytest.approx(epsilon, rel=1e-9)


@pytest.mark.parametrize("name", ["naive", "blowfish"])
def test_noise_inverse_to_epsilon_needs_epsilon_inverse_to_error(name: str) -> None:
    scenario = PRESETS["mansions"]
    life = draw_day(scenario)
    at_one = float(curve(scenario, [1.0], 2, street_day=life).lines[name].expected[0])
    for factor in (0.3, 1.7, 90.0):
        budget = epsilon_for(scenario, name, at_one / factor, street_day=life).epsilon
        assert budget == pytest.approx(factor, rel=1e-13)


def test_where_no_budget_reaches_the_error_the_answer_says_so() -> None:
    scenario = PRESETS["paper"]
    found = epsilon_for(scenario, "naive", 1e-9)
    assert found.epsilon is None
    assert found.words == (
        "Naive cannot reach an expected error of 0.00000098 %: even with the largest budget, 10,000, its "
        "error is 0.000061 %."
    )


def test_where_any_budget_reaches_it_the_smallest_is_given() -> None:
    found = epsilon_for(PRESETS["paper"], "filtered", 0.5)
    assert found.epsilon == LOW
    assert found.words == (
        "Filtered reaches an expected error of 490 % even with the smallest budget, ε = 0.0001, where its "
        "error is 1.85 %."
    )


def test_where_nobody_is_uncertain_the_exact_rate_is_published() -> None:
    found = epsilon_for(certain_street(), "blowfish", 1e-9)
    assert (found.epsilon, found.exact) == (LOW, True)
    assert found.words == (
        "Blowfish publishes the exact rate whatever ε is: no house is uncertain, so there is nothing to hide."
    )
    assert not epsilon_for(certain_street(), "naive", 0.5).exact


def test_a_forecast_needs_no_budget_or_is_never_good_enough() -> None:
    scenario = PRESETS["paper"]
    level = float(curve(scenario, [1.0], 2).lines["forecast"].expected[0])
    better = epsilon_for(scenario, "forecast", 1.01 * level)
    assert better.epsilon == 0
    assert better.words == (
        "Forecast reaches an expected error of 1.87 % with no budget at all: it looks at no data."
    )
    assert epsilon_for(scenario, "forecast", level).epsilon == 0
    worse = epsilon_for(scenario, "forecast", 0.99 * level)
    assert worse.epsilon is None
    assert worse.words == (
        "Forecast cannot reach an expected error of 1.84 %: without looking at data its error is 1.85 %."
    )


GRID = np.geomspace(LOW, HIGH, 33)  # where a filter's error is looked at first


def asked(monkeypatch: pytest.MonkeyPatch, name: str, error: Callable[[Floats], Floats]) -> Budget:
    """The budget of an error of 1, on a street whose error is this function of the budget."""
    monkeypatch.setattr("rtp.tradeoff.answers.scales", lambda _, __, epsilons: {name: epsilons})
    monkeypatch.setattr("rtp.tradeoff.answers.expected", lambda _, __, epsilons: error(epsilons))
    return epsilon_for(Scenario(households=1), name, 1.0)


@pytest.mark.parametrize("name", ["naive", "filtered"])
def test_the_budget_is_where_the_error_falls_to_the_one_asked_for(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = asked(monkeypatch, name, lambda epsilons: 0.02 / epsilons)
    assert found.epsilon == pytest.approx(0.02, rel=1e-14)
    assert found.words == f"{name.capitalize()} reaches an expected error of 980 % with ε = 0.02 per step."
    for edge in (LOW, HIGH):
        limit = asked(monkeypatch, name, partial(np.divide, edge))
        assert limit.epsilon == pytest.approx(edge, rel=1e-14)
        assert limit.epsilon is not None
        assert LOW <= limit.epsilon <= HIGH  # so that it can be asked for


def test_a_narrow_dip_of_a_filters_error_is_seen_where_it_is_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dips = asked(monkeypatch, "filtered", lambda epsilons: 0.9 + np.abs(np.log(epsilons / GRID[11])))
    assert dips.epsilon == pytest.approx(GRID[11] * np.exp(-0.1), rel=1e-12)


@pytest.mark.parametrize(("alone", "end"), [(1.0, 17), (2.0, 18)])
def test_where_the_error_is_flat_and_rounding_crosses_it_an_end_is_given(
    alone: float, end: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looked at together the budgets miss the error up to the 18th, looked at alone they all do or none."""

    def error(epsilons: Floats) -> Floats:
        return np.where(epsilons < GRID[18], 2.0, 1.0) if epsilons.size > 1 else np.array([alone])

    assert asked(monkeypatch, "filtered", error).epsilon == GRID[end]


@pytest.mark.slow
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


def test_most_private_is_the_smallest_budget_reaching_the_error() -> None:
    scenario = PRESETS["paper"]
    life = draw_day(scenario)
    chosen = {
        target: most_private(epsilon_for(scenario, n, target, street_day=life) for n in private())
        for target in (1e-4, 3e-3)
    }
    assert [b and b.mechanism for b in chosen.values()] == ["filtered", "forecast"]
    assert most_private([Budget(mechanism="naive", epsilon=None, words="")]) is None


@pytest.mark.parametrize("target", [0.0, -1.0, float("nan"), float("inf")])
def test_errors_that_cannot_be_asked_for_are_refused(target: float) -> None:
    with pytest.raises(ScenarioError) as refused:
        epsilon_for(Scenario(households=5), "naive", target)
    assert str(refused.value) == f"rmsre is {target}; it must be a number above 0."


def test_only_mechanisms_that_promise_something_have_a_budget() -> None:
    with pytest.raises(ScenarioError) as refused:
        epsilon_for(Scenario(households=5), "optimal", 1e-3)
    assert str(refused.value) == (
        "mechanism is 'optimal'; it must be one of naive, blowfish, calibrated, filtered, forecast, "
        "threshold."
    )
