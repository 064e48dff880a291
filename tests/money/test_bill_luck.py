"""The same day with other noise, against what is known about it exactly."""

import numpy as np
import pytest

from rtp import PRESETS, Scenario, simulate
from rtp.mechanisms import private
from rtp.money.bills import bills, generator
from rtp.money.luck import other_noise
from rtp.statistics import middle

DAYS = 2000


@pytest.mark.parametrize("mechanism", ["naive", "blowfish", "calibrated"])
def test_centred_noise_costs_nothing_on_average_and_the_mismatch_is_its_variance(mechanism: str) -> None:
    day = simulate(Scenario(households=100))
    luck = other_noise(day, mechanism, DAYS, 20)
    scale, demand = day.release[mechanism].scale, day.release[mechanism].demand
    spread = np.sqrt(2 * np.sum((scale * demand) ** 2))  # of the loss, −Σ noise·Z
    assert abs(luck.loss.mean()) < 5 * spread / np.sqrt(DAYS)
    # A variance estimate of n values with kurtosis κ has the relative error √((κ − 1)/n); κ ≤ 6 for a sum.
    assert luck.loss.var() == pytest.approx(spread**2, rel=5 * np.sqrt(5 / DAYS))
    expected = np.sum(2 * scale**2) / (2 * day.scenario.alpha)
    error = np.sqrt(np.sum(20 * scale**4)) / (2 * day.scenario.alpha)  # Var[Lap²] = 20 b⁴
    assert abs(luck.mismatch.mean() - expected) < 5 * error / np.sqrt(DAYS)


def test_a_mechanism_without_noise_has_no_luck_and_gives_the_days_own_bills() -> None:
    day = simulate(PRESETS["mixed street"].replace(households=60))
    luck = other_noise(day, "forecast", 3, 60)
    own = bills(day)["forecast"].difference
    assert luck.change == pytest.approx(np.repeat(own[:, None], 3, axis=1), rel=1e-9, abs=1e-9)
    assert luck.loss == pytest.approx([generator(day)["forecast"].loss] * 3, rel=1e-9)


@pytest.mark.parametrize("mechanism", private())
def test_the_days_own_bills_fall_where_other_noise_falls(mechanism: str) -> None:
    day = simulate(PRESETS["elastic demand"].replace(households=100))
    luck = other_noise(day, mechanism, 400, 100)
    assert luck.change.shape == (100, 400)
    low, high = luck.change.mean(axis=0).min(), luck.change.mean(axis=0).max()
    slack = 1e-9 * max(abs(low), abs(high))  # a chance of 1/200 beyond 400 others; the seed is fixed
    assert low - slack <= bills(day)[mechanism].difference.mean() <= high + slack


def test_the_middle_of_values() -> None:
    assert middle(np.arange(1001.0), level=0.9) == pytest.approx((50.0, 950.0))
    both = np.stack([np.arange(1001.0), 2 * np.arange(1001.0)])
    low, high = middle(both, axis=1)
    assert [*low, *high] == pytest.approx([25.0, 50.0, 975.0, 1950.0])
