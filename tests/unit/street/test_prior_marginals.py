"""Support classes: what is possible, on booleans; how likely it is: test_threshold.py."""

from dataclasses import replace

import numpy as np
from hypothesis import given

from rtp import Scenario
from rtp.core.types import Floats
from rtp.probability.markov import marginals
from rtp.simulation import street_spec
from rtp.street.prior_marginals import support_classes
from tests.help.strategies import scenarios


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
