"""The density of a street whose houses have consumption distributions: against fractions and convolution."""

from fractions import Fraction
from itertools import accumulate, product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from rtp.attack.joint_filter import mixed_log_density
from rtp.probability.histogram import Histograms
from tests.help.oracles import density_of_sum

BINS = 3
Laws = list[tuple[list[int], list[list[int]]]]  # a house's edges in tenths, and its masses in quarters


@st.composite
def laws(draw: DrawFn) -> Laws:
    """One to three houses of up to three bins, on a grid of tenths."""
    houses = []
    for _ in range(draw(st.integers(1, 3))):
        widths = draw(st.lists(st.integers(1, 8), min_size=BINS, max_size=BINS))
        edges = list(accumulate([draw(st.integers(0, 3)), *widths]))
        houses.append((edges, [draw(st.sampled_from(QUARTERS)) for _ in range(2)]))
    return houses


QUARTERS = [list(q) for q in product(range(5), repeat=BINS) if sum(q) == 4]


def histograms(houses: Laws) -> Histograms:
    return Histograms(
        edges=np.array([[edge / 10 for edge in edges] for edges, _ in houses]),
        mass=np.array([[[m / 4 for m in masses[state]] for _, masses in houses] for state in (0, 1)]),
    )


def exact_density(x: Fraction, houses: Laws, state: tuple[int, ...]) -> Fraction:
    """Without noise, in fractions: the mixture over one bin of each house."""
    total = Fraction(0)
    for chosen in product(range(BINS), repeat=len(houses)):
        weight, ranges = Fraction(1), []
        for (edges, masses), k, s in zip(houses, chosen, state, strict=True):
            weight *= Fraction(masses[s][k], 4)
            ranges.append((Fraction(edges[k], 10), Fraction(edges[k + 1], 10)))
        total += weight * density_of_sum(x, ranges) if weight else 0
    return total


@settings(max_examples=40)
@given(laws(), st.integers(1, 799))
def test_without_noise_it_is_the_mixture_in_fractions(houses: Laws, hundredths: int) -> None:
    """Between the grid's lines: on one of them a density may jump."""
    x = Fraction(2 * hundredths + 1, 200)
    found = np.exp(mixed_log_density(np.array([float(x)]), np.zeros(1), histograms(houses))[0])
    states = product((0, 1), repeat=len(houses))
    exact = [float(exact_density(x, houses, state)) for state in states]
    np.testing.assert_allclose(found, exact, rtol=1e-8, atol=1e-12)
