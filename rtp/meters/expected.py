"""What the learned model expects of the feeder's demand: the moments that filter and forecast lean on.

The street of a scenario uses U(0, u); a real house uses what it uses. With the mean m and the variance v of a
house's consumption in each state, learned from its readings, and its group's chance π to be occupied, the
moments of `rtp.street.moments` follow in the same way: the mean is Σ m₀ + π(m₁ − m₀), the variance given who
is at home Σ πv₁ + (1 − π)v₀, and that from who is at home Σ (m₁ − m₀)²·π(1 − π).
"""

import numpy as np

from rtp.core.types import Floats, Ints
from rtp.street.moments import DemandMoments
from rtp.street.schedule import Schedule


def outlook_of(
    schedules: tuple[Schedule, ...], group: Ints, mean: Floats, variance: Floats, steps: int
) -> DemandMoments:
    """Of houses in groups, (n,), with means and variances (2, n), empty and occupied."""
    groups = len(schedules)
    moments = {name: np.zeros((groups, steps)) for name in DemandMoments.__dataclass_fields__}
    for g, schedule in enumerate(schedules):
        mine = group == g
        chance, carry = _chances(schedule, steps)
        (m0, m1), (v0, v1) = mean[:, mine], variance[:, mine]
        spread = ((m1 - m0) ** 2).sum() * chance * (1 - chance)
        moments["occupied"][g] = mine.sum() * chance
        moments["demand"][g] = m0.sum() + chance * (m1 - m0).sum()
        moments["consumption_variance"][g] = chance * v1.sum() + (1 - chance) * v0.sum()
        moments["occupancy_variance"][g] = spread
        moments["lag1_covariance"][g] = spread * carry
    return DemandMoments(**moments)


def _chances(schedule: Schedule, steps: int) -> tuple[Floats, Floats]:
    """(T,) each: the chance to be occupied, and what the next step keeps of its distance from rest."""
    period = np.resize(schedule.period, steps)
    leave, arrive = schedule.leave[period], schedule.arrive[period]
    chance, now = np.empty(steps), schedule.initial
    for step, (out, back) in enumerate(zip(leave.tolist(), arrive.tolist(), strict=True)):
        chance[step] = now
        now = now * (1 - out - back) + back
    return chance, 1 - leave - arrive
