"""Two houses that come and go together: the promise that is lost, and the noise that keeps it, exactly."""

import numpy as np
import pytest

from rtp import PRESETS, Scenario
from rtp.algorithm1 import log_likelihood
from rtp.probability.laplace_uniform import log_density
from rtp.simulation import publish_day
from rtp.teaching.linked import beliefs, linked_days, ways, with_link
from rtp.teaching.stage import STAGE_MECHANISM, Stage, linked_pairs, open_stage, opening, small_street
from tests.help.few import few


def linked_stage(scenario: Scenario, houses: int) -> Stage:
    small = small_street(scenario, houses)
    stage = with_link(open_stage(small, opening(small)))
    assert stage is not None
    return stage


@pytest.mark.parametrize("name", few(list(PRESETS), "paper", "mixed street", "unsure curator"))
@pytest.mark.parametrize("houses", [2, 4])
def test_told_of_a_link_algorithm_1_protects_neither_and_the_fast_one_agrees(name: str, houses: int) -> None:
    stage = linked_stage(PRESETS[name], houses)
    one, other = stage.linked or (0, 0)
    np.testing.assert_array_equal(stage.states[:, one], stage.states[:, other])
    for t in range(0, stage.scenario.steps, 7):
        step = stage.at(t)
        assert step.scale == pytest.approx(stage.release.scale[t], rel=1e-14)
        for model in step.models:
            assert not {one, other} & set(model.protected)
            assert model.prior.sum() == pytest.approx(1)
        pairs = linked_pairs(step, [one, other])
        assert (len(pairs) > 0) == stage.street_day.support_classes.protected[t, one]


def test_what_is_learned_is_that_of_one_house_with_both_ones_use() -> None:
    """On two houses: a chain of two states, whose use is the sum of two uniforms."""
    stage = linked_stage(PRESETS["restless houses"], 2)
    first = (stage.linked or (0,))[0]
    chain = stage.own[first].chains(stage.street, 0, slice(first, first + 1))
    widths = (stage.street.empty_bound, stage.street.occupied_bound)
    for mechanism in ways(stage.linked or (0, 1)).values():
        release = publish_day(stage.scenario, stage.street_day, [mechanism]).release[STAGE_MECHANISM]
        believed = beliefs(stage, mechanism, [stage.scenario.seed])[:, 0]
        occupied = float(chain.initial[0])
        for t, rate in enumerate(release.rate.tolist()):
            demand = (rate - stage.scenario.beta) / stage.scenario.alpha
            out, both = (float(np.exp(log_density(demand, own, release.scale[t]))) for own in widths)
            occupied = occupied * both / (occupied * both + (1 - occupied) * out)
            assert believed[t] == pytest.approx(occupied, rel=1e-6, abs=1e-9)
            row = chain.row[min(t, len(chain.row) - 1)]
            occupied = occupied * (1 - chain.leave[row, 0]) + (1 - occupied) * chain.arrive[row, 0]


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 2.0])
def test_noise_for_the_larger_alone_breaks_the_promise_and_for_both_keeps_it(epsilon: float) -> None:
    """A house uses its bound when in and nothing when out; and uniformly, two alike, on all joint states."""
    one, other, rates = 0.9, 0.6, np.linspace(-30, 30, 1201)

    def largest_log_ratio(scale: float) -> float:
        both_in, both_out = -np.abs(rates - one - other) / scale, -np.abs(rates) / scale
        return float(np.abs(both_in - both_out).max())

    assert largest_log_ratio(max(one, other) / epsilon) == pytest.approx(epsilon * (one + other) / one)
    assert largest_log_ratio((one + other) / epsilon) == pytest.approx(epsilon)
    bounds = {"occupied_bound": np.full(2, one), "empty_bound": np.full(2, 1e-9)}
    for bound, kept in ((one, False), (2 * one, True)):
        scale = bound / epsilon
        of_rate = [log_likelihood(float(r), alpha=1.0, beta=0.0, scale=scale, **bounds) for r in rates[::40]]
        assert (max(abs(states[0] - states[3]) for states in of_rate) <= epsilon) == kept


def test_each_way_gives_away_what_its_noise_leaves_of_both() -> None:
    """At every step; without noise everything."""
    stage = linked_stage(PRESETS["paper"], 3)
    bound, days = stage.street.bound[list(stage.linked or ())], linked_days(stage)
    assert days["told"].sure > days["not told"].sure > days["both"].sure, "the more noise, the less sure"
    assert np.isinf(days["told"].loss[:28]).all()
    assert days["not told"].loss == pytest.approx(stage.scenario.epsilon * bound.sum() / bound.max())
    assert days["both"].loss == pytest.approx(stage.scenario.epsilon)
    assert days["both"].scale == pytest.approx(days["not told"].scale * bound.sum() / bound.max())
