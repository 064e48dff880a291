"""Streets on which the observer is judged: the paper's habits, and people who hardly ever move."""

from typing import get_args

import numpy as np

from rtp import Group, Scenario
from rtp.attack.adversary import AdversaryKind
from rtp.core.types import Floats
from rtp.scenario import Habits, OccupancyModel
from rtp.street.draw import Street

KNOWLEDGE: tuple[AdversaryKind, ...] = get_args(AdversaryKind)


def street(habits: str, households: int, epsilon: float, seed: int) -> Scenario:
    """Either "paper", or "sticky": 0.2 % move at a step, and an empty house uses next to nothing."""
    scenario = Scenario(households=households, epsilon=epsilon, seed=seed)
    if habits == "paper":
        return scenario
    return scenario.replace(
        models=(OccupancyModel(name="Sticky", habits=(moving(0.002),)),),
        groups=(Group(empty_max=0.1),),
        habit_spread=0.0,
    )


def bare_street(occupied_bound: Floats, empty_bound: Floats) -> Street:
    """Houses of one group with these bounds, and nothing else about them."""
    n = len(occupied_bound)
    return Street(
        group=np.zeros(n, dtype=np.int8),
        occupied_bound=occupied_bound,
        empty_bound=empty_bound,
        habit_draws=np.zeros((n, 2, 4), dtype=np.float32),
    )


def turning(households: int, epsilon: float, seed: int) -> Scenario:
    """Half of the houses hardly ever move, the others turn at nearly every step."""
    groups = (Group(name="Still", share=0.5, empty_max=0.0), Group(name="Turning", share=0.5, empty_max=0.0))
    model = OccupancyModel(name="Turning", habits=(moving(0.002), moving(0.998)))
    return Scenario(
        households=households, epsilon=epsilon, seed=seed, groups=groups, models=(model,), habit_spread=0.0
    )


def moving(chance: float) -> Habits:
    """Everyone moves with this chance at every step, whatever the time of day."""
    first = Scenario().models[0].habits[0]
    matrix = ((1 - chance, chance), (chance, 1 - chance))
    return first.replace(periods=tuple(p.replace(matrix=matrix, basis="step") for p in first.periods))
