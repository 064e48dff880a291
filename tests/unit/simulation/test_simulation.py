"""simulate(scenario): one street for all budgets, shared luck, houses that can be replayed."""

import numpy as np
import pytest
from hypothesis import given, settings

from rtp import PRESETS, Scenario, simulate
from rtp.mechanisms import REGISTRY
from rtp.simulation import is_papers_street
from rtp.street.draw import BLOCK
from rtp.street.simulate import replay_houses
from tests.help.noise import unit_draws
from tests.help.strategies import scenarios

PAPER = PRESETS["paper"]


def test_simulated_occupancy_and_consumption_scatter_around_what_is_expected() -> None:
    day = simulate(Scenario(households=40_000, seed=4))
    chance, n = day.expected_occupancy, 40_000
    assert (np.abs(day.occupancy - chance) <= 5 * np.sqrt(0.25 / n)).all()
    deviation = np.abs(day.street_day.demand - day.street_day.true_moments.expected_demand)
    assert (deviation <= 5 * np.sqrt(day.street_day.true_moments.variance)).all()
    assert deviation.max() > np.sqrt(day.street_day.true_moments.variance.min())


@pytest.mark.parametrize(
    "field", ["epsilon", "alpha", "beta", "inelastic_demand", "independent_noise", "clip_at_zero"]
)
def test_what_the_curator_decides_leaves_the_street_untouched(field: str) -> None:
    changed = {"epsilon": 5.0, "alpha": 2.0, "beta": 1.0, "inelastic_demand": 9.0}.get(field, True)
    here, there = simulate(PAPER), simulate(PAPER.replace(**{field: changed}))
    for name in ("occupancy", "consumption", "expected_occupancy"):
        assert getattr(here, name).tobytes() == getattr(there, name).tobytes()
    assert (
        here.release["naive"].rate.tobytes() != there.release["naive"].rate.tobytes()
        or field == "clip_at_zero"
    )


def test_with_price_response_the_street_ignores_the_budget() -> None:
    elastic = PRESETS["elastic demand"]
    here, there = simulate(elastic), simulate(elastic.replace(epsilon=5.0))
    assert here.street_day.demand.tobytes() == there.street_day.demand.tobytes()
    assert here.release["naive"].demand.tobytes() != there.release["naive"].demand.tobytes()


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


@pytest.mark.slow
@settings(max_examples=30)
@given(scenarios(max_households=5))
def test_replaying_houses_gives_the_very_day(scenario: Scenario) -> None:
    day = simulate(scenario.replace(days=2))
    houses = list(range(scenario.households))
    states, consumption = replay_houses(day.street_day.spec, day.street, houses)
    np.testing.assert_array_equal(states.sum(axis=1), day.street_day.occupied)
    np.testing.assert_allclose(consumption.sum(axis=1), day.street_day.demand, rtol=1e-12)
    bound = np.where(states, day.street.occupied_bound, day.street.empty_bound)
    assert (consumption <= bound).all()
    some = houses[::-2]
    np.testing.assert_array_equal(
        replay_houses(day.street_day.spec, day.street, some)[1], consumption[:, some]
    )


def test_certain_houses_do_what_they_must() -> None:
    day = simulate(PRESETS["quiet night"].replace(days=2, households=300))
    certain = day.release["blowfish"].protected == 0
    assert set(np.unique(day.occupancy[certain])) <= {0.0, 1.0}
    np.testing.assert_array_equal(day.occupancy[certain], day.expected_occupancy[certain])


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


def test_the_papers_street_is_known_whatever_its_draw_and_prices() -> None:
    assert is_papers_street(Scenario())
    assert is_papers_street(Scenario(seed=99, epsilon=3.0, alpha=2.0))
    assert not is_papers_street(Scenario(households=999))
    assert not is_papers_street(Scenario(step_minutes=30))
