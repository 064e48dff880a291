"""Support classes and prior marginals: what is possible, on booleans, and how likely it is."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from rtp import PRESETS, Scenario
from rtp.core.types import Floats
from rtp.probability.markov import marginals, propagate
from rtp.simulation import draw_day, street_spec
from rtp.street.prior_marginals import PriorMarginals, support_classes
from tests.help.strategies import scenarios


@given(scenarios(max_households=12))
def test_every_house_has_one_class_within_its_group(scenario: Scenario) -> None:
    spec = street_spec(scenario)
    street = spec.draw()
    classes = support_classes(spec, street)
    assert classes.count.sum() == scenario.households
    assert classes.protected.shape == (scenario.steps, len(classes.count))
    seen = np.concatenate([np.arange(scenario.households)[members] for members in classes.members])
    assert sorted(seen.tolist()) == list(range(scenario.households))
    for k, members in enumerate(classes.members):
        houses = np.arange(scenario.households)[members]
        assert len(houses) == classes.count[k]
        assert (classes.of_house[houses] == k).all()
        assert len(set(street.group[houses].tolist())) <= 1


@given(scenarios(max_households=5))
def test_possible_states_are_those_of_any_chain_with_these_zeros(scenario: Scenario) -> None:
    """All that is neither 0 nor 1 is put at ½, so that no probability of a day underflows."""
    spec = street_spec(scenario)
    street = spec.draw()
    classes = support_classes(spec, street)
    for model in range(len(spec.schedules)):
        chains = spec.chains(street, model)
        coin = replace(
            chains, initial=_half(chains.initial), leave=_half(chains.leave), arrive=_half(chains.arrive)
        )
        occupied, empty = marginals(coin)
        possible = classes.both_states_possible[model][:, classes.of_house]
        np.testing.assert_array_equal((occupied > 0) & (empty > 0), possible)


def _half(probability: Floats) -> Floats:
    return np.where((probability > 0) & (probability < 1), 0.5, probability)


@pytest.mark.slow
@given(scenarios(max_households=5))
def test_prior_marginals_are_those_of_the_chains(scenario: Scenario) -> None:
    spec = street_spec(scenario.replace(days=2))
    street = spec.draw()
    prior = PriorMarginals(spec, street, support_classes(spec, street))
    steps = np.array([step.occupied for step in prior.steps()])
    for model in range(len(spec.schedules)):
        np.testing.assert_allclose(steps[:, model], propagate(spec.chains(street, model)), atol=1e-13)


def test_a_threshold_covers_whom_some_model_doubts_and_no_more() -> None:
    """At 0 all are covered whose states are both possible, at one half nobody; in between by hand."""
    life = draw_day(PRESETS["unsure curator"].replace(households=30))
    prior, classes = life.prior_marginals, life.support_classes
    everyone = classes.protected[:, classes.of_house]
    np.testing.assert_array_equal(prior.protected_set(0.0).count, everyone.sum(axis=1))
    assert not prior.protected_set(0.5).count.any()
    assert (prior.protected_set(0.5).house == -1).all()
    covered, occupied = prior.protected_set(0.2), np.array([step.occupied for step in prior.steps()])
    possible = classes.both_states_possible[:, :, classes.of_house].swapaxes(0, 1)
    by_hand = (possible & (np.minimum(occupied, 1 - occupied) > 0.2)).any(axis=1)
    np.testing.assert_array_equal(covered.count, by_hand.sum(axis=1))
    np.testing.assert_array_equal(covered.largest, np.where(by_hand, life.street.bound, 0.0).max(axis=1))
