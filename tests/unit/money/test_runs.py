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
    for name in ("loss", "profit"):
        of_month, of_day = getattr(month, name), getattr(money, name)
        error = np.sqrt(30) * of_day.std() / np.sqrt(2000)
        assert of_month.mean() == pytest.approx(30 * money.mean(name), abs=LIMIT * error)
        assert of_month.var() == pytest.approx(30 * of_day.var(), rel=LIMIT * np.sqrt(2 / 2000))
    assert month.change.shape == (40, 2000)
    assert month.change.std() < 10 * money.change.std()  # thirty times it would be 30


@pytest.mark.parametrize(("runs", "whole"), [(0.25, 1.0), (4.2, 4.0)])
def test_a_broken_number_of_runs_has_its_share_of_mean_and_variance(runs: float, whole: float) -> None:
    day = simulate(Scenario(households=5))
    money = money_of_runs(day, "forecast", simulate_runs(day.street_day, 50, 5))
    part, all_of_it = spans(money, runs, 0), spans(money, whole, 0)
    for name in ("profit", "loss", "change"):
        mean = money.mean(name)[..., None]
        broken, complete = getattr(part, name) - runs * mean, getattr(all_of_it, name) - whole * mean
        np.testing.assert_allclose(broken, complete * np.sqrt(runs / whole), atol=1e-9)
