"""One chance per house, carried through the day: the paper's prior and posterior recursion, (2) and (3).

The prior of a step follows from the last posterior by the house's own matrix, the posterior from the prior by
the evidence of the rate. Both chances, to be occupied and to be empty, are carried, so that neither is lost
in the other's rounding and exactly 0 still means impossible.
"""

from dataclasses import dataclass

import numpy as np

from rtp import life
from rtp.attacker.evidence import Listener
from rtp.life import Progress
from rtp.occupancy import Bools, Floats, Ints
from rtp.scenario import STEPS_PER_DAY, Scenario
from rtp.street import Street


@dataclass(frozen=True, kw_only=True)
class Habits:
    """How some houses come and go under one model."""

    initial: Floats  # (n,)
    leave: Floats  # (4, n)
    arrive: Floats  # (4, n)
    group: Ints  # (n,)
    period: Ints  # (G, 96)

    def chances(self, step: int) -> tuple[Floats, Floats]:
        """(leave, arrive) from this step to the next, both (n,)."""
        period = self.period[:, step % STEPS_PER_DAY]
        if (period == period[0]).all():
            return self.leave[period[0]], self.arrive[period[0]]
        of_house, houses = period[self.group], np.arange(len(self.group))
        return self.leave[of_house, houses], self.arrive[of_house, houses]


def habits_of(scenario: Scenario, street: Street, model: int, houses: Ints) -> Habits:
    plans = life.plans(scenario)[model]
    chances = [life.chances(scenario, street, plans, block) for block in life.blocks_of(scenario)]
    group = street.group[houses].astype(np.intp)
    return Habits(
        initial=np.array([plan.initial for plan in plans])[group],
        leave=np.concatenate([leave for leave, _ in chances], axis=1)[:, houses],
        arrive=np.concatenate([arrive for _, arrive in chances], axis=1)[:, houses],
        group=group,
        period=np.array([plan.period for plan in plans]),
    )


def follow(
    hear: Listener, habits: Habits, steps: int, keep: Bools, progress: Progress | None = None
) -> tuple[Floats, Floats, Floats]:
    """(belief, prior, log-evidence) of the houses to keep, each (T, n). Certain houses give no evidence."""
    belief, prior, told = (np.empty((steps, int(keep.sum()))) for _ in range(3))
    occupied, empty = habits.initial, 1 - habits.initial
    for step in range(steps):
        open_houses = (occupied > 0) & (empty > 0)
        log_evidence = np.where(open_houses, hear(step, occupied, empty), 0.0)
        prior[step], told[step] = occupied[keep], log_evidence[keep]
        if log_evidence.any():
            occupied, empty = bayes(occupied, empty, log_evidence)
        belief[step] = occupied[keep]
        occupied, empty = move(occupied, empty, *habits.chances(step))
        if progress is not None:
            progress((step + 1) / steps)
    return belief, prior, told


def model_only(habits: Habits, steps: int) -> Floats:
    """(T, n): Pr[occupied] with no rate at all."""
    chance = np.empty((steps, len(habits.initial)))
    occupied, empty = habits.initial, 1 - habits.initial
    for step in range(steps):
        chance[step] = occupied
        occupied, empty = move(occupied, empty, *habits.chances(step))
    return chance


def move(occupied: Floats, empty: Floats, leave: Floats, arrive: Floats) -> tuple[Floats, Floats]:
    """One step ahead."""
    return occupied * (1 - leave) + empty * arrive, empty * (1 - arrive) + occupied * leave


def bayes(occupied: Floats, empty: Floats, log_evidence: Floats) -> tuple[Floats, Floats]:
    """The paper's equation (3) for single houses."""
    one = occupied * np.exp(np.minimum(log_evidence, 0.0))
    other = empty * np.exp(-np.maximum(log_evidence, 0.0))
    return one / (one + other), other / (one + other)
