"""What she infers and how she is scored, on so few numbers that every result is worked out by hand."""

from dataclasses import replace
from math import log
from typing import get_args

import numpy as np
import pytest
from scipy.special import logsumexp

from rtp import Group, Law, Scenario, ScenarioError, simulate
from rtp.attack.adversary import Inference, posterior
from rtp.attack.gaussian import house_log_odds, score_and_curvature
from rtp.attack.joint_filter import house_marginals, is_exact
from rtp.attack.observation import observe
from rtp.attack.scores import (
    EVIDENCE_EDGES,
    FALSE_ALARMS,
    MIN_BELIEF,
    ODDS_EDGES,
    approximation_error,
    auc,
    bin_scores,
    compare_beliefs,
    divergence,
    right_guesses,
    roc_curve,
    score_days,
)
from rtp.mechanisms import REGISTRY
from rtp.probability.histogram import Histograms
from rtp.scenario import Habits, OccupancyModel, period
from tests.help.sentence import exactly
from tests.unit.attack.streets import bare_street


def test_a_crowd_fifty_times_as_wide_as_the_noise_makes_their_sum_gaussian() -> None:
    assert score_and_curvature(3.0, 2500.0, 1.0) == (3 / 2502, 1 / 2502)
    psi, _ = score_and_curvature(3.0, 49.99**2, 1.0)
    assert psi != 3 / (49.99**2 + 2)
    assert psi == pytest.approx(3 / (49.99**2 + 2), rel=1e-5)


@pytest.mark.parametrize(("d", "psi"), [(0.3, 0.5), (-0.3, -0.5), (0.0, 0.0)])
def test_next_to_no_crowd_leaves_the_noise_alone(d: float, psi: float) -> None:
    """Its score is ±1/b, and it has next to no curvature."""
    assert score_and_curvature(d, 4e-12, 2.0) == (psi, 1e-9 * (1 / (4e-12 + 8.0)))


def test_far_out_the_noise_has_its_full_score_and_the_least_curvature() -> None:
    assert score_and_curvature(200.0, 0.3, 0.5) == (2.0, 1e-9 * (1 / 0.8))


def test_log_odds_of_an_estimate() -> None:
    """(δ + κ/v·(p − ½))/(v − κ) with p = 0.6, v = 0.24; nothing where the state is certain, and next to a
    certainty where more than v is known."""
    p, q = np.array([0.6, 0.6, 0.6, 1.0, 0.0]), np.array([0.4, 0.4, 0.4, 0.0, 1.0])
    deviation, kappa = np.array([0.1, 0.0, 0.1, 0.1, 0.1]), np.array([0.06, 0.12, 0.3, 0.1, 0.1])
    found = house_log_odds(p, q, deviation, kappa)
    np.testing.assert_allclose(found, [0.125 / 0.18, 0.05 / 0.12, 0.2 / 0.24e-9, 0.0, 0.0], rtol=1e-6)


@pytest.mark.parametrize("rare", [-500.0, -600.0, -900.0, -np.inf])
def test_a_state_beyond_all_floats_keeps_its_probability(rare: float) -> None:
    """Of three houses, on two streets, at two steps; the first house is hardly ever, or never, occupied."""
    rng = np.random.default_rng(1)
    states = np.log(rng.random((2, 2, 2, 2, 2)))
    states[1, 0, 1] += rare
    expected = np.stack([logsumexp(states, axis=tuple({2, 3, 4} - {house})) for house in (2, 3, 4)], axis=2)
    np.testing.assert_allclose(house_marginals(states.reshape(2, 2, 8)), expected, rtol=1e-13)


@pytest.mark.parametrize(("bins", "exact"), [((64, 64), True), ((64, 65), False), ((4, 4, 4, 4, 16), True)])
def test_as_many_choices_of_bins_as_can_be_summed(bins: tuple[int, ...], exact: bool) -> None:
    """Bins without mass in either state are none."""
    mass = np.zeros((2, len(bins), max(bins) + 1))
    for house, used in enumerate(bins):
        mass[1, house, :used] = 1 / used
        mass[0, house, 0] = 1.0
    edges = np.tile(np.arange(mass.shape[2] + 1.0), (len(bins), 1))
    street = bare_street(np.ones(len(bins)), np.ones(len(bins)))
    assert is_exact(replace(street, distributions=Histograms(edges=edges, mass=mass))) == exact


