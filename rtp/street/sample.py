"""Houses to look at one by one where the street is too long to look at all."""

import numpy as np

from rtp.core.types import Ints


def evenly(households: int, count: int) -> Ints:
    """At most so many house numbers, spread evenly from the first house to the last."""
    return np.unique(np.linspace(0, households - 1, count).astype(np.intp))
