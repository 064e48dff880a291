"""Which houses to look at: the most exposed, or where nobody has been followed yet, the easiest to see."""

import numpy as np

from rtp.attack.observer import Posterior
from rtp.core.types import Ints
from rtp.street.draw import Street


def largest_gap(street: Street) -> int:
    """The house whose mean use differs most between its states, as its bounds do where use is uniform: its
    state shows best in the demand."""
    (empty, occupied), _ = street.moments()
    return int(np.abs(occupied - empty).argmax())


def column_of(seen: Posterior, house: int | None) -> int:
    """Where a followed house stands in the arrays; without one, the most exposed."""
    return int(seen.exposure.argmax() if house is None else np.flatnonzero(seen.houses == house)[0])


def in_order(seen: Posterior, *, by_exposure: bool, first: int | None = None) -> Ints:
    """The columns of the followed houses, the most exposed or the lowest number first, all or so many."""
    order = np.argsort(-seen.exposure, kind="stable") if by_exposure else np.arange(len(seen.houses))
    return order[:first]