OCCUPIED = np.array([[True, False], [True, False]])
BELIEF = np.array([[0.75, 0.5], [0.25, 0.0]])
PRIOR = np.array([[0.5, 0.5], [0.5, 0.1]])
RATIO = np.array([[1.0, 0.0], [-1.0, -np.inf]])


def test_four_guesses_are_counted() -> None:
    """Right: one, half of the undecided one, and the sure one."""
    day = bin_scores(OCCUPIED, BELIEF, PRIOR, RATIO)
    assert (day.right, day.moments, day.largest) == (2.5, 4, np.inf)
    assert day.loss == pytest.approx(log(4 / 3) + log(2) + log(4), abs=1e-11)
    odds = [np.searchsorted(ODDS_EDGES, at) for at in (log(3), -log(3))]
    assert np.flatnonzero(day.belief[1]).tolist() == sorted(odds)
    assert np.flatnonzero(day.belief[0]).tolist() == [0, np.searchsorted(ODDS_EDGES, 0.0, side="right")]
    assert day.belief.sum(axis=1).tolist() == [2.0, 2.0]
    assert day.evidence.sum(axis=1).tolist() == pytest.approx([0.6, 1.0])
    assert day.evidence[0, 0] == 0.1
    assert day.evidence[0, np.searchsorted(EVIDENCE_EDGES, 0.0, side="right")] == 0.5
    assert day.belief.shape == (2, 642)
    assert day.evidence.shape == (2, 664)


@pytest.mark.parametrize("truth", [False, True])
def test_to_be_certain_and_wrong_costs_no_more_than_is_allowed(truth: bool) -> None:
    occupied, silent = np.array([[truth]]), np.zeros((1, 1))
    right, wrong = (
        bin_scores(occupied, np.array([[p]]), silent, silent) for p in (float(truth), 1.0 - truth)
    )
    assert right.loss == pytest.approx(0.0, abs=2 * MIN_BELIEF)
    assert wrong.loss == pytest.approx(-log(MIN_BELIEF), rel=1e-5)
    assert [(day.belief.sum(), day.right) for day in (right, wrong)] == [(1.0, 1.0), (1.0, 0.0)]


def test_an_undecided_guess_is_half_right() -> None:
    belief = np.array([0.5, 0.5, 0.51, 0.51, 0.49, 0.49])
    assert [right_guesses(np.array([one]), belief[[i]]) for i, one in enumerate([True, False] * 3)] == [
        0.5, 0.5, 1.0, 0.0, 0.0, 1.0,
    ]  # fmt: skip


def test_scores_of_two_days() -> None:
    day, alone = bin_scores(OCCUPIED, BELIEF, PRIOR, RATIO), np.full((2, 2), 0.5)
    other = bin_scores(OCCUPIED[:1], BELIEF[:1], PRIOR[:1], RATIO[:1])  # right, and undecided
    model = [bin_scores(states, alone[: len(states)], alone[: len(states)], alone[: len(states)] * 0)
             for states in (OCCUPIED, OCCUPIED[:1])]  # fmt: skip
    found = score_days([day, other], model)
    assert found.accuracy.value == pytest.approx(4 / 6)
    assert found.advantage.value == pytest.approx(1 / 6)
    assert found.log_loss.value == pytest.approx((2 * log(4 / 3) + 2 * log(2) + log(4)) / 6)
    assert found.auc.value == pytest.approx((2 * 3 + 1 * 1) / 9)
    assert found.evidence_auc.value == pytest.approx((1.0 * 1.1 + 0.5 * 0.1) / (1.5 * 1.1))
    assert found.roc.value.tolist() == roc_curve(day.belief + other.belief).tolist()
    assert found.evidence_roc.value.tolist() == roc_curve(day.evidence + other.evidence).tolist()
    for score in (found.accuracy, found.auc, found.evidence_auc, found.roc, found.evidence_roc):
        assert np.min(score.low) == 0
        assert np.max(score.high) == 1
    one = score_days([day], model[:1])
    assert (float(one.advantage.low), float(one.advantage.high)) == (-1, 1)
    assert (float(one.log_loss.low), float(one.log_loss.high)) == (0, np.inf)


