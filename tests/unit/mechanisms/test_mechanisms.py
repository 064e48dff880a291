"""The mechanisms behind one registry: their scales at many budgets, and what two of them publish."""

from dataclasses import replace

import numpy as np
import pytest

from rtp import PRESETS, Habits, OccupancyModel, Scenario, simulate
from rtp.mechanisms import REGISTRY, Public, noise_scales
from rtp.simulation import draw_day, market


def _public(scenario: Scenario) -> Public:
    return market(scenario, draw_day(scenario)).public


@pytest.mark.parametrize("preset", ["paper", "mansions", "mixed street", "unsure curator", "quiet night"])
@pytest.mark.parametrize("negligible", [0.0, 0.05])
def test_the_scale_of_many_budgets_is_that_of_each(preset: str, negligible: float) -> None:
    public = _public(PRESETS[preset].replace(households=60, negligible=negligible))
    budgets = np.array([1e-4, 0.1, 1.0, 50.0])
    for name, together in noise_scales(REGISTRY.values(), replace(public, epsilon=budgets)).items():
        assert together.scale.shape == together.noise_setting_house.shape == (public.steps, len(budgets))
        for e, epsilon in enumerate(budgets.tolist()):
            alone = REGISTRY[name].scale(replace(public, epsilon=epsilon))
            np.testing.assert_allclose(together.scale[:, e], alone.scale, rtol=1e-12, err_msg=name)
            np.testing.assert_array_equal(together.protected, alone.protected)
            np.testing.assert_array_equal(together.noise_setting_house[:, e], alone.noise_setting_house)


def test_two_models_that_are_certain_but_disagree_protect_nothing() -> None:
    """The promise holds within each θ; it is said wherever a promise is shown."""
    still = Habits().periods[0].replace(matrix=((1.0, 0.0), (0.0, 1.0)), basis="step")
    periods = tuple(still.replace(name=p.name, start=p.start) for p in Habits().periods)
    models = tuple(
        OccupancyModel(name=name, habits=(Habits(initial_occupied=start, periods=periods),))
        for name, start in (("Away", 0.0), ("Home", 1.0))
    )
    release = simulate(Scenario(models=models, households=10)).release["blowfish"]
    assert (release.protected == 0).all()
    np.testing.assert_array_equal(release.rate, release.optimal)


def test_forecast_and_optimal_are_what_they_say() -> None:
    day = simulate(Scenario(households=100))
    optimal, forecast = day.release["optimal"], day.release["forecast"]
    np.testing.assert_array_equal(optimal.rate, optimal.optimal)
    assert optimal.rmsre == optimal.expected_rmsre == 0
    assert (optimal.protected == 0).all()
    np.testing.assert_allclose(forecast.rate, day.street_day.true_moments.expected_demand + 62.5, rtol=1e-12)
    assert not REGISTRY["forecast"].reads_demand
    assert (forecast.scale == 0).all()
