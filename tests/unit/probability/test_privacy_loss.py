"""What noise leaves to learn of one house: its limits without noise, and its series next to nothing."""

import mpmath
import numpy as np
import pytest

from rtp.probability.privacy_loss import (
    llr_range,
    log_mean_exp_slope,
    log_mean_fall,
    privacy_loss,
    privacy_loss_any_use,
)

OCCUPIED, EMPTY = np.array([2.0, 1.0, 1.0, 1.0, 0.0]), np.array([1.0, 4.0, 1.0, 0.0, 0.0])


def test_without_noise_what_one_state_alone_can_use_is_proof() -> None:
    """What both can use tells ln 2, where the larger bound is twice the other, or ln 4."""
    lowest, highest = llr_range(0.0, OCCUPIED, EMPTY)
    np.testing.assert_allclose(lowest, [-np.log(2), -np.inf, 0.0, -np.inf, 0.0], rtol=1e-15)
    np.testing.assert_allclose(highest, [np.inf, np.log(4), 0.0, np.inf, 0.0], rtol=1e-15)
    assert privacy_loss(0.0, OCCUPIED, EMPTY).tolist() == [np.inf, np.inf, 0.0, np.inf, 0.0]
    assert not privacy_loss(np.inf, OCCUPIED, EMPTY).any(), "infinite noise tells nothing"
    for b, losses in ((0.5, [0.0, 4.0]), (0.0, [0.0, np.inf])):
        assert privacy_loss_any_use(b, np.array([0.0, 2.0])).tolist() == losses


@pytest.mark.parametrize("y", [1e-9, 5e-5, 0.99e-4, 1e-4, 1.01e-4, 1.0, 50.0, 1e5])
def test_the_first_terms_of_the_series_are_exact_where_they_are_used(y: float) -> None:
    with mpmath.workdps(60):
        exact = mpmath.mpf(y)
        fall = float(mpmath.log(-mpmath.expm1(-exact) / exact))
        slope = float(-1 / mpmath.expm1(-exact) - 1 / exact)
    assert log_mean_fall(np.array([y]))[0] == pytest.approx(fall, rel=2e-11)
    assert log_mean_exp_slope(np.array([y]))[0] == pytest.approx(slope, rel=2e-11)
