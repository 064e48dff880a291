"""What a model expects of the street's demand, before anything is observed.

A house that is occupied with probability π uses m₁ or m₀ on average, so its mean is m₀ + π·δ with the
difference of means δ = m₁ − m₀; of uniform use U(0, u) the mean m is u/2 and the variance v is u²/12. Houses
are independent, so sums over a group give the exact mean of its demand, the variance that comes from who is
at home, the variance of consumption given that, and the covariance of the first with the next step: all that
a linear filter needs.
"""

from dataclasses import dataclass

import numpy as np

from rtp.core.types import Floats
from rtp.probability.markov import predict_occupied
from rtp.street.schedule import CHUNK_STEPS, Schedule


@dataclass(frozen=True)
class DemandMoments:
    """Moments per group and step, all (G, T)."""

    occupied: Floats  # expected number of occupied houses: Σ π
    demand: Floats  # expected demand: Σ m₀ + πδ
    consumption_variance: Floats  # of demand given who is at home: Σ πv₁ + (1 − π)v₀
    occupancy_variance: Floats  # of demand from who is at home: Σ δ²π(1 − π)
    lag1_covariance: Floats  # of that part with the next step's: Σ δ²π(1 − π)(1 − leave − arrive)

    @property
    def expected_demand(self) -> Floats:
        return np.asarray(self.demand.sum(axis=0))

    @property
    def group_variance(self) -> Floats:
        return self.occupancy_variance + self.consumption_variance

    @property
    def variance(self) -> Floats:
        return np.asarray(self.group_variance.sum(axis=0))


def block_moments(
    schedule: Schedule, leave: Floats, arrive: Floats, mean: Floats, variance: Floats, steps: int
) -> Floats:
    """The moments of n houses of one group, (5, T) in the order of the fields of `DemandMoments`.

    Habits are (P, n); use has means and variances (2, n), empty and occupied. Who is certain adds exactly
    nothing to the last two.
    """
    none, every = np.zeros_like(mean[0]), np.ones_like(mean[0])
    if_empty, if_occupied = np.stack([none, mean[0], variance[0]]), np.stack([every, mean[1], variance[1]])
    persistence = 1 - leave - arrive
    quadratic = (mean[1] - mean[0]) ** 2 * np.stack([np.ones_like(persistence), persistence], axis=1)
    moments = np.empty((5, steps))
    occupied, empty = np.empty((2, CHUNK_STEPS + 1, len(every)))
    occupied[0] = schedule.initial
    for now, period in schedule.chunks(steps):
        k = now.stop - now.start
        predict_occupied(occupied[: k + 1], persistence[period], arrive[period])
        np.subtract(1, occupied[:k], out=empty[:k])
        moments[:3, now] = if_occupied @ occupied[:k].T + if_empty @ empty[:k].T
        empty[:k] *= occupied[:k]  # π(1 − π)
        moments[3:, now] = quadratic[period] @ empty[:k].T
        occupied[0] = occupied[k]
    return moments
