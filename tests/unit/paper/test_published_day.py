"""The paper's own day, once and many times: its figure, its errors, and how far one day scatters."""

import numpy as np
import pytest
from numpy.random import default_rng

from rtp import simulate
from rtp.core.stats import LEVEL
from rtp.paper.comparison import (
    PAPER,
    probability_apart,
    rmse,
)
from rtp.paper.published import READING_STEPS, figure2
from tests.help.paper import paper_days


def test_expected_occupancy_is_the_published_figure() -> None:
    """And mean consumption, over ten streets: one street's scatter is about as large as the tolerance."""
    _, occupancy, consumption = figure2()
    assert rmse(simulate(PAPER).expected_occupancy, occupancy) <= 0.015
    ours = np.mean([simulate(PAPER.replace(seed=seed)).consumption for seed in range(10)], axis=0)
    assert rmse(ours, consumption) <= 0.006


@pytest.mark.parametrize(("curve", "shown"), [(1, 0.12), (2, 0.23)])
def test_readings_at_seven_are_within_the_width_of_a_line(curve: int, shown: float) -> None:
    """At 07:00 the night has just ended: what is more than its last hour belongs to the rise until 07:15."""
    read = figure2()[curve]
    night, seven = read[24:28].mean(), 28
    early = (read[seven] - night) / (read[seven + 1] - night)
    assert early == pytest.approx(shown, abs=0.005)
    assert early < READING_STEPS


def test_probability_apart_is_counted_over_all_pairs() -> None:
    values = default_rng(1).uniform(1, 2, 57)
    pairs = [max(a, b) >= 1.055 * min(a, b) for i, a in enumerate(values) for b in values[:i]]
    assert probability_apart(values, 0.055).value == pytest.approx(np.mean(pairs))
    assert probability_apart(np.array([1.0, 1.0, 1.0]), 0.055) == (0.0, 0.0, 0.0)
    assert probability_apart(np.array([1.0, 1.055]), 0.055).value == 1.0
    with pytest.raises(ValueError, match="values has 1"):
        probability_apart(np.array([1.0]), 0.055)


def test_the_interval_of_pairs_covers_as_often_as_stated() -> None:
    """Of two exponentials the larger is k times the smaller or more with chance 2/(1 + k)."""
    rng, trials = default_rng(2), 400
    truth = 2 / (1 + 1.5)
    hits = sum(probability_apart(rng.exponential(size=100), 0.5).covers(truth) for _ in range(trials))
    assert hits / trials == pytest.approx(LEVEL, abs=4 * (LEVEL * (1 - LEVEL) / trials) ** 0.5)


def test_with_nobody_dropped_mechanisms_differ_by_the_largest_bound() -> None:
    days = paper_days()
    assert not days.dropping.any()
    assert (days.smaller == PAPER.steps).all()
    assert days.expected_excess() == pytest.approx(1 / days.largest_bound - 1, rel=1e-9)
