"""Streets on which the observer is judged: the paper's habits, and people who hardly ever move."""

from collections.abc import Callable, Sequence
from typing import get_args

import numpy as np
from scipy.special import stdtrit

from rtp import Day, Group, Scenario, simulate
from rtp.attack.adversary import AdversaryKind, Posterior
from rtp.core.types import Floats
from rtp.scenario import Habits, OccupancyModel
from rtp.street.draw import Street
from rtp.street.simulate import replay_houses

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


def moving(chance: float) -> Habits:
    """Everyone moves with this chance at every step, whatever the time of day."""
    first = Scenario().models[0].habits[0]
    matrix = ((1 - chance, chance), (chance, 1 - chance))
    return first.replace(periods=tuple(p.replace(matrix=matrix, basis="step") for p in first.periods))


def assert_calibrated(days: Sequence[Scenario], look: Callable[[Day], Posterior]) -> None:
    """In every tenth of her belief as many moments are occupied as she says, within the scatter over days.

    Days are independent, moments are not: the mean over days of (occupied − belief), summed within a tenth,
    has a Student's t. Ten tenths tested at 1e-4 each raise a false alarm once in a thousand.
    """
    off = np.zeros((len(days), 10))
    for d, scenario in enumerate(days):
        day = simulate(scenario)
        found = look(day)
        states, _ = replay_houses(day.street_day.spec, day.street, found.houses.tolist())
        tenth = np.minimum((found.belief * 10).astype(int), 9)
        off[d] = np.bincount(tenth.ravel(), (states - found.belief).ravel(), 10)
    spread = np.maximum(off.std(axis=0, ddof=1), 1e-9) / np.sqrt(len(days))
    assert np.abs(off.mean(axis=0) / spread).max() < stdtrit(len(days) - 1, 1 - 1e-4 / 2)
