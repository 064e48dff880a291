"""The crowd's (ε, δ) profile against direct integration, the normal limit, and what must fall."""

from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.random import default_rng

from rtp.core.types import Floats
from rtp.leakage.crowd import (
    BLUR,
    MAX_NODES,
    Crowd,
    CrowdProfile,
)
from rtp.mechanisms.calibrated import calibrate
from rtp.probability.laplace_uniform import density
from rtp.street.draw import Use

BOUNDS = (0.9, 0.1)
HOUSE = Use(occupied_bound=np.array([0.9]), empty_bound=np.array([0.1]))
EPSILONS = np.array([0.02, 0.3, 1.0])


def random_crowd(houses: int, seed: int = 1) -> Crowd:
    rng = default_rng(seed)
    return Crowd(
        occupied=rng.uniform(0.1, 0.9, houses),
        use=Use(occupied_bound=rng.random(houses), empty_bound=rng.random(houses) / 2),
    )


def directly(others: Crowd, b: float, points: int = 2001, epsilons: Floats = EPSILONS) -> Floats:
    """Both densities by the closed form of every joint state, and the two integrals by the midpoint rule."""
    top = float(np.maximum(others.use.occupied_bound, others.use.empty_bound).sum()) + max(BOUNDS)
    x = np.linspace(-30 * b, top + 30 * b, points)
    densities = []
    for own in BOUNDS:
        total = np.zeros_like(x)
        for states in product((False, True), repeat=len(others)):
            weight = np.prod(np.where(states, others.occupied, 1 - others.occupied))
            uses = np.where(states, others.use.occupied_bound, others.use.empty_bound)
            total += weight * density(x, np.append(uses, own), b)
        densities.append(total)
    one, other = densities
    return np.array(
        [
            max(np.maximum(one - k * other, 0).sum(), np.maximum(other - k * one, 0).sum()) * (x[1] - x[0])
            for k in np.exp(epsilons)
        ]
    )


@pytest.mark.slow
@pytest.mark.parametrize(("houses", "b"), [(0, 0.0), (0, 1.5), (1, 0.3), (3, 0.0), (3, 1.5), (4, 0.3)])
def test_the_profile_is_that_of_direct_integration(houses: int, b: float) -> None:
    """The midpoint rule is right to (spacing/width)² of a smooth density, and to spacing/width of one that
    jumps, as without noise or others it does; the Gaussian that ends the series is finer."""
    others = random_crowd(houses)
    found, direct = CrowdProfile(others, HOUSE).delta(EPSILONS, b), directly(others, b)
    spacing = (others.window()[1] + max(BOUNDS) + 60 * b) / 2000
    assert spacing > others.window()[1] * BLUR / (2 * np.pi * MAX_NODES)
    np.testing.assert_allclose(found, direct, atol=2e-3 if houses + b else 2 * spacing / min(BOUNDS))


def test_the_normal_limit_of_ten_thousand_houses() -> None:
    """Two normal laws with the means and variances of the two states; the third moment is of order 1/√N."""
    others = random_crowd(10_000)
    p, u, v = others.occupied, others.use.occupied_bound, others.use.empty_bound
    mean = float((p * u + (1 - p) * v).sum() / 2)
    variance = float(((p * u**2 + (1 - p) * v**2) / 12 + p * (1 - p) * (u - v) ** 2 / 4).sum())
    deviation = np.sqrt(variance)
    x = np.linspace(mean - 9 * deviation, mean + 9 * deviation, 20_001)
    one, other = (
        np.exp(-((x - mean - own / 2) ** 2) / (2 * (variance + own**2 / 12)))
        / np.sqrt(2 * np.pi * (variance + own**2 / 12))
        for own in BOUNDS
    )
    epsilons = np.array([0.005, 0.01, 0.03])
    normal = [
        max(np.maximum(one - k * other, 0).sum(), np.maximum(other - k * one, 0).sum()) * (x[1] - x[0])
        for k in np.exp(epsilons)
    ]
    np.testing.assert_allclose(CrowdProfile(others, HOUSE).delta(epsilons, 0.0), normal, rtol=0.02)


@pytest.mark.slow
@settings(max_examples=8)
@given(
    houses=st.integers(0, 40), b=st.floats(0.05, 3.0), epsilon=st.floats(0.01, 2.0), seed=st.integers(0, 99)
)
def test_delta_falls_with_epsilon_with_the_noise_and_with_every_house(
    houses: int, b: float, epsilon: float, seed: int
) -> None:
    others = random_crowd(houses + 1, seed)
    hidden, fewer = CrowdProfile(others, HOUSE), CrowdProfile(others.only(np.arange(houses)), HOUSE)
    at = np.array([epsilon, 1.2 * epsilon])
    here, slack = hidden.delta(at, b), 2e-4  # the window differs, and with it what ends the series
    assert here[1] <= here[0] + 1e-12
    assert hidden.delta(at, 1.2 * b)[0] <= here[0] + slack
    assert fewer.delta(at, b)[0] >= here[0] - slack


@pytest.mark.long
@pytest.mark.parametrize(
    ("houses", "epsilon", "delta"), [(0, 0.05, 1e-2), (0, 0.5, 1e-6), (0, 1.0, 1e-9), (1, 0.5, 1e-6)]
)
def test_noise_for_a_house_alone_is_safe_and_tight(houses: int, epsilon: float, delta: float) -> None:
    """Or for one with a neighbour, where a density's kinks matter. The midpoint rule is right to a
    millionth of δ."""
    others = random_crowd(houses)
    b = CrowdProfile(others, HOUSE).noise_needed(epsilon, delta)
    safe, less = (directly(others, each, 400_001, np.array([epsilon]))[0] for each in (b, b / 1.002))
    assert safe <= delta * (1 + 1e-6)
    assert less > delta


@pytest.mark.long
@settings(max_examples=8)
@given(
    houses=st.integers(0, 30),
    epsilon=st.floats(0.01, 50.0),
    delta=st.floats(-12.0, -0.4).map(lambda power: 10.0**power),
    bounds=st.tuples(st.floats(0.01, 1.0), st.floats(0.0, 1.0)),
)
@example(houses=0, epsilon=20.0, delta=1e-9, bounds=(0.9, 0.1))
@example(houses=5, epsilon=20.0, delta=1e-9, bounds=(0.9, 0.1))
def test_no_more_noise_is_needed_than_calibrated(
    houses: int, epsilon: float, delta: float, bounds: tuple[float, float]
) -> None:
    """Which hides the house from whoever knows the others, so at (ε, 0)."""
    occupied, empty = map(np.atleast_1d, bounds)
    crowd = CrowdProfile(random_crowd(houses), Use(occupied_bound=occupied, empty_bound=empty))
    needed, enough = crowd.noise_needed(epsilon, delta), float(calibrate(occupied, empty, epsilon)[0])
    assert 0 <= needed <= enough * (1 + 1e-12)
