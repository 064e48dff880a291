"""The smallest Laplace scale: its root, and the widest of a street without solving all."""

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng

from rtp.mechanisms.calibrated import calibrate, widest
from rtp.scenario import BOUNDS

BOUND = st.floats(1e-6, 1e3)
EPSILON = st.floats(BOUNDS["epsilon"].low, BOUNDS["epsilon"].high)


def _loss(occupied: float, empty: float, b: float) -> mpmath.mpf:
    def log_m(u: float) -> mpmath.mpf:
        y = mpmath.mpf(u) / mpmath.mpf(b)
        return mpmath.log(mpmath.expm1(y) / y) if y else mpmath.mpf(0)

    with mpmath.workdps(60):
        return abs(log_m(occupied) - log_m(empty))


@given(BOUND, BOUND, EPSILON)
def test_the_root_meets_epsilon_in_sixty_digits(occupied: float, empty: float, epsilon: float) -> None:
    (b,) = calibrate(np.array([occupied]), np.array([empty]), epsilon).tolist()
    gap = abs(occupied - empty) / max(occupied, empty)
    if gap < 1e-6:  # what is left of the difference of two almost equal bounds decides
        return
    assert float(_loss(occupied, empty, b)) == pytest.approx(epsilon, rel=1e-8)


@given(BOUND, st.floats(0, 1), EPSILON)
def test_calibrated_never_needs_more_than_blowfish(larger: float, share: float, epsilon: float) -> None:
    b = calibrate(np.array([larger]), np.array([share * larger]), epsilon)[0]
    assert b <= larger / epsilon * (1 + 1e-12)


@given(st.integers(0, 2**31), st.integers(1, 400), EPSILON, EPSILON, st.booleans())
def test_the_widest_is_that_of_solving_for_every_house(
    seed: int, houses: int, one: float, other: float, alike: bool
) -> None:
    """At two budgets at once; also on streets where many bounds are alike."""
    rng = default_rng(seed)
    occupied, empty = rng.random(houses), rng.uniform(0, 1.5) * rng.random(houses)
    if alike:
        occupied, empty = np.round(occupied, 1), np.round(empty, 1)
    found = widest(occupied, empty, np.array([one, other]))
    for epsilon, b, house in zip((one, other), *found, strict=True):
        every = calibrate(occupied, empty, epsilon)
        assert b == pytest.approx(every.max(), rel=1e-9)
        assert every[house] == pytest.approx(every.max(), rel=1e-9)
