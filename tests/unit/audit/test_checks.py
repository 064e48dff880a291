"""What rates can prove: each check blames the innocent as rarely, and sees as much, as it says."""

import numpy as np
import pytest
from numpy.random import Generator, default_rng

from rtp.audit.checks import (
    DETECTION_POWER,
    detectable_loss,
    distribution_test,
    fresh_rates,
    proved_loss,
    scale_test,
)
from rtp.core.types import Floats
from tests.help.few import few

LEVEL = 0.01
N, T = 100, 12
REPEATS = 1000


def laplace(rng: Generator, n: int = N) -> Floats:
    return rng.laplace(size=(n, T))


def everywhere(noise: Floats) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    return np.ones(noise.shape, dtype=bool)


@pytest.mark.slow
@pytest.mark.parametrize("positive_only", [False, True])
def test_noise_is_called_too_narrow_as_rarely_and_as_surely_as_said(positive_only: bool) -> None:
    """Of 1,000 samples of correct noise 1 % are blamed over all rates, and 1 % at some step; of samples as
    narrow as the smallest flaw that is said to be seen, all but 0.1 % are. Bounds at 5 standard errors."""
    rng = default_rng(1)
    blamed, by_step, missed = 0, 0, 0
    for _ in range(REPEATS):
        noise = laplace(rng)
        found = scale_test(noise, everywhere(noise), positive_only, LEVEL)
        blamed, by_step = blamed + found.proved, by_step + bool(len(found.steps))
        missed += not scale_test(found.detectable * noise, everywhere(noise), positive_only, LEVEL).proved
    error = 5 * np.sqrt(REPEATS * LEVEL)
    assert abs(blamed - REPEATS * LEVEL) < error
    assert abs(by_step - REPEATS * LEVEL) < error
    assert missed <= REPEATS * (1 - DETECTION_POWER) + 5 * np.sqrt(REPEATS * (1 - DETECTION_POWER))


def test_a_loss_is_proved_up_to_what_is_given_away_and_no_further() -> None:
    """A house at 0 or 1 behind Laplace noise of scale 1/ε gives ε away. The event "above 1" has chances 0.5
    and 0.184; of 3,600 rates a side the two bounds cost 2.6 standard errors each, 0.13 in all, and an event
    chosen by luck somewhat more."""
    rng, epsilon = default_rng(8), 1.0
    proved = [
        proved_loss(laplace(rng, 400) / epsilon, 1 + laplace(rng, 400) / epsilon, LEVEL) for _ in range(40)
    ]
    assert max(proved) <= epsilon  # but for one in a hundred, or far fewer, as both bounds must fail
    assert np.median(proved) > 0.75 * epsilon


@pytest.mark.parametrize("positive_only", [False, True])
@pytest.mark.parametrize("width", few([1.0, 1.5], 1.0))
def test_fresh_laplace_noise_is_rarely_called_too_small(positive_only: bool, width: float) -> None:
    rng = default_rng(10)
    blamed = 0
    for _ in range(REPEATS):
        noise = width * laplace(rng)
        blamed += distribution_test(noise, everywhere(noise), positive_only, 0.0, LEVEL).proved
    assert blamed <= REPEATS * LEVEL + 5 * np.sqrt(REPEATS * LEVEL)


def test_missing_noise_is_found_as_surely_as_said() -> None:
    """Where as many rates as are said to be detectable have none."""
    rng, missed = default_rng(11), 0
    for _ in range(300):
        noise = laplace(rng)
        share = distribution_test(noise, everywhere(noise), False, 0.0, LEVEL).detectable
        noise[rng.random(noise.shape) < share] = 0.0
        missed += not distribution_test(noise, everywhere(noise), False, 0.0, LEVEL).proved
    assert missed <= 300 * (1 - DETECTION_POWER) + 5 * np.sqrt(300 * (1 - DETECTION_POWER))


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_a_detectable_loss_is_proved_to_exceed_the_promise(epsilon: float) -> None:
    rng, days, level = default_rng(16), 100, 1e-6
    rates = fresh_rates(*np.zeros((2, days, T)))
    assert rates == 3 * days * T // 4
    found = detectable_loss(epsilon, rates, level)
    assert epsilon < found < 4 * epsilon
    for _ in range(60):
        empty, occupied = laplace(rng, days) / found, 1 + laplace(rng, days) / found
        assert proved_loss(empty, occupied, level) > epsilon
    assert detectable_loss(epsilon, 10, level) == np.inf
