"""What houses use, from a uniform number: up to a bound, or by a distribution, worked out by hand."""

import numpy as np

from rtp import Group
from rtp.probability.histogram import Histograms
from rtp.scenario import Law
from rtp.street.draw import Use, consumption_distributions, quantile

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
