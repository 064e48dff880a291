"""What a model expects of demand: exact moments, against sums house by house and against textbook days."""

import numpy as np
import pytest
from hypothesis import given

from rtp import Habits, Scenario
from rtp.core.time import STEPS_PER_DAY
from rtp.core.types import Floats
from rtp.scenario import period
from rtp.simulation import draw_day
from tests.help import oracles
from tests.help.strategies import scenarios


@pytest.mark.slow
@given(scenarios(max_households=6))
def test_moments_are_sums_over_houses(scenario: Scenario) -> None:
    life = draw_day(scenario)
    street, outlook = life.street, life.true_moments
    initial, period, leave, arrive = oracles.chances(scenario, street, 0)
    u1, u0 = street.occupied_bound, street.empty_bound
    of_house: dict[str, list[Floats]] = {
        name: []
        for name in ("occupied", "demand", "occupancy_variance", "lag1_covariance", "consumption_variance")
    }
    houses, chance = np.arange(scenario.households), initial
    for t in range(scenario.steps):
        p = period[t % STEPS_PER_DAY]
        out, back = leave[p, houses], arrive[p, houses]
        presence = ((u1 - u0) / 2) ** 2 * chance * (1 - chance)
        of_house["occupied"].append(chance)
        of_house["demand"].append((chance * u1 + (1 - chance) * u0) / 2)
        of_house["occupancy_variance"].append(presence)
        of_house["lag1_covariance"].append(presence * (1 - out - back))
        of_house["consumption_variance"].append((chance * u1**2 + (1 - chance) * u0**2) / 12)
        chance = chance * (1 - out) + (1 - chance) * back
    for name, values in of_house.items():
        for g in range(len(scenario.groups)):
            expected = np.array(values)[:, street.group == g].sum(axis=1)
            np.testing.assert_allclose(getattr(outlook, name)[g], expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("spread", [0.0, 0.01])
def test_where_nobody_is_protected_exactly_nothing_is_uncertain(spread: float) -> None:
    """Also at the first step of a period that leaves room for doubt."""
    *others, night = Habits().periods
    everyone_out = period(night.name, night.start, leave=1.0, arrive=0.0, basis="step")
    model = Scenario().models[0].replace(habits=(Habits(periods=(*others, everyone_out)),))
    life = draw_day(Scenario(households=301, days=2, habit_spread=spread, models=(model,)))
    certain = ~life.support_classes.protected.any(axis=1)
    assert np.flatnonzero(certain).tolist() == [*range(1, 29), *range(93, 125), *range(189, 192)]
    assert not life.true_moments.occupancy_variance[:, certain].any()
    assert not life.true_moments.lag1_covariance[:, certain].any()
    np.testing.assert_array_equal(life.true_moments.occupied[0, certain], 0.0)
