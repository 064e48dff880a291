"""Remarks around the paper: what each example computes, by another way."""

import numpy as np
import pytest

from rtp import simulate
from rtp.leakage.moment import moment_leakage
from rtp.paper.choices import paper_with_periods
from rtp.paper.remarks import correlated_pair, group_errors, moment_loss
from rtp.paper.reproduction import PAPER
from rtp.simulation import draw_day, publish_day


def test_steps_as_one_group_need_t_times_the_noise() -> None:
    error, group_error = group_errors()
    assert group_error == pytest.approx(PAPER.steps * error)
    # Two histories, always there and never: the log-ratio of all rates far below, by Laplace's density.
    always, never, rate = 1.0, 0.0, -50.0
    scale = publish_day(PAPER, draw_day(PAPER)).release["naive"].scale
    losses = (abs(rate - always) - abs(rate - never)) / scale
    assert losses == pytest.approx(PAPER.epsilon)
    assert (losses / PAPER.steps).sum() == pytest.approx(PAPER.epsilon)


@pytest.mark.parametrize(("stay", "share"), [(0.5, 1 / PAPER.steps), (1.0, 1.0)])
def test_a_moment_loses_more_than_one_rate_less_than_all(stay: float, share: float) -> None:
    """Steps that forget the one before lose ε, houses that never move all of T·ε; the paper's lie between."""
    matrix = (stay, 1 - stay), (1 - stay, stay)
    street = paper_with_periods(lambda period: period.replace(matrix=matrix, basis="step"))
    alone = simulate(street.replace(households=1, habit_spread=0.0))
    total = PAPER.epsilon * PAPER.steps
    assert moment_leakage(alone, "naive", 0, promised=True).worst == pytest.approx(share * total)
    assert moment_loss()[0] == pytest.approx(9.053, abs=5e-4)  # as tests/unit/leakage has it


def test_two_houses_that_share_one_state_are_not_protected() -> None:
    pair = correlated_pair(np.array([0.5, 0.0, 0.0, 0.5]))  # both empty, or both occupied
    assert (pair.protected, pair.scale) == (0, 0.0)
    # By hand: the sum is triangular on [0, 1] or [0, 2]; the denser one is 4x, then 4(1 − x), from 0.8 on x.
    assert pair.right == pytest.approx((0.5 + 0.42 + 0.18 + 0.5) / 2, abs=1e-6)
    assert pair.proof == pytest.approx(0.5, abs=1e-6)  # the sum of two uniforms exceeds 1
    apart = correlated_pair(np.full(4, 0.25))
    assert (apart.protected, apart.scale) == (2, PAPER.alpha / PAPER.epsilon)
    almost = correlated_pair(np.array([0.5 - 1e-9, 1e-9, 0.0, 0.5]))
    assert almost.protected == 2  # only exact zeros leave them unprotected
