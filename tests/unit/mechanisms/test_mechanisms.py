"""The mechanisms behind one registry: their scales at many budgets, and what two of them publish."""

from dataclasses import replace

import numpy as np
import pytest

from rtp import PRESETS, Scenario
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
