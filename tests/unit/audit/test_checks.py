"""What rates can prove: each check blames the innocent as rarely, and sees as much, as it says."""

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import Generator, default_rng

from rtp.audit.checks import (
    DETECTION_POWER,
    detectable_loss,
    distribution_test,
    fresh_rates,
    proved_loss,
    scale_test,
)
from rtp.audit.independence import (
    cell_width,
    close_pairs,
    independence_test,
    known_sum,
    pairs_by_luck,
    parity_test,
    repeat_test,
    secret_test,
    sizes_test,
    values_test,
)
from rtp.audit.worlds import AUDITED_STREETS, DAYS_LIVED, Secrets
from rtp.core.types import Bools, Floats
from tests.help.few import few

LEVEL = 0.01
N, T = 128, 12
FEW, REPEATS = 300, 1000  # repetitions
STREET = np.arange(N) % 4


def laplace(rng: Generator, n: int = N) -> Floats:
    return rng.laplace(size=(n, T))


def everywhere(noise: Floats) -> Bools:
    return np.ones(noise.shape, dtype=bool)


def secrets(rng: Generator) -> Secrets:
    """Of N releases, as many in each world; everyone is in on one day and nobody on the next."""
    world = np.arange(N)
    shape = AUDITED_STREETS, DAYS_LIVED, T
    return Secrets(
        street=world % AUDITED_STREETS,
        lived=world // AUDITED_STREETS % DAYS_LIVED,
        occupied=world // (AUDITED_STREETS * DAYS_LIVED) % 2 == 1,
        houses_in=rng.integers(0, 10, shape).astype(float),
        demand=rng.random(shape),
    )


def rarely(blamed: int, of: int, level: float = LEVEL) -> bool:
    """Whether at most the level's share is blamed, 5 standard errors aside."""
    return bool(blamed <= of * level + 5 * np.sqrt(of * level))


# The innocent


def sizes_are_blamed(noise: Floats, positive_only: bool) -> bool:
    """Of streets whose noise is of different widths; clipped rates show it only above 0."""
    wide = noise * (1 + STREET)[:, None]
    return sizes_test(np.where(wide > 0, wide, np.nan) if positive_only else wide, STREET, LEVEL).proved


BLAMED: dict[str, Callable[[Floats, float, Generator], bool]] = {
    "distribution": lambda noise, *_: distribution_test(noise, everywhere(noise), False, 0.0, LEVEL).proved,
    "clipped": lambda noise, *_: distribution_test(noise, everywhere(noise), True, 0.0, LEVEL).proved,
    "parity": lambda noise, *_: parity_test(noise, LEVEL).proved,
    "sizes": lambda noise, *_: sizes_are_blamed(noise, False),
    "clipped sizes": lambda noise, *_: sizes_are_blamed(noise, True),
    "values": lambda noise, digits, _: values_test(noise, digits, LEVEL).proved,
    "sums": lambda noise, digits, _: known_sum(noise, digits, LEVEL),
    "secrets": lambda noise, _, rng: secret_test(noise, secrets(rng), LEVEL).proved,
}


@pytest.mark.slow
@pytest.mark.parametrize("width", few([1.0, 1.5, 3.0], 1.0))
def test_fresh_noise_is_rarely_blamed(width: float) -> None:
    """As wide as is needed or wider, and read to the last digit or coarsely."""
    rng, blamed = default_rng(20), Counter[str]()
    for turn in range(FEW):
        digits = (0.0, 1e-7)[turn % 2]
        noise = width * laplace(rng)
        read = np.round(noise / digits) * digits if digits else noise
        blamed.update(name for name, check in BLAMED.items() if check(read, digits, rng))
    assert all(rarely(times, FEW) for times in blamed.values()), blamed


@pytest.mark.slow
@pytest.mark.parametrize("positive_only", few([False, True], False))
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
    assert rarely(missed, REPEATS, 1 - DETECTION_POWER)


def test_two_days_agree_by_luck_as_rarely_as_said() -> None:
    """With a level of a half the bound is nearly reached by the expected number of pairs that agree."""
    rng, n, level = default_rng(14), 40, 0.5
    width = cell_width(n, T, level)
    agree = [repeat_test(laplace(rng, n), 0.0, level).proved for _ in range(500)]
    assert width < 0.2
    assert 0.02 < np.mean(agree) <= level
    assert cell_width(n, T, level / 8) == pytest.approx(width / 2, rel=1e-12)  # three steps
    assert cell_width(n, 1, level) == pytest.approx(2 * level / (n * (n - 1) / 2), rel=1e-12)


@pytest.mark.parametrize("expected", [0.3, 1.0, 4.0])
def test_close_pairs_are_there_by_luck_as_rarely_as_said(expected: float) -> None:
    """Two of 100 uniform numbers are within w with probability 2w at most; at a level of a tenth."""
    rng, n, level = default_rng(21), 100, 0.1
    pairs, width = pairs_by_luck(expected, level), expected / n**2
    found = np.array([close_pairs(np.sort(rng.random(n)), width) for _ in range(2000)])
    assert rarely(int((found >= pairs).sum()), 2000, level)
    assert found.mean() == pytest.approx(expected, rel=0.2)  # fewer where some share a number


