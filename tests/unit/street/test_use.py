"""What houses use, from a uniform number: up to a bound, or by a distribution, worked out by hand."""

import numpy as np
import pytest

from rtp import Group
from rtp.core.types import Floats
from rtp.probability.histogram import Histograms, share_below
from rtp.scenario import Law
from rtp.street.draw import Use, consumption_distributions, quantile, uniform_histograms

# Empty it uses up to 1 or from 2 to 4, occupied nothing below 1.
GAP = Histograms(
    edges=np.array([[0.0, 1.0, 2.0, 4.0]]), mass=np.array([[[0.5, 0.0, 0.5]], [[0.0, 0.25, 0.75]]])
)
LAW = Law(edges=(0.0, 1.0, 2.0), empty=(0.5, 0.5), occupied=(0.25, 0.75))


def used(distributions: Histograms, occupied: bool, probability: list[float]) -> list[float]:
    column = np.array(probability)[:, None]
    found: list[float] = quantile(distributions, np.full(column.shape, occupied), column)[:, 0].tolist()
    return found


def test_a_bin_that_cannot_be_is_jumped_over() -> None:
    assert used(GAP, False, [0.0, 0.25, 0.5, 0.75]) == [0.0, 0.5, 2.0, 3.0]
    assert used(GAP, True, [0.0, 0.125, 0.25, 0.625]) == [1.0, 1.5, 2.0, 3.0]


def test_nothing_beyond_the_last_possible_bin_is_reached_where_masses_round() -> None:
    short = Histograms(edges=np.array([[0.0, 1.0, 5.0]]), mass=np.array([[[1 - 1e-10, 0.0]]] * 2))
    assert used(short, False, [1 - 1e-12]) == pytest.approx([1.0], abs=1e-9)


def test_all_houses_together_use_what_each_of_them_does() -> None:
    occupied, uniform = np.array([[True, False], [False, False]]), np.array([[0.5, 0.25], [0.75, 0.0]])
    plain = Use(occupied_bound=np.array([4.0, 2.0]), empty_bound=np.array([1.0, 0.5]))
    assert plain.at(occupied, uniform).tolist() == [[2.0, 0.125], [0.75, 0.0]]
    assert plain.total(occupied, uniform).tolist() == [2.125, 0.75]
    laws = Histograms(edges=GAP.edges[[0, 0]], mass=GAP.mass[:, [0, 0]])
    stated = Use(occupied_bound=np.full(2, 4.0), empty_bound=np.full(2, 4.0), distributions=laws)
    assert stated.at(occupied, uniform).tolist() == [[8 / 3, 0.5], [3.0, 0.0]]
    assert stated.total(occupied, uniform).tolist() == [8 / 3 + 0.5, 3.0]
    assert stated.only(slice(1)).at(occupied[:, :1], uniform[:, :1]).tolist() == [[8 / 3], [3.0]]


def test_uniform_use_has_half_the_bound_and_a_twelfth_of_its_square() -> None:
    mean, variance = Use(occupied_bound=np.array([6.0]), empty_bound=np.array([1.2])).moments()
    assert mean.tolist() == [[0.6], [3.0]]
    np.testing.assert_allclose(variance, [[0.12], [3.0]], rtol=1e-15)


def test_a_stated_law_is_cut_at_the_houses_bound_and_uniform_use_has_two_bins() -> None:
    groups = (Group(name="Stated", share=0.5, law=LAW), Group(name="Plain", share=0.5))
    found = consumption_distributions(
        groups, np.array([0, 0, 1], dtype=np.int8), np.array([1.5, 3.0, 0.8]), np.array([0.3, 0.3, 0.2])
    )
    assert found is not None
    assert found.edges.tolist() == [[0.0, 1.0, 1.5, 1.5], [0.0, 1.0, 2.0, 2.0], [0.0, 0.2, 0.8, 0.8]]
    empty, occupied = found.mass
    np.testing.assert_allclose(empty, [[0.5, 0.25, 0.25], [0.5, 0.5, 0.0], [1.0, 0.0, 0.0]], rtol=1e-15)
    np.testing.assert_allclose(
        occupied, [[0.25, 0.375, 0.375], [0.25, 0.75, 0.0], [0.25, 0.75, 0.0]], rtol=1e-15
    )
    alone = (Group(name="Plain"),)
    assert consumption_distributions(alone, np.zeros(1, dtype=np.int8), np.ones(1), np.ones(1)) is None


def test_a_house_that_uses_nothing_is_a_point_at_nothing() -> None:
    edges, mass = uniform_histograms(np.zeros((2, 1)), 2)
    assert edges.tolist() == [[0.0, 0.0, 0.0]]
    assert mass.tolist() == [[[1.0, 0.0]], [[1.0, 0.0]]]


@pytest.mark.parametrize(
    ("x", "width", "share"),
    [(0.9, 2.0, 0.0), (1.5, 2.0, 0.25), (3.5, 2.0, 1.0), (1.0, 0.0, 1.0), (0.9, 0.0, 0.0)],
)
def test_a_bin_from_1_lies_below_in_part_and_a_point_as_a_whole(x: float, width: float, share: float) -> None:
    def array(number: float) -> Floats:
        return np.array([number])

    assert share_below(array(x), array(1.0), array(width)).tolist() == [share]
