"""How noise is drawn: each check blames the innocent as rarely, and sees as much, as it says."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import Generator, default_rng

from rtp.audit.checks import DETECTION_POWER
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
from rtp.core.types import Floats
from tests.help.few import few

LEVEL = 0.01
N, T = 128, 12
FEW = 300  # repetitions


def laplace(rng: Generator, n: int = N) -> Floats:
    return rng.laplace(size=(n, T))


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


@pytest.mark.slow
@pytest.mark.parametrize("width", few([1.0, 3.0], 1.0))
def test_fresh_noise_is_rarely_blamed(width: float) -> None:
    """As wide as is needed or wider, and read to the last digit or coarsely."""
    rng = default_rng(20)
    blamed = np.zeros(3, dtype=int)
    for turn in range(FEW):
        resolution = (0.0, 1e-7)[turn % 2]
        noise = width * laplace(rng)
        read = np.round(noise / resolution) * resolution if resolution else noise
        found = secret_test(read, secrets(rng), LEVEL).followed is not None
        others = values_test(read, resolution, LEVEL).proved, known_sum(read, resolution, LEVEL)
        blamed += (*others, found)
    assert all(rarely(each, FEW) for each in blamed.tolist()), blamed


def test_as_much_reuse_is_found_as_is_said() -> None:
    rng = default_rng(6)
    share = independence_test(laplace(rng), LEVEL).detectable
    assert 0.3 < share < 1
    for _ in range(100):
        noise = laplace(rng)
        again = rng.random(N) < share * 1.1
        noise[again, 9] = noise[again, 4]
        assert independence_test(noise, LEVEL).steps == (4, 9)


def test_as_much_parity_is_found_as_is_said_and_no_pair_shows_it() -> None:
    rng = default_rng(7)
    share = parity_test(laplace(rng), LEVEL).detectable
    assert 0.3 < share < 1
    for _ in range(100):
        noise = laplace(rng)
        some = rng.random(N) < share * 1.1
        noise[some, 9] = np.abs(noise[some, 9]) * np.sign(noise[some, 2] * noise[some, 4])
        assert parity_test(noise, LEVEL).steps == (2, 4, 9)
        assert independence_test(noise, LEVEL / 100).steps is None


@pytest.mark.parametrize("follows", ["size", "sign"])
def test_sizes_that_go_together_are_found_whatever_each_streets_scale(follows: str) -> None:
    """The larger one is the smaller the other, or above 0 while the other is large."""
    rng, street = default_rng(8), np.arange(N) % 4
    for _ in range(30):
        noise = laplace(rng)
        if follows == "size":
            noise[:, 9] = np.sign(noise[:, 9]) * -np.log(-np.expm1(-np.abs(noise[:, 4])))
        else:
            noise[:, 9] = np.abs(noise[:, 9]) * np.where(np.abs(noise[:, 4]) > np.log(2), 1, -1)
        noise *= (1 + street)[:, None]
        assert set(sizes_test(noise, street, LEVEL).steps or ()) == {4, 9}
        assert independence_test(noise, LEVEL / 100).steps is None


@pytest.mark.slow
def test_going_together_by_luck_is_as_rare_as_said() -> None:
    """Noise as wide as is needed on one street and wider on the next, clipped in every other turn."""
    rng, street = default_rng(9), np.arange(N) % 4
    blamed = np.zeros(2, dtype=int)
    for turn in range(FEW):
        noise = laplace(rng) * (1 + street)[:, None]
        seen = np.where(noise > 0, noise, np.nan) if turn % 2 else noise
        blamed += (
            parity_test(noise, LEVEL).steps is not None,
            sizes_test(seen, street, LEVEL).steps is not None,
        )
    assert all(rarely(each, FEW) for each in blamed.tolist()), blamed


def test_two_days_agree_by_luck_as_rarely_as_said() -> None:
    """With a level of a half the bound is nearly reached by the expected number of pairs that agree."""
    rng, n, level = default_rng(14), 40, 0.5
    width = cell_width(n, T, level)
    agree = [repeat_test(laplace(rng, n), 0.0, level).days is not None for _ in range(500)]
    assert width < 0.2
    assert 0.02 < np.mean(agree) <= level
    assert cell_width(n, T, level / 8) == pytest.approx(width / 2, rel=1e-12)  # three steps
    assert cell_width(n, 1, level) == pytest.approx(2 * level / (n * (n - 1) / 2), rel=1e-12)


def test_as_few_sequences_are_found_as_is_said() -> None:
    rng = default_rng(15)
    sequences = repeat_test(laplace(rng), 0.0, LEVEL).detectable
    all_different = np.prod(1 - np.arange(N) / sequences)
    assert 0.5 * (1 - DETECTION_POWER) < all_different <= 1 - DETECTION_POWER
    store = rng.laplace(size=(int(sequences), T))
    missed = sum(
        repeat_test(store[rng.integers(len(store), size=N)], 1e-12, LEVEL).days is None for _ in range(300)
    )
    assert missed <= 300 * (1 - DETECTION_POWER) + 5 * np.sqrt(300 * (1 - DETECTION_POWER))


@pytest.mark.parametrize("expected", [0.3, 1.0, 4.0])
def test_close_pairs_are_there_by_luck_as_rarely_as_said(expected: float) -> None:
    """Two of 100 uniform numbers are within w with probability 2w at most; at a level of a tenth."""
    rng, n, level = default_rng(21), 100, 0.1
    pairs, width = pairs_by_luck(expected, level), expected / n**2
    found = np.array([close_pairs(np.sort(rng.random(n)), width) for _ in range(2000)])
    assert rarely(int((found >= pairs).sum()), 2000, level)
    assert found.mean() == pytest.approx(expected, rel=0.2)  # fewer where some share a number


def test_noise_of_as_few_values_is_found_as_is_said() -> None:
    rng, missed = default_rng(22), 0
    for _ in range(FEW):
        most = values_test(laplace(rng), 1e-14, LEVEL).detectable
        uniform = (rng.integers(int(most), size=(N, T)) + 0.5) / int(most)
        noise = np.sign(uniform - 0.5) * -np.log(2 * np.minimum(uniform, 1 - uniform))
        missed += not values_test(noise, 1e-14, LEVEL).proved
    assert rarely(missed, FEW, 1 - DETECTION_POWER)


@given(st.lists(st.floats(-1.0, 1.0), min_size=2, max_size=T), st.floats(1e-3, 1.0), st.integers(0, 99))
@settings(max_examples=40)
def test_a_combination_is_as_rarely_small_as_said(weights: list[float], y: float, seed: int) -> None:
    """At most y with probability y at most, if its weights have the length 1; 5 standard errors aside."""
    v = np.array(weights) + 1e-3
    x = default_rng(seed).laplace(size=(4000, len(v))) @ (v / np.linalg.norm(v))
    assert np.mean(np.abs(x) <= y) <= y + 5 * np.sqrt(y / 4000)


@pytest.mark.parametrize("every", [T, 3, 2])
def test_a_known_combination_is_found(every: int) -> None:
    """Sums over the day need no choosing; shorter ones are chosen on the days that are held out."""
    noise = laplace(default_rng(23))
    parts = noise.reshape(N, -1, every)
    parts = parts - parts.mean(axis=2, keepdims=True)
    assert known_sum(parts.reshape(N, T), 1e-14, LEVEL)


def test_as_little_as_is_said_is_found_to_follow_a_house() -> None:
    rng, missed = default_rng(24), 0
    for _ in range(FEW // 5):
        noise, own = laplace(rng), secrets(rng)
        ratio = secret_test(noise, own, LEVEL).detectable
        assert 1 < ratio < 3
        noise[own.occupied] *= 1.1 * ratio
        missed += secret_test(noise, own, LEVEL).followed != "the house"
    assert missed == 0


@pytest.mark.parametrize("secret", ["houses_in", "demand"])
def test_noise_that_follows_days_or_steps_is_found(secret: str) -> None:
    rng = default_rng(25)
    noise, own = laplace(rng), secrets(rng)
    values = getattr(own, secret)[own.street, own.lived]
    assert secret_test(noise * (1 + values / values.mean()), own, LEVEL).followed is not None
    turned = np.where(own.occupied[:, None] == (np.arange(T) % 2 == 0), 3.0, 1.0)  # both ways, step by step
    assert secret_test(noise * turned, own, LEVEL).followed == "the house, at some steps"
