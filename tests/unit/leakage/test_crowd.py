"""The crowd's (ε, δ) profile against direct integration, the normal limit, and what must fall."""

from collections.abc import Callable
from dataclasses import replace
from itertools import chain, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import exp, log, mp, mpf
from numpy.random import default_rng

from rtp import PRESETS, Day, ScenarioError, simulate
from rtp.core.types import Floats
from rtp.leakage.crowd import (
    BLUR,
    MAX_NODES,
    SIZES,
    Crowd,
    CrowdProfile,
    NoiseBySize,
    noise_frame,
    noise_still_needed,
    scale_text,
)
from rtp.leakage.words import crowd_words
from rtp.probability.histogram import Histograms
from rtp.probability.laplace_uniform import Complexes, density
from rtp.street.draw import Use
from tests.help.sentence import exactly

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


def test_the_noise_needed_just_gives_the_promise() -> None:
    hidden = CrowdProfile(random_crowd(200), HOUSE)
    b = hidden.noise_needed(0.2, 1e-4)
    assert b > 0
    assert hidden.delta(np.array([0.2]), b)[0] == pytest.approx(1e-4, rel=1e-3)
    assert CrowdProfile(random_crowd(20_000), HOUSE).noise_needed(0.2, 1e-4) == 0.0
    alike = CrowdProfile(random_crowd(5), Use(occupied_bound=np.array([0.4]), empty_bound=np.array([0.4])))
    assert alike.noise_needed(0.2, 1e-4) == 0.0  # nothing to hide
    assert alike.delta(EPSILONS, 0.0).tolist() == hidden.delta(EPSILONS, np.inf).tolist() == [0.0] * 3


@pytest.mark.parametrize("near", [1e-3, 50.0])
def test_the_noise_needed_is_found_to_a_millionth_from_any_guess_and_in_any_unit(near: float) -> None:
    """It errs on the side of more; in a unit a thousand times as small it is a thousand times as much."""
    others = random_crowd(60)
    hidden = CrowdProfile(others, HOUSE)
    at, delta = np.array([0.2]), 1e-4
    b = hidden.noise_needed(0.2, delta, near=near)
    assert hidden.delta(at, b)[0] <= delta < hidden.delta(at, b * (1 - 4e-6))[0]
    small = Crowd(occupied=others.occupied, use=in_thousandths(others.use))
    found = CrowdProfile(small, in_thousandths(HOUSE)).noise_needed(0.2, delta, near=1000 * near)
    assert found == pytest.approx(1000 * b, rel=1e-6)


def in_thousandths(use: Use) -> Use:
    return Use(occupied_bound=1000 * use.occupied_bound, empty_bound=1000 * use.empty_bound)


def test_a_delta_that_the_crowd_just_gives_needs_no_noise_and_one_just_below_next_to_none() -> None:
    hidden = CrowdProfile(random_crowd(200), HOUSE)
    given = float(hidden.delta(np.array([0.2]), 0.0)[0])
    assert hidden.noise_needed(0.2, given) == 0.0
    assert 0 < hidden.noise_needed(0.2, 0.9999 * given) < 0.05 < hidden.noise_needed(0.2, 0.9 * given)


def test_the_sum_of_a_crowd_lies_within_bernsteins_window() -> None:
    """1,200 houses that use U(0, 2) or nothing, as likely: mean 600, variance 500, and no more than 2 each,
    so all but e^−30 lies within 20 + √(400 + 60·500) of it. Of three houses, all: 0 to 6."""
    for houses, mean, reach in ((1200, 600.0, 20 + np.sqrt(30_400)), (3, 3.0, 3.0), (0, 0.0, 0.0)):
        use = Use(occupied_bound=np.full(houses, 2.0), empty_bound=np.zeros(houses))
        found = Crowd(occupied=np.full(houses, 0.5), use=use).window()
        assert found == pytest.approx((mean - reach, mean + reach), rel=1e-12)
    uneven = Use(occupied_bound=np.full(900, 2.0), empty_bound=np.full(900, 1.0))
    mean, variance = 900 * 0.6, 900 * (0.2 / 3 + 0.8 / 12 + 0.2 * 0.8 / 4)
    reach = 20 + np.sqrt(400 + 60 * variance)
    found = Crowd(occupied=np.full(900, 0.2), use=uneven).window()
    assert found == pytest.approx((mean - reach, mean + reach), rel=1e-12)


