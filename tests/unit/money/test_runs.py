"""Independent days of the same street, against what is known about them exactly."""

import numpy as np
import pytest

from rtp import PRESETS, Scenario, simulate
from rtp.money.summary import money_of_runs, simulate_runs, spans
from rtp.simulation import draw_day

RUNS = 1000
LIMIT = 5.0  # standard errors
MIXED = PRESETS["mixed street"].replace(households=60)


@pytest.mark.long
@pytest.mark.parametrize("houses", [60, 20])
@pytest.mark.parametrize("days", [1, 2])
def test_demand_has_the_mean_and_the_variance_that_the_model_says(houses: int, days: int) -> None:
    """All houses of the street lived through, or a sample of a third and a stand-in for the others.

    A sample's own variance is a third of the street's to a tolerance of its own: which houses are in it.
    """
    life = draw_day(MIXED.replace(days=days))
    demand, truth = simulate_runs(life, RUNS, houses).demand, life.true_moments
    assert demand.shape == (96 * days, RUNS)
    off = (demand.mean(axis=1) - truth.expected_demand) / np.sqrt(truth.variance / RUNS)
    assert np.abs(off).max() < LIMIT
    ratio = (demand.var(axis=1) / truth.variance).mean()
    assert ratio == pytest.approx(1, abs=0.02 if houses == 60 else 0.15)
    moves = (demand[1:] - demand[:-1]).var(axis=1).mean()  # neighbouring steps hang together
    assert moves < 0.9 * (demand[1:].var(axis=1) + demand[:-1].var(axis=1)).mean()


@pytest.mark.slow
@pytest.mark.parametrize("mechanism", ["naive", "blowfish", "calibrated"])
def test_centred_noise_costs_nothing_on_average_and_the_mismatch_is_its_variance(mechanism: str) -> None:
    day = simulate(Scenario(households=100))
    lived = simulate_runs(day.street_day, RUNS, 100)
    money = money_of_runs(day, mechanism, lived)
    scale = day.release[mechanism].scale[:, None]
    spread = np.sqrt(2 * np.sum((scale * lived.demand) ** 2) / RUNS)  # of the loss, −Σ noise·Z
    assert abs(money.loss.mean()) < LIMIT * spread / np.sqrt(RUNS)
    # A variance estimate of n values with kurtosis κ has the relative error √((κ − 1)/n); κ ≤ 6 for a sum.
    assert money.loss.var() == pytest.approx(spread**2, rel=LIMIT * np.sqrt(5 / RUNS))
    expected = np.sum(2 * scale**2) / (2 * day.scenario.alpha)
    error = np.sqrt(np.sum(20 * scale**4)) / (2 * day.scenario.alpha)  # Var[Lap²] = 20 b⁴
    assert abs(money.mismatch.mean() - expected) < LIMIT * error / np.sqrt(RUNS)


@pytest.mark.parametrize("houses", [100, 40])
def test_a_forecast_varies_too_and_loses_what_demand_varies(houses: int) -> None:
    """It publishes α·E[Z] + β where α·Z + β would be optimal, so E[loss] = α·Σ Var Z, exactly; each house
    gains its own share of that, also where the others are stood in for."""
    day = simulate(Scenario(households=100, alpha=2.0))
    money = money_of_runs(day, "forecast", simulate_runs(day.street_day, RUNS, houses))
    expected = 2.0 * day.street_day.true_moments.variance.sum()
    error = money.loss.std() / np.sqrt(RUNS)
    assert money.loss.mean() == pytest.approx(expected, abs=LIMIT * error)
    assert money.loss.std() > expected  # it varies by more than is to expect: no range from x to x
    gained = money.change.sum(axis=0) * (100 / houses)
    slack = 0.2 * expected if houses < 100 else 0.0  # which houses are in the sample
    assert -gained.mean() == pytest.approx(expected, abs=LIMIT * gained.std() / np.sqrt(RUNS) + slack)


def test_a_month_is_the_sum_of_independent_days_and_not_one_of_them_thirty_times() -> None:
    day = simulate(Scenario(households=40))
    money = money_of_runs(day, "naive", simulate_runs(day.street_day, 500, 40))
    month = spans(money, 30.0, 0, 2000)
    for of_month, of_day in ((month.loss, money.loss), (month.profit, money.profit)):
        error = np.sqrt(30) * of_day.std() / np.sqrt(2000)
        assert of_month.mean() == pytest.approx(30 * of_day.mean(), abs=LIMIT * error)
        assert of_month.var() == pytest.approx(30 * of_day.var(), rel=LIMIT * np.sqrt(2 / 2000))
    assert month.change.shape == (40, 2000)
    assert month.change.std() < 10 * money.change.std()  # thirty times it would be 30


def test_part_of_a_run_is_its_share_and_a_broken_number_of_runs_is_scaled() -> None:
    day = simulate(Scenario(households=5))
    money = money_of_runs(day, "naive", simulate_runs(day.street_day, 50, 5))
    np.testing.assert_allclose(spans(money, 0.25, 0).loss, money.loss / 4)
    np.testing.assert_allclose(spans(money, 4.2, 0).loss, spans(money, 4.0, 0).loss * 1.05)
