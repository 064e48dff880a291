"""What is smooth and dear is worked out at knots, always the same ones, and interpolated in between.

Knots are the whole numbers of some scale, such as two to a decade of budgets. A value comes from the
polynomial through the few knots around it (Lagrange's), so it depends on its own place alone, whatever else
is asked for; on a knot it is the knot's own.
"""

from typing import NamedTuple

import numpy as np

from rtp.core.types import Floats, Ints


class Knots(NamedTuple):
    """Where values are needed, (K,), and how those of the knots around make up that of each place."""

    at: Floats  # (K,)
    around: Ints  # (points, E): which of them are around each place
    weights: Floats  # (points, E)

    def between(self, values: Floats) -> Floats:
        """(…, E) from the values at the knots, (…, K)."""
        return np.asarray(np.sum(values[..., self.around] * self.weights, axis=-2))


def knots_around(places: Floats, points: int) -> Knots:
    """For places (E,), on the scale whose whole numbers are the knots; an even number of points."""
    around = np.arange(points) + 1 - points // 2
    first = np.floor(places)
    x = places - first
    weights = np.array(
        [np.prod([(x - j) / (i - j) for j in around if j != i], axis=0) for i in around.tolist()]
    )
    near = first + around[:, None]
    at = np.unique(near[weights != 0])
    return Knots(at, np.minimum(np.searchsorted(at, near), len(at) - 1), weights)
