"""A day as a table: one row per step, every number that was published."""

import numpy as np

from rtp import PRESETS, simulate


def test_the_frame_has_one_row_per_step() -> None:
    day = simulate(PRESETS["mixed street"].replace(households=50, days=2))
    frame = day.frame()
    assert len(frame) == 192
    assert frame["day"].tolist() == [1] * 96 + [2] * 96
    assert frame["time"].tolist()[:2] + frame["time"].tolist()[-1:] == ["00:00", "00:15", "23:45"]
    assert "period" not in frame, "the groups keep different hours"
    assert frame["period_Office"].tolist()[0] == "Night"
    assert frame["period_Office"].tolist()[6 * 4] == "Morning"
    assert frame["period_Shift"].tolist()[6 * 4] == "Return"
    assert simulate(PRESETS["paper"].replace(households=9)).frame()["period"][6 * 4] == "Night"
    for name, release in day.release.items():
        np.testing.assert_array_equal(frame[f"{name}_rate"], release.rate)
        if name != "optimal":
            np.testing.assert_array_equal(frame[f"{name}_scale"], release.scale)
            off = (release.rate - release.optimal) / release.optimal
            np.testing.assert_allclose(frame[f"{name}_error_percent"], 100 * off, rtol=1e-9)
            np.testing.assert_array_equal(frame[f"{name}_protected"], release.protected)
    assert "naive_demand" not in frame


def test_with_price_response_the_frame_tells_each_mechanisms_own_world() -> None:
    day = simulate(PRESETS["elastic demand"].replace(households=50))
    frame = day.frame()
    np.testing.assert_array_equal(frame["naive_demand"], day.release["naive"].demand)
    np.testing.assert_array_equal(frame["naive_optimal_rate"], day.release["naive"].optimal)


NOISY = ["naive", "blowfish", "calibrated", "filtered", "forecast", "threshold"]


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
