"""What noise leaves to learn of one house: its series next to nothing."""

import mpmath
import numpy as np
import pytest

from rtp.probability.privacy_loss import (
    log_mean_exp_slope,
    log_mean_fall,
)


@pytest.mark.parametrize("y", [1e-9, 5e-5, 0.99e-4, 1e-4, 1.01e-4, 1.0, 50.0, 1e5])
def test_the_first_terms_of_the_series_are_exact_where_they_are_used(y: float) -> None:
    with mpmath.workdps(60):
        exact = mpmath.mpf(y)
        fall = float(mpmath.log(-mpmath.expm1(-exact) / exact))
        slope = float(-1 / mpmath.expm1(-exact) - 1 / exact)
    assert log_mean_fall(np.array([y]))[0] == pytest.approx(fall, rel=2e-11)
    assert log_mean_exp_slope(np.array([y]))[0] == pytest.approx(slope, rel=2e-11)
