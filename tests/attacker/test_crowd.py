"""The characteristic-function engine against exact densities, and against the textbook inversion."""

from itertools import product

import mpmath
import numpy as np
import pytest
from numpy.random import default_rng

from rtp.arrays import Floats
from rtp.attacker import crowd
from rtp.attacker.characteristic import Complexes, Tables
from rtp.attacker.evidence import JointEvidence
from rtp.attacker.tilt import Crowd, tilted, towards
from tests.help.oracles import DIGITS, _integrated


def random_crowd(houses: int, seed: int) -> Crowd:
    rng = default_rng(seed)
    occupied = rng.uniform(0.02, 0.98, houses)
    return Crowd(
        occupied=occupied,
        empty=1 - occupied,
        occupied_bound=rng.uniform(0.05, 1.0, houses),
        empty_bound=rng.uniform(0.05, 0.5, houses),
    )


def evidence(houses: Crowd, x: float, b: float) -> Floats:
    return crowd.evidence(houses, x, b, Tables(houses.occupied_bound, houses.empty_bound))


def exactly(houses: Crowd, x: float, b: float) -> Floats:
    """By the density of every joint state."""
    joint = JointEvidence(np.array([x]), np.array([b]), houses.occupied_bound, houses.empty_bound)
    return joint.at(0, houses.occupied, houses.empty)


def mean(houses: Crowd) -> float:
    return tilted(houses, 0.0).mean


@pytest.mark.slow
@pytest.mark.parametrize("houses", [6, 7, 8])
@pytest.mark.parametrize("b", [0.0, 0.01, 0.2, 1.0, 20.0, 1e4])
@pytest.mark.parametrize("at", [0.4, 1.0, 1.6])
def test_equals_the_exact_density_of_every_joint_state(houses: int, b: float, at: float) -> None:
    street = random_crowd(houses, seed=houses)
    x = at * mean(street) + (3 * b if at > 1 else -b / 2)
    np.testing.assert_allclose(evidence(street, x, b), exactly(street, x, b), rtol=0, atol=1e-8)


def exact_likelihood(street: Crowd, house: int, occupied: bool, x: float, b: float) -> mpmath.mpf:
    """Pr[x | state of one house] in many digits.

    A uniform is a difference of integrals, so a mixture of two has three terms: 3^(N−1)·2 shifted integrals.
    """
    with mpmath.workdps(DIGITS):
        terms = [(mpmath.mpf(0), mpmath.mpf(1))]
        for i in range(len(street.occupied)):
            p, u, v = (
                mpmath.mpf(float(a[i])) for a in (street.occupied, street.occupied_bound, street.empty_bound)
            )
            if i == house:
                p = mpmath.mpf(int(occupied))
            own = [(mpmath.mpf(0), p / u + (1 - p) / v), (u, -p / u), (v, -(1 - p) / v)]
            terms = [(at + s, c * d) for (at, c), (s, d) in product(terms, own) if d]
        n, scale, point = len(street.occupied), mpmath.mpf(float(b)), mpmath.mpf(float(x))
        return mpmath.fsum(c * _integrated_or_power(point - at, n, scale) for at, c in terms)


def _integrated_or_power(y: mpmath.mpf, n: int, b: mpmath.mpf) -> mpmath.mpf:
    if b > 0:
        return _integrated(y, n, b)
    return y ** (n - 1) / mpmath.factorial(n - 1) if y > 0 else mpmath.mpf(0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("b", "at"),
    [(0.0, 1.0), (0.0, 1.7), (0.1, 0.3)],
    ids=["exact rate", "exact and far", "narrow noise and far"],
)
def test_nine_houses_equal_the_mixture_in_many_digits(b: float, at: float) -> None:
    street = random_crowd(9, seed=1)
    x = at * mean(street)
    assert x < street.most
    house = 4
    likelihoods = [exact_likelihood(street, house, state, x, b) for state in (True, False)]
    expected = float(mpmath.log(likelihoods[0] / likelihoods[1]))
    assert evidence(street, x, b)[house] == pytest.approx(expected, abs=1e-9)


def textbook(street: Crowd, house: int, x: float, b: float) -> float:
    """Fourier inversion of the whole law, noise included, one house at a time, no tilt, no window."""
    widths = np.stack([street.empty_bound, street.occupied_bound])
    period = 2 * (widths.max(axis=0).sum() + 80 * b)
    t = 2 * np.pi / period * np.arange(1, 60_000)
    t = t[t < 12 / np.sqrt(tilted(street, 0.0).variance)]
    others = np.delete(np.arange(len(street.occupied)), house)
    rest = np.exp(-1j * t * x) / (1 + (b * t) ** 2)
    for i in others:
        one, other = (_uniform(u, t) for u in (street.occupied_bound[i], street.empty_bound[i]))
        rest = rest * (street.occupied[i] * one + street.empty[i] * other)
    density = [
        (1 + 2 * np.sum((rest * _uniform(width[house], t)).real)) / period
        for width in (street.occupied_bound, street.empty_bound)
    ]
    return float(np.log(density[0] / density[1]))


