"""Coming and going: bases, habits, expected occupancy, what is possible."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng

from rtp import Scenario
from rtp.core.time import STEPS_PER_DAY
from rtp.core.types import Floats
from rtp.probability.markov import marginals
from rtp.scenario import Habits, period
from rtp.simulation import draw_day, street_spec
from rtp.simulation.setup import schedule_of
from rtp.street.draw import group_sizes
from rtp.street.prior_marginals import support_classes
from rtp.street.schedule import INTERIOR, both_states_possible, personal_habits
from tests.help import oracles
from tests.help.strategies import habits, scenarios


def _draws(houses: int, seed: int = 0) -> np.ndarray:
    return default_rng(seed).standard_normal((houses, 2, 4), dtype=np.float32)


@given(habits(), st.sampled_from([0.0, 0.01, 0.5]))
def test_personal_habits_keep_structure_and_stay_probabilities(habit: Habits, spread: float) -> None:
    plan = schedule_of(habit)
    leave, arrive = personal_habits(plan, _draws(200), spread)
    for p, part in enumerate(habit.periods):
        for stated, ours in ((part.leave, leave[p]), (part.arrive, arrive[p])):
            if stated in (0, 1):
                assert (ours == stated).all()
            else:
                assert (ours >= INTERIOR).all()
                assert (ours <= 1 - INTERIOR).all()


def test_possibility_never_comes_from_an_underflowed_probability() -> None:
    """Leaving at 1 − 10⁻¹⁵ a step leaves 10⁻¹⁴⁴⁰ after a day: 0 as a float, but possible."""
    sleepy = period("Night", 0.0, leave=1 - 1e-15, arrive=0.0, basis="step")
    plan = schedule_of(
        Habits(
            periods=tuple(sleepy.replace(name=f"P{i}", start=float(i)) for i in range(4)),
            initial_occupied=1.0,
        )
    )
    both = both_states_possible(np.array([1.0]), plan.period[None], plan.possible[None], STEPS_PER_DAY)[:, 0]
    assert not both[0]
    assert both[1:].all()


# The drawn street: the sizes of its groups, and the chains of its houses


@given(st.lists(st.integers(1, 50), min_size=1, max_size=8), st.integers(1, 10_000))
def test_groups_get_their_share_to_within_one_house(weights: list[int], households: int) -> None:
    shares = [w / sum(weights) for w in weights]
    sizes = group_sizes(shares, households)
    assert sum(sizes) == households
    assert all(abs(size - share * households) < 1 for size, share in zip(sizes, shares, strict=True))


# Support classes: what is possible, on booleans; how likely it is: test_threshold.py


@given(scenarios(max_households=5))
def test_possible_states_are_those_of_any_chain_with_these_zeros(scenario: Scenario) -> None:
    """All that is neither 0 nor 1 is put at ½, so that no probability of a day underflows."""
    spec = street_spec(scenario)
    street = spec.draw()
    classes = support_classes(spec, street)
    for model in range(len(spec.schedules)):
        chains = spec.chains(street, model)
        coin = replace(
            chains, initial=_half(chains.initial), leave=_half(chains.leave), arrive=_half(chains.arrive)
        )
        occupied, empty = marginals(coin)
        possible = classes.both_states_possible[model][:, classes.of_house]
        np.testing.assert_array_equal((occupied > 0) & (empty > 0), possible)


def _half(probability: Floats) -> Floats:
    return np.where((probability > 0) & (probability < 1), 0.5, probability)


# What a model expects of demand: exact moments, against sums house by house and against textbook days


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
