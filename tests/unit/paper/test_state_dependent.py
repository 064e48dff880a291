"""Noise that follows the states that houses are in: smaller in some steps, and no promise at all."""

import numpy as np
import pytest
from numpy.random import default_rng

from rtp.paper.choices import price_as_simulated, price_with_state_bounds
from rtp.paper.reproduction import PAPER
from rtp.paper.state_dependent import (
    ExposedHouse,
    bounds_by_state,
    exceedance,
    log_likelihood_ratio,
    most_exposed,
)
from rtp.simulation import draw_day
from rtp.street.simulate import replay_houses
from tests.help.oracles import density

EPSILON = PAPER.epsilon
LIFE = draw_day(PAPER)
HOUSE = most_exposed(LIFE.street)


def test_bounds_by_state_are_those_of_each_houses_state() -> None:
    states, consumption = replay_houses(LIFE.spec, LIFE.street, range(PAPER.households))
    bounds = bounds_by_state(LIFE)
    for house in (0, 17, HOUSE.number):
        pair = LIFE.street.empty_bound[house], LIFE.street.occupied_bound[house]
        assert bounds[:, house].tolist() == [pair[int(state)] for state in states[:, house]]
    assert (consumption <= bounds).all()


def test_noise_is_smaller_in_some_steps_with_nobody_dropped() -> None:
    ours, other = price_as_simulated(PAPER, LIFE), price_with_state_bounds(PAPER, LIFE)
    assert other.dropping == ours.dropping == 0
    fewer = other.scale[1] < ours.scale[1]
    assert 0 < fewer.sum() < PAPER.steps
    assert other.scale[[0, 2]].tolist() == ours.scale[[0, 2]].tolist()
    # While most sleep, fewer bounds are those of waking houses: the maximum falls there.
    asleep = LIFE.occupied < PAPER.households / 4
    assert other.scale[1][asleep].mean() < other.scale[1][~asleep].mean()


def test_the_exposed_house_has_the_largest_bound_others_empty() -> None:
    assert HOUSE.occupied == LIFE.street.occupied_bound.max()
    others = np.arange(PAPER.households) != HOUSE.number
    assert HOUSE.others == LIFE.street.empty_bound[others].max()
    assert HOUSE.state_dependent_scales(EPSILON) == (HOUSE.occupied / EPSILON, HOUSE.others / EPSILON)


def test_the_likelihood_ratio_is_that_of_the_exact_densities() -> None:
    for x in (-3.0, 0.2, 0.7, 9.0):
        occupied = density(x, [HOUSE.occupied], HOUSE.state_dependent_scales(EPSILON)[0])
        empty = density(x, [HOUSE.empty], HOUSE.state_dependent_scales(EPSILON)[1])
        assert log_likelihood_ratio(np.array([x]), HOUSE, HOUSE.state_dependent_scales(EPSILON))[
            0
        ] == pytest.approx(np.log(float(occupied / empty)))


def test_no_budget_bounds_the_ratio_of_a_far_rate() -> None:
    occupied, empty = HOUSE.state_dependent_scales(EPSILON)
    told_at = log_likelihood_ratio(np.array([20.0, 40.0, 80.0]), HOUSE, (occupied, empty))
    slope = 1 / empty - 1 / occupied
    assert np.diff(told_at) == pytest.approx([20 * slope, 40 * slope])
    assert told_at[-1] > 50 * EPSILON


def test_half_of_the_rates_exceed_the_promise() -> None:
    """By sampling, independent of the densities' integral; and with Algorithm 1's one scale none does."""
    rng, n = default_rng(8), 20_000
    scales = HOUSE.state_dependent_scales(EPSILON)
    found = exceedance(HOUSE, scales, EPSILON)
    for share, bound, scale in zip(found, (HOUSE.occupied, HOUSE.empty), scales, strict=True):
        x = bound * rng.random(n) + scale * rng.laplace(size=n)
        beyond = np.mean(np.abs(log_likelihood_ratio(x, HOUSE, scales)) > EPSILON)
        assert abs(beyond - share) < 4 * (share * (1 - share) / n) ** 0.5
        assert share > 0.4
    alike = HOUSE.common_scales(EPSILON)
    assert alike == (LIFE.street.bound.max() / EPSILON,) * 2
    assert exceedance(HOUSE, alike, EPSILON) == (0.0, 0.0)
    assert max(exceedance(HOUSE, (0.25 * alike[0],) * 2, EPSILON)) > 0  # too little noise is found out


def test_where_the_state_moves_no_scale_nothing_is_told() -> None:
    hidden = ExposedHouse(0, 0.4, 0.1, others=0.9, largest=0.95)
    assert hidden.state_dependent_scales(EPSILON) == (0.9 / EPSILON, 0.9 / EPSILON)
    assert exceedance(hidden, hidden.state_dependent_scales(EPSILON), EPSILON) == (0.0, 0.0)