def _uniform(u: float, t: Floats) -> Complexes:
    return np.asarray((np.exp(1j * u * t) - 1) / (1j * u * t))


@pytest.mark.parametrize(("b", "away"), [(0.0, 2.0), (0.5, -3.0), (2.0, 1.0), (10.0, 30.0)])
def test_three_hundred_houses_equal_the_textbook_inversion(b: float, away: float) -> None:
    street = random_crowd(300, seed=2)
    x = mean(street) + away
    found = evidence(street, x, b)
    for house in (0, 150, 299):
        assert found[house] == pytest.approx(textbook(street, house, x, b), abs=1e-9)


@pytest.mark.parametrize("b", [0.0, 0.3, 2.0])
@pytest.mark.parametrize("deviations", [-12.0, 5.0, 25.0])
def test_far_from_expectation_any_tilt_gives_the_same(b: float, deviations: float) -> None:
    """Shifting the contour must not matter: the engine's own tilt against tilts a little off."""
    street = random_crowd(400, seed=3)
    x = mean(street) + deviations * np.sqrt(tilted(street, 0.0).variance)
    table = Tables(street.occupied_bound, street.empty_bound)
    law = towards(street, x, b)
    total, apart, _ = crowd._series(street, law, x, b, table, cut=False)
    other = tilted(street, law.s * 0.97)
    total_2, apart_2, _ = crowd._series(street, other, x, b, table, cut=False)
    np.testing.assert_allclose(apart / total, apart_2 / total_2, rtol=1e-7, atol=1e-9)


def test_outside_the_possible_demand_evidence_is_at_its_limit() -> None:
    street, b = random_crowd(40, seed=4), 0.7
    for x, sign in ((-0.1, -1), (street.support + 0.1, 1), (-1e6, -1), (1e6, 1)):
        limit = [
            np.log(np.expm1(sign * u / b) / (sign * u / b))
            for u in (street.occupied_bound, street.empty_bound)
        ]
        np.testing.assert_allclose(evidence(street, x, b), limit[0] - limit[1], atol=1e-12)
    just_inside = evidence(street, street.support - 1e-9, b)
    np.testing.assert_allclose(just_inside, evidence(street, street.support + 1.0, b), atol=1e-8)


def test_evidence_averages_to_nothing_learned() -> None:
    """E[e^{−evidence} | occupied] = 1, as for any two proper densities: integrated over x."""
    street, b = random_crowd(15, seed=5), 0.4
    table = Tables(street.occupied_bound, street.empty_bound)
    grid = np.linspace(-12 * b, street.support + 12 * b, 300)
    ratio = np.array([np.exp(-crowd.evidence(street, x, b, table)[0]) for x in grid])
    density = np.array([float(_density(street, 0, x, b)) for x in grid])
    step = grid[1] - grid[0]
    assert np.sum(density) * step == pytest.approx(1, abs=1e-4)
    assert np.sum(density * ratio) * step == pytest.approx(1, abs=1e-4)


def _density(street: Crowd, house: int, x: float, b: float) -> float:
    """Pr[x | the house is occupied], by plain inversion."""
    period = 2 * (street.support + 60 * b)
    t = np.asarray(2 * np.pi / period * np.arange(1, 1500), dtype=float)
    factors = [
        p * _uniform(u, t) + (1 - p) * _uniform(v, t)
        for p, u, v in zip(
            np.where(np.arange(len(street.occupied)) == house, 1.0, street.occupied),
            street.occupied_bound,
            street.empty_bound,
            strict=True,
        )
    ]
    law = np.prod(factors, axis=0) / (1 + (b * t) ** 2) * np.exp(-1j * t * x)
    return float((1 + 2 * law.real.sum()) / period)


def test_nobody_using_anything_proves_who_is_away() -> None:
    street = Crowd(
        occupied=np.full(12, 0.3),
        empty=np.full(12, 0.7),
        occupied_bound=np.linspace(0.1, 1, 12),
        empty_bound=np.where(np.arange(12) < 6, 0.0, 0.4),
    )
    found = evidence(street, 0.0, 0.0)
    assert (found[:6] == -np.inf).all()
    assert (found[6:] == 0).all()


def test_impossible_rates_teach_nothing() -> None:
    street = random_crowd(20, seed=6)
    assert (evidence(street, street.support + 1, 0.0) == 0).all()


@pytest.mark.parametrize("b", [0.0, 0.05, 2.0])
def test_a_street_where_next_to_nobody_uses_anything(b: float) -> None:
    """Point masses at 0: eight houses exactly, and the blurred engine within its stated resolution."""
    rng = default_rng(7)
    p = np.full(8, 0.02)
    street = Crowd(occupied=p, empty=1 - p, occupied_bound=rng.uniform(0.3, 1, 8), empty_bound=np.zeros(8))
    x = 0.25
    np.testing.assert_allclose(evidence(street, x, b), exactly(street, x, b), atol=0.01)
