"""Streets at the edge: one house, no demand, the smallest and the largest budget."""

import numpy as np
import pytest

from rtp import Group, Habits, OccupancyModel, Scenario, simulate
from rtp.scenario import BOUNDS, PAPER_PERIODS, period
from tests.help.hourly import HOURLY

ZERO = Scenario(
    households=4,
    beta=0.0,
    groups=(Group(empty_max=0.0),),
    models=(
        OccupancyModel(
            habits=(
                Habits(
                    initial_occupied=0.0,
                    periods=tuple(period(p.name, p.start, leave=0.5, arrive=0.0) for p in PAPER_PERIODS),
                ),
            )
        ),
    ),
)


@pytest.mark.parametrize("elasticity", [0.0, 1.0])
@pytest.mark.parametrize("clip", [False, True])
def test_a_street_that_uses_nothing_for_nothing_has_no_error_where_nothing_is_added(
    elasticity: float, clip: bool
) -> None:
    day = simulate(ZERO.replace(elasticity=elasticity, clip_at_zero=clip))
    for name, release in day.release.items():
        assert (release.demand == 0).all()
        assert release.rmsre == (np.inf if name == "naive" else 0.0)


@pytest.mark.long
@pytest.mark.parametrize("epsilon", [BOUNDS["epsilon"].low, BOUNDS["epsilon"].high])
@pytest.mark.parametrize("name", HOURLY)
def test_extremes_stay_finite(name: str, epsilon: float) -> None:
    for changes in (
        {"households": 1},
        {"households": 7, "days": 3, "habit_spread": 0.5},
        {"households": 2, "elasticity": 5.0, "clip_at_zero": True},
        {"households": 3, "alpha": BOUNDS["alpha"].high, "inelastic_demand": BOUNDS["inelastic_demand"].high},
        {"households": 3, "alpha": BOUNDS["alpha"].low, "independent_noise": True, "naive_bound": "realised"},
    ):
        day = simulate(HOURLY[name].replace(epsilon=epsilon, **changes))
        for release in day.release.values():
            assert np.isfinite(release.rate).all()
            assert np.isfinite(release.demand).all()
            assert np.isfinite([release.rmsre, release.expected_rmsre]).all()
            assert (release.scale >= 0).all()


@pytest.mark.parametrize("start", [1.0, 0.5])
def test_houses_that_use_a_trillion_times_more_when_empty_have_no_negative_variance(start: float) -> None:
    """A sum over the occupied and one over the empty: no difference of large numbers."""
    stay = tuple(period(p.name, p.start, leave=0.0, arrive=0.5) for p in PAPER_PERIODS)
    group = Group(occupied_max=BOUNDS["occupied_max"].low, empty_max=BOUNDS["empty_max"].high)
    model = OccupancyModel(habits=(Habits(initial_occupied=start, periods=stay),))
    for seed in range(10):
        day = simulate(Scenario(households=10, beta=0.0, groups=(group,), models=(model,), seed=seed))
        assert (day.street_day.true_moments.variance > 0).all()
        if start == 1.0:
            bound = day.street.occupied_bound
            np.testing.assert_allclose(
                day.street_day.true_moments.expected_demand[0], bound.sum() / 2, rtol=1e-12
            )
            np.testing.assert_allclose(
                day.street_day.true_moments.variance[0], (bound**2).sum() / 12, rtol=1e-12
            )
