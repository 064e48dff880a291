"""Beliefs that are wrong: what is offered, and that nothing but the belief changes."""

import numpy as np
import pytest

from rtp import PRESETS, Scenario
from rtp.mechanisms import REGISTRY, private
from rtp.scenario import Habits, OccupancyModel, ScenarioError, period
from rtp.simulation import draw_day
from rtp.tradeoff import curve
from rtp.tradeoff.misspecification import candidates, with_assumed_model

BUDGETS = (0.1, 0.5, 2.0)


def test_models_without_a_root_are_not_offered_with_roots() -> None:
    calm = tuple(period(f"P{i}", 4.0 * i, leave=0.2, arrive=0.3) for i in range(4))
    scenario = Scenario(models=(OccupancyModel(habits=(Habits(periods=calm),)),), conversion="root")
    assert set(candidates(scenario)) < set(candidates(scenario.replace(conversion="geometric")))
    for model in candidates(scenario).values():
        with_assumed_model(scenario.replace(households=5), draw_day(scenario.replace(households=5)), model)
    with pytest.raises(ScenarioError):
        with_assumed_model(scenario, draw_day(scenario), PRESETS["paper"].models[0])


@pytest.mark.parametrize("name", ["paper", "unsure curator"])
def test_only_filter_and_forecast_move_and_they_get_worse(name: str) -> None:
    scenario = PRESETS[name].replace(households=200)
    life = draw_day(scenario)
    model = next(iter(candidates(scenario).values()))
    right = curve(scenario, BUDGETS, 50, street_day=with_assumed_model(scenario, life, None))
    wrong = curve(scenario, BUDGETS, 50, street_day=with_assumed_model(scenario, life, model))
    for mechanism in private():
        before, after = right.lines[mechanism], wrong.lines[mechanism]
        if REGISTRY[mechanism].postprocess is None:
            assert after.expected.tolist() == before.expected.tolist()
            assert after.low.tolist() == before.low.tolist()
        else:
            assert np.all(after.expected > before.expected)
