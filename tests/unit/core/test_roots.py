"""The root of a function between two ends, against scipy's Brent."""

from math import exp, log

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq

from rtp.roots import root


@given(st.floats(0.1, 5.0), st.floats(-3.0, 3.0), st.floats(0.1, 20.0))
def test_it_is_where_brents_is_and_the_sign_changes(slope: float, zero: float, wide: float) -> None:
    counted = 0

    def f(x: float) -> float:
        nonlocal counted
        counted += 1
        return exp(slope * (x - zero)) - 1 + (x - zero) ** 3

    low, high = zero - wide, zero + 1.7 * wide
    found = root(f, low, high, absolute=1e-14, relative=1e-14)
    assert counted <= 60
    assert found == pytest.approx(brentq(f, low, high, xtol=1e-14, rtol=1e-14), rel=1e-12, abs=1e-12)
    assert found == root(f, high, low, absolute=1e-14, relative=1e-14) or abs(f(found)) < 1e-12


def test_ends_may_be_the_root_steps_are_found_and_a_missing_root_is_refused() -> None:
    assert root(log, 1.0, 9.0, absolute=0.0, relative=1e-15) == 1.0
    assert root(log, 0.1, 1.0, absolute=0.0, relative=1e-15) == 1.0
    assert root(_step, -1.0, 5.0, absolute=0.0, relative=1e-15) == pytest.approx(2.0, rel=4e-15)
    with pytest.raises(ValueError, match="no change of sign between 2 and 9"):
        root(log, 2.0, 9.0, absolute=0.0, relative=1e-15)


def _step(x: float) -> float:
    return -1.0 if x < 2 else 3.0
