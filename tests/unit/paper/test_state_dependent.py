"""Noise that follows the states that houses are in: smaller in some steps, and no promise at all."""

import numpy as np
import pytest
from numpy.random import default_rng

from rtp.paper.reproduction import PAPER
from rtp.paper.state_dependent import exceedance, log_likelihood_ratio, most_exposed
from rtp.simulation import draw_day
from tests.help.oracles import density

EPSILON = PAPER.epsilon
LIFE = draw_day(PAPER)
HOUSE = most_exposed(LIFE.street)


def test_the_likelihood_ratio_is_that_of_the_exact_densities() -> None:
    scales = HOUSE.state_dependent_scales(EPSILON)
    for x in (-3.0, 0.2, 0.7, 9.0):
        occupied, empty = density(x, [HOUSE.occupied], scales[0]), density(x, [HOUSE.empty], scales[1])
        expected = np.log(float(occupied / empty))
        assert log_likelihood_ratio(np.array([x]), HOUSE, scales)[0] == pytest.approx(expected)


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