def test_by_its_distributions_a_house_is_alike_only_where_they_are_the_same() -> None:
    edges, one, other = np.array([[0.0, 0.5, 1.0]]), [[0.3, 0.7]], [[0.7, 0.3]]
    for mass, alike in (([one, one], True), ([one, other], False)):
        use = replace(HOUSE, distributions=Histograms(edges=edges, mass=np.array(mass)))
        assert CrowdProfile(random_crowd(2), use).alike is alike
    for bound, alike in ((0.9, True), (0.8, False)):
        assert CrowdProfile(random_crowd(2), replace(HOUSE, empty_bound=np.array([bound]))).alike is alike


def test_the_smallest_street_without_noise_is_enough() -> None:
    noise = NoiseBySize(
        epsilon=0.2,
        delta=1e-4,
        house=3,
        step=48,
        sizes=np.array([5, 30, 300]),
        scale=np.array([0.5, 0.0, 0.0]),
        insider=0.71741,
    )
    assert noise.enough == 30
    assert replace(noise, scale=np.array([0.5, 0.4, 0.3])).enough is None
    assert noise_frame(noise).to_dict("list") == {
        "households": [5, 30, 300],
        "epsilon": [0.2] * 3,
        "delta": [1e-4] * 3,
        "scale_against_outsider": [0.5, 0.0, 0.0],
        "scale_against_insider": [0.71741] * 3,
    }
    ends = (
        "That holds for one rate, against outsiders. Whoever knows what the others used sees no crowd: "
        "against her the noise needs the scale 0.718 at any size."
    )
    assert crowd_words(noise) == f"Among 30 houses the crowd alone gives (ε, δ) = (0.2, 0.0001). {ends}"
    large = replace(noise, sizes=np.array([5, 30, 3000]), scale=np.ones(3))
    assert crowd_words(large) == (
        f"No street of up to 3,000 houses gives (ε, δ) = (0.2, 0.0001) without noise. {ends}"
    )


def exact_delta(wide: float, narrow: float, b: float, epsilon: float) -> float:
    """δ of U(0, u) + Lap(b) in forty digits: the log-ratio is monotone, so one point ends each integral."""
    mp.dps = 40
    scale, factor = mpf(b), exp(mpf(epsilon))

    def density(y: mpf, u: float) -> mpf:
        edge = min(y, u - y)  # from the nearer end, negative outside
        inside = 2 - exp(-y / scale) - exp(-(u - y) / scale)
        outside = exp(edge / scale) * (1 - exp(-u / scale))
        return (inside if edge >= 0 else outside) / (2 * u)

    def above(y: mpf, u: float) -> mpf:
        """Pr[U(0, u) + Lap(b) > y], y ≥ 0."""
        if y >= u:
            return scale / (2 * u) * (exp(-(y - u) / scale) - exp(-y / scale))
        return (u - y + scale / 2 * (exp(-(u - y) / scale) - exp(-y / scale))) / u

    largest = mpf(0)
    for sign in (1, -1):  # the wide one is likelier above some point, the narrow one below
        ends = [mpf(0), mpf(wide)]
        excess = [sign * log(density(y, wide) / density(y, narrow)) - epsilon for y in ends]
        if (excess[0] > 0) == (excess[1] > 0):
            continue  # it never is by that factor
        for _ in range(130):
            middle = sum(ends) / 2
            more = sign * log(density(middle, wide) / density(middle, narrow)) > epsilon
            ends[more == (excess[1] > 0)] = middle
        over = above(ends[0], wide), above(ends[0], narrow)
        each = over[0] - factor * over[1] if sign > 0 else 1 - over[1] - factor * (1 - over[0])
        largest = max(largest, each)
    return float(largest)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("occupied", "empty", "epsilon", "delta", "needed"),
    [
        (0.034, 0.349, 1e-3, 0.1, 0.7176),
        (0.034, 0.349, 1e-4, 1e-3, 74.94),
        (0.9, 0.1, 0.5, 1e-6, 0.87548),
        (0.9, 0.1, 1.0, 1e-9, 0.46899),
    ],
)
def test_noise_for_a_house_alone_is_safe_and_tight(
    occupied: float, empty: float, epsilon: float, delta: float, needed: float
) -> None:
    own = Use(occupied_bound=np.array([occupied]), empty_bound=np.array([empty]))
    found = CrowdProfile(random_crowd(0), own).noise_needed(epsilon, delta)
    wide, narrow = max(occupied, empty), min(occupied, empty)
    assert found == pytest.approx(needed, rel=1e-3)
    assert exact_delta(wide, narrow, found, epsilon) <= delta
    assert exact_delta(wide, narrow, found / 1.002, epsilon) > delta


