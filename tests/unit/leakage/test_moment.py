"""The worst moment of every house: of a day, of several models, with nothing to protect it, and back."""

import numpy as np
import pytest

from rtp import PRESETS, Scenario, simulate
from rtp.attack.adversary import posterior
from rtp.attack.observation import uniform_llr
from rtp.audit.exact import exact_loss
from rtp.core.types import Floats
from rtp.leakage.budget import epsilon_for_moment
from rtp.leakage.moment import moment_leakage
from rtp.mechanisms import REGISTRY, private
from rtp.probability.privacy_loss import llr_range, privacy_loss
from rtp.tradeoff.curves import epsilon_for
from tests.help.few import few

FEW = Scenario(households=30, step_minutes=60, alpha=1.7)


def log_odds(chance: Floats) -> Floats:
    return np.asarray(np.log(chance) - np.log1p(-chance))


@pytest.mark.slow
@pytest.mark.parametrize("mechanism", ["naive", "blowfish", "calibrated", "filtered"])
def test_no_insider_learns_more_about_a_moment_than_its_leak(mechanism: str) -> None:
    """Her belief so far, from the exact filter of one house, against the bound of the rates so far."""
    day = simulate(FEW.replace(epsilon=2.0))
    seen = posterior(day, mechanism, adversary="insider")
    shift = np.abs(log_odds(seen.belief) - log_odds(seen.model_only))
    for house in range(FEW.households):
        assert np.all(shift[:, house] <= moment_leakage(day, mechanism, house).so_far * (1 + 1e-9))


@pytest.mark.parametrize(("occupied", "empty"), [(0.9, 0.1), (0.2, 0.7), (0.5, 0.0), (0.4, 0.4)])
@pytest.mark.parametrize("b", [0.0, 0.3, 5.0])
def test_both_ends_of_the_evidence_are_those_of_a_fine_grid(occupied: float, empty: float, b: float) -> None:
    """And they differ: a rate says more for the state that uses more than against it."""
    y = np.linspace(-1.0, 2.0, 3001)[:, None] if b else np.linspace(0.0, max(occupied, empty), 3001)[:, None]
    bounds = np.array([occupied]), np.array([empty])
    grid = uniform_llr(y, np.full_like(y, b), *bounds)
    lowest, highest = llr_range(b, *bounds)
    assert (lowest[0], highest[0]) == pytest.approx((grid.min(), grid.max()), abs=1e-12)
    assert np.maximum(-lowest, highest) == pytest.approx(privacy_loss(b, *bounds))
    if b and occupied != empty:
        assert -lowest[0] != pytest.approx(highest[0], rel=0.01)


@pytest.mark.slow
def test_any_use_within_the_bounds_leaks_more_than_uniform_use() -> None:
    """The paper's street at ε = 0.5: 21.72, by a house that uses its bound in one state and nothing else."""
    day = simulate(Scenario())
    uniform, any_use = (moment_leakage(day, "blowfish", any_use=each) for each in (False, True))
    assert uniform.worst == pytest.approx(9.7155, abs=1e-4)
    assert any_use.worst == pytest.approx(21.7229, abs=1e-4)
    assert moment_leakage(day, "blowfish", promised=True).worst >= any_use.worst


@pytest.mark.long
def test_all_houses_in_any_blocks_are_the_worst_of_each_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = PRESETS["unsure curator"].replace(households=8, days=2)
    day = simulate(scenario)
    alone = [moment_leakage(day, "blowfish", house) for house in range(scenario.households)]
    monkeypatch.setattr("rtp.leakage.moment.MAX_HOUSE_STEPS", 3 * scenario.steps)
    every = moment_leakage(day, "blowfish")
    np.testing.assert_array_equal(every.whole, np.max([m.whole for m in alone], axis=0))
    np.testing.assert_array_equal(every.so_far, np.max([m.so_far for m in alone], axis=0))
    assert all(every.whole[t] == alone[int(h)].whole[t] for t, h in enumerate(every.house))
    assert all(every.so_far[t] == alone[int(h)].so_far[t] for t, h in enumerate(every.so_far_house))


@pytest.mark.long
@pytest.mark.parametrize("preset", PRESETS)
def test_a_moment_leaks_at_least_its_own_rate_and_at_most_theorem_2(preset: str) -> None:
    day = simulate(PRESETS[preset].replace(households=min(PRESETS[preset].households, 60)))
    for mechanism in private():
        found, spent = moment_leakage(day, mechanism), exact_loss(day, mechanism)
        assert np.all(found.whole >= found.so_far - 1e-12)
        assert np.all(found.so_far >= spent.spent * (1 - 1e-12))
        most = spent.total.max()
        assert found.worst <= most * (1 + 1e-9)
        assert most <= found.theorem_2 * (1 + 1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("mechanism", private())
@pytest.mark.parametrize("leak", few([0.3, 2.0], 0.3))
def test_the_budget_of_a_leak_and_the_leak_of_a_budget_are_each_others_inverse(
    mechanism: str, leak: float
) -> None:
    found = epsilon_for_moment(FEW, mechanism, leak)
    if not REGISTRY[mechanism].reads_demand:
        assert (found.epsilon, found.leak) == (0.0, 0.0)
        return
    assert found.epsilon is not None
    assert found.leak == pytest.approx(leak, rel=1e-9)
    assert epsilon_for(FEW, mechanism, found.rmsre).epsilon == pytest.approx(found.epsilon, rel=1e-5)
    day = simulate(FEW.replace(epsilon=found.epsilon))
    assert moment_leakage(day, mechanism).worst == pytest.approx(leak, rel=1e-9)
