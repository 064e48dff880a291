"""Joint states, counted: which one the street is in, and how many are possible."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from rtp.algorithm1 import Step


def state_index(occupied: Iterable[bool]) -> int:
    """The place of a joint state in counting order, house 0 first, as in `rtp.algorithm1.all_states`."""
    index = 0
    for house in occupied:
        index = 2 * index + bool(house)
    return index


class Count(NamedTuple):
    possible: int
    of: int


def possible_states(step: Step) -> Count:
    """The states possible under some model."""
    some = np.any([model.possible for model in step.models], axis=0)
    return Count(int(some.sum()), len(some))