@given(st.lists(st.floats(-1.0, 1.0), min_size=2, max_size=T), st.floats(1e-3, 1.0), st.integers(0, 99))
@settings(max_examples=40)
def test_a_combination_is_as_rarely_small_as_said(weights: list[float], y: float, seed: int) -> None:
    """At most y with probability y at most, if its weights have the length 1; 5 standard errors aside."""
    v = np.array(weights) + 1e-3
    x = default_rng(seed).laplace(size=(4000, len(v))) @ (v / np.linalg.norm(v))
    assert np.mean(np.abs(x) <= y) <= y + 5 * np.sqrt(y / 4000)


# What is planted: as little as is said to be seen, and whether it is found


def missing_noise(rng: Generator) -> bool:
    noise = laplace(rng)
    share = distribution_test(noise, everywhere(noise), False, 0.0, LEVEL).detectable
    noise[rng.random(noise.shape) < share] = 0.0
    return distribution_test(noise, everywhere(noise), False, 0.0, LEVEL).proved


def reuse(rng: Generator) -> bool:
    noise = laplace(rng)
    again = rng.random(N) < 1.1 * independence_test(noise, LEVEL).detectable
    noise[again, 9] = noise[again, 4]
    return independence_test(noise, LEVEL).what == (4, 9)


def parity(rng: Generator) -> bool:
    """And no pair shows it."""
    noise = laplace(rng)
    some = rng.random(N) < 1.1 * parity_test(noise, LEVEL).detectable
    noise[some, 9] = np.abs(noise[some, 9]) * np.sign(noise[some, 2] * noise[some, 4])
    return parity_test(noise, LEVEL).what == (2, 4, 9) and not independence_test(noise, LEVEL / 100).proved


def sizes(rng: Generator) -> bool:
    """The larger one is the smaller the other, or above 0 while the other is large; whatever each street's
    scale, and no pair shows it."""
    mirrored, signed = laplace(rng), laplace(rng)
    mirrored[:, 9] = np.sign(mirrored[:, 9]) * -np.log(-np.expm1(-np.abs(mirrored[:, 4])))
    signed[:, 9] = np.abs(signed[:, 9]) * np.where(np.abs(signed[:, 4]) > np.log(2), 1, -1)
    return all(
        set(sizes_test(noise * (1 + STREET)[:, None], STREET, LEVEL).what or ()) == {4, 9}
        and independence_test(noise * (1 + STREET)[:, None], LEVEL / 100).what is None
        for noise in (mirrored, signed)
    )


def few_sequences(rng: Generator) -> bool:
    sequences = repeat_test(laplace(rng), 0.0, LEVEL).detectable
    store = rng.laplace(size=(int(sequences), T))
    return repeat_test(store[rng.integers(len(store), size=N)], 1e-12, LEVEL).proved


def few_values(rng: Generator) -> bool:
    most = int(values_test(laplace(rng), 1e-14, LEVEL).detectable)
    uniform = (rng.integers(most, size=(N, T)) + 0.5) / most
    noise = np.sign(uniform - 0.5) * -np.log(2 * np.minimum(uniform, 1 - uniform))
    return values_test(noise, 1e-14, LEVEL).proved


def the_house(rng: Generator) -> bool:
    noise, own = laplace(rng), secrets(rng)
    noise[own.occupied] *= 1.1 * secret_test(noise, own, LEVEL).detectable
    return secret_test(noise, own, LEVEL).what == "the house"


SURE = (reuse, parity, sizes, the_house)  # planted a tenth above what is said to be seen


@pytest.mark.parametrize("planted", [missing_noise, few_sequences, few_values, *SURE])
def test_as_little_as_is_said_is_found(planted: Callable[[Generator], bool]) -> None:
    rng, tries = default_rng(11), 60 if planted in SURE else FEW
    missed = sum(not planted(rng) for _ in range(tries))
    assert rarely(missed, tries, 0.0 if planted in SURE else 1 - DETECTION_POWER)


def test_what_is_said_to_be_seen_is_little() -> None:
    noise, own = laplace(default_rng(6)), secrets(default_rng(6))
    assert 0.3 < independence_test(noise, LEVEL).detectable < 1
    assert 0.3 < parity_test(noise, LEVEL).detectable < 1
    assert 1 < secret_test(noise, own, LEVEL).detectable < 3
    all_different = np.prod(1 - np.arange(N) / repeat_test(noise, 0.0, LEVEL).detectable)
    assert 0.5 * (1 - DETECTION_POWER) < all_different <= 1 - DETECTION_POWER


@pytest.mark.parametrize("every", [T, 3, 2])
def test_a_known_combination_is_found(every: int) -> None:
    """Sums over the day need no choosing; shorter ones are chosen on the days that are held out."""
    parts = laplace(default_rng(23)).reshape(N, -1, every)
    assert known_sum((parts - parts.mean(axis=2, keepdims=True)).reshape(N, T), 1e-14, LEVEL)


@pytest.mark.parametrize("secret", ["houses_in", "demand"])
def test_noise_that_follows_days_or_steps_is_found(secret: str) -> None:
    rng = default_rng(25)
    noise, own = laplace(rng), secrets(rng)
    values = getattr(own, secret)[own.street, own.lived]
    assert secret_test(noise * (1 + values / values.mean()), own, LEVEL).proved
    turned = np.where(own.occupied[:, None] == (np.arange(T) % 2 == 0), 3.0, 1.0)  # both ways, step by step
    assert secret_test(noise * turned, own, LEVEL).what == "the house, at some steps"


# What is given away


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


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", few([0.5, 2.0], 2.0))
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
