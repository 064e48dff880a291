"""The drawn street: the sizes of its groups, and the chains of its houses."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rtp import Scenario
from rtp.simulation import street_spec
from rtp.street.draw import Block, group_sizes
from tests.help.strategies import scenarios


@given(st.lists(st.integers(1, 50), min_size=1, max_size=8), st.integers(1, 10_000))
def test_groups_get_their_share_to_within_one_house(weights: list[int], households: int) -> None:
    shares = [w / sum(weights) for w in weights]
    sizes = group_sizes(shares, households)
    assert sum(sizes) == households
    assert all(abs(size - share * households) < 1 for size, share in zip(sizes, shares, strict=True))


@given(scenarios(max_households=6), st.integers(1, 2))
def test_chains_of_some_houses_follow_the_calendar_of_their_groups(scenario: Scenario, days: int) -> None:
    spec = street_spec(scenario.replace(days=days))
    street, houses = spec.draw(), np.arange(scenario.households)[::-2]
    for model, schedules in enumerate(spec.schedules):
        chains = spec.chains(street, model, houses)
        assert chains.steps == spec.steps
        assert len(np.unique(chains.row)) == len(chains.leave) == len(chains.arrive)
        assert chains.initial.tolist() == [schedules[street.group[h]].initial for h in houses]
        leave, arrive = chains.leave[chains.row], chains.arrive[chains.row]
        for i, house in enumerate(houses.tolist()):
            group = int(street.group[house])
            own = spec.transition_probabilities(street, model, Block(group, house, house + 1))
            period = np.resize(schedules[group].period, spec.steps - 1)
            np.testing.assert_array_equal(leave[:, i], own[0][period, 0])
            np.testing.assert_array_equal(arrive[:, i], own[1][period, 0])
