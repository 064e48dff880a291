"""Joint states, counted."""

import numpy as np

from rtp import PRESETS
from rtp.algorithm1 import all_states
from rtp.classroom.lesson import lesson, small_street
from rtp.classroom.states import possible_states, state_index


def test_states_are_numbered_in_the_order_of_the_algorithm() -> None:
    states = all_states(3)
    assert [state_index(row) for row in states.astype(bool)] == list(range(8))
    assert state_index(np.array([True, False])) == 2


def test_a_state_counts_where_some_model_thinks_it_possible() -> None:
    taught = lesson(small_street(PRESETS["unsure curator"], 3), {})
    for step in (0, 30, 90):
        models = taught.at(step).models
        some = sum(any(model.possible[state] for model in models) for state in range(8))
        assert possible_states(taught.at(step)) == (some, 8)