@pytest.mark.slow
@pytest.mark.parametrize(("houses", "b"), [(1, 0.874), pytest.param(3, 0.86, marks=pytest.mark.long)])
def test_a_small_delta_is_never_understated(houses: int, b: float) -> None:
    """Of some 1e-6, where a density's kinks matter; the midpoint rule is right to a millionth of it."""
    others = random_crowd(houses)
    at = EPSILONS[[1]] * 0.5 / 0.3
    found, direct = CrowdProfile(others, HOUSE).delta(at, b)[0], directly(others, b, 400_001, at)[0]
    assert 1e-8 < direct <= found * (1 + 1e-6)
    assert found <= direct * 1.1


@pytest.mark.long
def test_wide_noise_is_found_from_few_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Noise 9000 wide would give ε outright and 186 is enough: its window has some 5,000 nodes. A search from
    above takes the 16,384 of the widest windows several times; one from below all narrower ones, half as many
    each time; near a guess, next to none but its own."""
    asked: list[int] = []
    characteristic = Crowd.characteristic

    def counted(crowd: Crowd, t: Floats) -> Complexes:
        asked.append(len(t))
        return characteristic(crowd, t)

    monkeypatch.setattr(Crowd, "characteristic", counted)
    others = CrowdProfile(random_crowd(1000), HOUSE)
    found = others.noise_needed(1e-4, 1e-3)
    assert sum(asked) < 3 * 5000
    asked.clear()
    assert others.noise_needed(1e-4, 1e-3, near=190.0) == found == pytest.approx(186.432, rel=1e-5)
    assert sum(asked) < 1.1 * 5000


def test_delta_never_grows_with_epsilon() -> None:
    found = CrowdProfile(random_crowd(1000), HOUSE).delta(np.array([0.1, 1.0, 10, 20, 30, 40, 1000]), 0.0)
    assert (np.diff(found) <= 0).all()
    assert found[0] > 1e-3
    assert found[1] < 1e-12  # more would be rounding


def test_streets_are_asked_from_five_houses_to_a_hundred_thousand() -> None:
    """Two for every factor of ten, so that a curve over them shows where the crowd is enough."""
    decades = [(10**k, 3 * 10**k) for k in range(1, 5)]
    assert list(SIZES) == [5, *chain.from_iterable(decades), 100_000]


def test_scales_are_scale_text() -> None:
    texts = [scale_text(scale) for scale in (0.0, 0.71741, 74.94, 1055.1, 2.0)]
    assert texts == ["0", "0.718", "75", "1,060", "2"]
    assert [scale_text(0.71741, digits) for digits in (2, 4)] == ["0.72", "0.7175"]


@pytest.fixture(scope="module")
def day() -> Day:
    return simulate(PRESETS["mixed street"].replace(households=60))


@pytest.mark.slow
def test_a_larger_street_needs_less_noise_and_an_insider_sees_no_crowd(day: Day) -> None:
    found = noise_still_needed(day, 0.2, 1e-4, sizes=(5, 500, 50_000))
    assert (np.diff(found.scale) <= 0).all()
    assert found.scale[0] <= found.insider
    assert found.scale[-1] == 0.0
    assert found.enough is not None
    assert found.enough > 5


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda day: noise_still_needed(day, 0.2, house=60),
            "house is 60; it must be a whole number from 0 to 59.",
        ),
        (
            lambda day: noise_still_needed(day, 0.2, 0.0),
            "delta is 0.0; it must be a number from 1e-12 to 0.5.",
        ),
        (
            lambda day: noise_still_needed(day, 0.0),
            "epsilon is 0.0; it must be a number from 0.0001 to 10,000.",
        ),
    ],
)
def test_bad_input_gets_one_sentence(call: Callable[[Day], object], sentence: str, day: Day) -> None:
    with pytest.raises(ScenarioError, match=exactly(sentence)):
        call(day)
