"""What a promise of ε means in chances: the vertex of the promise, which no house goes beyond."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp.probability.laplace_uniform import density
from rtp.probability.privacy_loss import privacy_loss, worst_case


@given(st.floats(0.01, 20.0), st.floats(0.05, 3.0), st.floats(0.0, 3.0))
def test_no_house_exceeds_the_worst_case_of_its_loss(b: float, u1: float, u0: float) -> None:
    """She believes what is likelier; her chances are integrated on a grid, which errs by a step's mass."""
    most = worst_case(float(privacy_loss(b, np.array([u1]), np.array([u0]))[0]))
    grid = np.linspace(-40 * b, max(u1, u0) + 40 * b, 20_001)
    occupied, empty = (density(grid, np.array([u]), b) for u in (u1, u0))
    q, p = (float(np.trapezoid(np.where(occupied > empty, each, 0.0), grid)) for each in (occupied, empty))
    assert q - p <= most.occupied - most.empty + 2 * (grid[1] - grid[0]) / b


def test_the_worst_case_holds_both_sides_of_the_promise_with_equality() -> None:
    for epsilon in (1e-4, 0.5, 3.0):
        empty, occupied = worst_case(epsilon)
        assert occupied / empty == pytest.approx(np.exp(epsilon))
        assert (1 - empty) / (1 - occupied) == pytest.approx(np.exp(epsilon))
