"""How many houses one model alone would protect."""

import numpy as np

from rtp.core.types import Ints
from rtp.street.kinds import Kinds


def protected_under(kinds: Kinds, model: int) -> Ints:
    """(T,): the houses whose state is uncertain under that model."""
    return np.asarray(kinds.uncertain[model] @ kinds.count)
