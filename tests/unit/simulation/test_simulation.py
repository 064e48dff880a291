"""simulate(scenario): one street for all budgets, shared luck, houses that can be replayed."""

import numpy as np

from rtp import PRESETS, Scenario, simulate
from rtp.mechanisms import REGISTRY
from rtp.street.draw import BLOCK
from tests.help.noise import unit_draws

PAPER = PRESETS["paper"]


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


def test_progress_is_reported_up_to_the_end() -> None:
    done: list[float] = []
    simulate(Scenario(households=10 * BLOCK), done.append)
    assert done == sorted(done)
    assert 1 < len(done) <= 10
    assert done[-1] == 1.0


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