def test_moments_of_one_kind_only_cannot_be_told_apart() -> None:
    for counts in (np.array([[0.0, 0.0], [1.0, 2.0]]), np.array([[1.0, 2.0], [0.0, 0.0]])):
        assert roc_curve(counts).tolist() == FALSE_ALARMS.tolist()
        assert auc(counts) == 0.5


def test_rates_that_tell_next_to_nothing_keep_no_share_of_it() -> None:
    """A gain is one from MIN_BELIEF: here next to it on either side."""
    model = np.array([0.5])
    more, less = (0.5 + np.sqrt(share * MIN_BELIEF / 2) for share in (1.1, 0.9))
    assert divergence(np.array([more]), model) > MIN_BELIEF > divergence(np.array([less]), model)
    assert compare_beliefs(np.array([more]), model, model).kept == 0
    assert compare_beliefs(np.array([less]), model, model).kept is None


def test_on_distributions_of_use_nobody_judges_the_observer() -> None:
    law = Law(edges=(0.0, 1.0), empty=(1.0,), occupied=(1.0,))
    sentence = "The observer is judged on streets of uniform use: the exact one is slow on eight others."
    with pytest.raises(ScenarioError, match=exactly(sentence)):
        approximation_error(Scenario(groups=(Group(law=law),)), "naive")


def test_while_everyone_is_out_and_uses_nothing_rates_tell_nothing() -> None:
    """Nobody is home before noon, and an empty house uses nothing: the rates are those of no demand."""
    habits = Habits(
        initial_occupied=0.0,
        periods=(period("Out", 0.0, leave=1.0, arrive=0.0), period("Back", 12.0, leave=0.1, arrive=0.5)),
    )
    scenario = Scenario(
        households=14,
        step_minutes=60,
        groups=(Group(empty_max=0.0),),
        models=(OccupancyModel(name="Out", habits=(habits,)),),
        habit_spread=0.0,
    )
    for inference in get_args(Inference):
        seen = posterior(simulate(scenario), "optimal", inference=inference)
        assert (seen.belief[:13] == 0).all()
        assert (seen.log_likelihood_ratio[:13] == 0).all()
        assert np.abs(seen.log_likelihood_ratio[13:]).max() > 0.1


@pytest.mark.parametrize(("above", "shown"), [(0.0, 0.0), (1.2e-15, 0.0), (3e-15, 1e-14), (0.3, 1.0)])
def test_a_rate_of_no_demand_shows_none_to_the_last_digit(above: float, shown: float) -> None:
    """At β + α·(what never responds) and no noise; what is above its rounding is demand."""
    day = simulate(Scenario(households=1, alpha=0.3, beta=0.7, inelastic_demand=0.1, step_minutes=60))
    rate = np.array([0.7 + 0.3 * 0.1 + above])
    (total,) = observe(REGISTRY["optimal"], day.market.public, rate, np.array([0.0])).total
    assert total == (pytest.approx(shown, rel=0.1) if shown else 0.0)
    noisy = observe(REGISTRY["naive"], day.market.public, rate, np.array([0.6]))
    assert noisy.total[0] == pytest.approx(above / 0.3, abs=1e-15)
    assert noisy.total[0] != 0
    assert noisy.b.tolist() == [2.0]


def test_rates_that_read_no_demand_show_nothing() -> None:
    day = simulate(Scenario(households=1, step_minutes=60))
    seen = observe(REGISTRY["forecast"], day.market.public, np.ones(2), np.ones(2))
    assert (seen.total.tolist(), seen.b.tolist(), seen.informative.tolist()) == (
        [0, 0],
        [np.inf] * 2,
        [False] * 2,
    )
