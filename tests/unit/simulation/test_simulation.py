"""simulate(scenario): one street for all budgets, shared luck, houses that can be replayed."""

import numpy as np
import pytest

from rtp import PRESETS, Scenario, simulate
from rtp.mechanisms import REGISTRY
from rtp.simulation.day import loudest_house
from rtp.street.draw import BLOCK
from tests.help.noise import unit_draws

PAPER = PRESETS["paper"]


def test_simulated_occupancy_and_consumption_scatter_around_what_is_expected() -> None:
    day = simulate(Scenario(households=40_000, seed=4))
    chance, n = day.expected_occupancy, 40_000
    assert (np.abs(day.occupancy - chance) <= 5 * np.sqrt(0.25 / n)).all()
    deviation = np.abs(day.street_day.demand - day.street_day.true_moments.expected_demand)
    assert (deviation <= 5 * np.sqrt(day.street_day.true_moments.variance)).all()
    assert deviation.max() > np.sqrt(day.street_day.true_moments.variance.min())


def test_mechanisms_share_their_draws_unless_independent() -> None:
    shared = unit_draws(PAPER)
    assert all(unit is shared["naive"] for unit in shared.values())
    own = unit_draws(PAPER.replace(independent_noise=True))
    units = [unit.tobytes() for unit in own.values()]
    assert len(set(units)) == len(REGISTRY)
    day = simulate(PAPER)
    for name in ("naive", "blowfish", "calibrated"):
        release = day.release[name]
        np.testing.assert_allclose(
            (release.rate - release.optimal) / release.scale, shared["naive"], rtol=1e-6, atol=1e-9
        )


def test_noise_is_laplace() -> None:
    units = np.concatenate(
        [unit_draws(Scenario(seed=seed, days=31, households=1))["naive"] for seed in range(10)]
    )
    n = len(units)
    assert abs(units.mean()) < 5 * np.sqrt(2 / n)
    # |unit Laplace| is exponential with mean and spread 1
    assert abs(np.abs(units).mean() - 1) < 5 / np.sqrt(n)
    assert abs((np.abs(units) > 3).mean() - np.exp(-3)) < 5 * np.sqrt(np.exp(-3) / n)


def test_progress_is_reported_and_may_stop_the_day() -> None:
    done: list[float] = []
    simulate(Scenario(households=10 * BLOCK), done.append)
    assert done == sorted(done)
    assert 1 < len(done) <= 10
    assert done[-1] == 1.0

    class Stopped(Exception):
        pass

    def stop(done: float) -> None:
        raise Stopped

    with pytest.raises(Stopped):
        simulate(Scenario(households=10 * BLOCK), stop)


def test_the_loudest_house_sets_the_widest_noise_or_is_none() -> None:
    day = simulate(Scenario(households=10))
    assert loudest_house(day.release["blowfish"]) == day.street.bound.argmax()
    assert loudest_house(day.release["naive"]) == -1


NOISY = [name for name in REGISTRY if name != "optimal"]


def test_columns_say_what_they_hold_of_whom_and_in_which_unit() -> None:
    plain = simulate(PRESETS["mixed street"].replace(households=3)).frame()
    assert list(plain.columns) == [
        *("day", "time", "period_Office", "period_Home", "period_Shift"),
        *("occupancy", "expected_occupancy", "consumption", "optimal_rate"),
        *(f"{name}_{what}" for name in NOISY for what in ("rate", "error_percent", "scale", "protected")),
    ]
    paid = PRESETS["elastic demand"].replace(households=2, power_unit="kW", currency="EUR")
    rate = "rate_EUR_per_kWh"
    own = (rate, "error_percent", "demand_kW", f"optimal_{rate}", "scale_EUR_per_kWh", "protected")
    assert list(simulate(paid).frame().columns) == [
        *("day", "time", "period", "occupancy", "expected_occupancy", "consumption_kW_per_house"),
        f"optimal_{rate}",
        *(f"{name}_{what}" for name in NOISY for what in own),
    ]


def test_the_frame_has_a_row_for_every_step() -> None:
    day = simulate(PRESETS["mixed street"].replace(households=50, days=2, elasticity=0.4))
    frame = day.frame()
    assert frame["day"].tolist() == [1] * 96 + [2] * 96
    assert frame["time"].iloc[[0, 1, -1]].tolist() == ["00:00", "00:15", "23:45"]
    assert frame[["period_Office", "period_Shift"]].iloc[6 * 4].tolist() == ["Morning", "Return"]
    for name in NOISY:
        release = day.release[name]
        for column in ("rate", "scale", "protected", "demand"):
            np.testing.assert_array_equal(frame[f"{name}_{column}"], getattr(release, column))
        off = (release.rate - release.optimal) / release.optimal
        np.testing.assert_allclose(frame[f"{name}_error_percent"], 100 * off, rtol=1e-9)
