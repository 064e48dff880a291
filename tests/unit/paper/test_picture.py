"""What the picture does to a curve, and what its unrest says about the bounds."""

import numpy as np
import pytest
from numpy.random import default_rng

from rtp.core.stats import spread
from rtp.paper import published
from rtp.paper.choices import redrawn
from rtp.paper.picture import blur_weight, blurred, inside, unrest, unrest_if_redrawn
from rtp.paper.reproduction import PAPER, Days, rmse
from rtp.simulation import live
from tests.help.paper import paper_days


@pytest.fixture(scope="module")
def days() -> Days:
    return paper_days()


def test_a_blurred_curve_takes_from_its_neighbours() -> None:
    assert blurred(np.array([0.0, 1.0, 0.0, 0.0]), 0.1).tolist() == pytest.approx([0.1, 0.8, 0.1, 0.0])
    assert blurred(np.full((2, 5), 3.0), 0.2).tolist() == [[3.0] * 5] * 2


def test_the_weight_is_found_again(days: Days, monkeypatch: pytest.MonkeyPatch) -> None:
    hour, _, consumption = published.figure2()
    seen = blurred(days.occupancy.mean(axis=0), 0.2)
    monkeypatch.setattr(published, "figure2", lambda: (hour, seen, consumption))
    assert blur_weight(days) == pytest.approx(0.2)


def test_the_fitted_weight_brings_our_mean_curve_closest(days: Days) -> None:
    _, theirs, _ = published.figure2()
    mean, weight = days.occupancy.mean(axis=0), blur_weight(days)
    best = rmse(blurred(mean, weight), theirs)
    assert 0 < weight < 0.5
    assert best < rmse(mean, theirs)
    assert all(rmse(blurred(mean, weight + d), theirs) > best for d in (-0.01, 0.01))


def test_inside_counts_steps() -> None:
    curves = np.tile(np.linspace(0, 1, 101)[:, None], 3)
    assert inside(curves, np.array([0.5, 0.01, 0.975])) == 2


def test_unrest_is_the_spread_of_independent_deviations() -> None:
    luck = 0.004 * default_rng(4).standard_normal(20_000)
    occupancy = np.full(20_000, 0.6)
    expected = 0.125 + 0.125 * 0.6
    # A difference of neighbours shares one deviation with the next: the variance of its sd is 3/(4n)·σ².
    assert float(unrest(occupancy, expected + luck)) == pytest.approx(
        0.004, abs=4 * 0.004 * (0.75 / 20_000) ** 0.5
    )


def test_the_formula_for_redrawn_bounds_matches_redrawing_them() -> None:
    """Mean consumption of five streets whose bounds are drawn anew at every step, unblurred."""
    found = []
    for seed in range(5):
        scenario = PAPER.replace(seed=seed)
        life = live(scenario)
        consumption = (redrawn(scenario, life).optimal - scenario.beta) / scenario.alpha / scenario.households
        found.append(float(unrest(life.occupied / scenario.households, consumption)))
    mean_occupancy = live(PAPER).occupied / PAPER.households
    formula = unrest_if_redrawn(mean_occupancy, 0.0, default_rng(5))
    sd = (formula.high - formula.low) / 4
    assert abs(np.mean(found) - formula.value) < 4 * sd / 5**0.5


def test_the_published_unrest_speaks_for_bounds_drawn_once(days: Days) -> None:
    _, occupancy, consumption = published.figure2()
    weight = blur_weight(days)
    theirs = float(unrest(occupancy, consumption))
    once = spread(unrest(blurred(days.occupancy, weight), blurred(days.consumption, weight)))
    assert once.covers(theirs)
    assert not unrest_if_redrawn(occupancy, weight, default_rng(0)).covers(theirs)
