"""Streets and curves that several tests ask about."""

import numpy as np

from rtp import Habits, OccupancyModel, Scenario
from rtp.scenario import PAPER_PERIODS, period
from rtp.tradeoff import Curve, Line


def certain_street() -> Scenario:
    """Nobody is ever at home, and everybody knows."""
    away = tuple(period(p.name, p.start, leave=1.0, arrive=0.0) for p in PAPER_PERIODS)
    asleep = OccupancyModel(habits=(Habits(initial_occupied=0.0, periods=away),))
    return Scenario(models=(asleep,), households=30)


def flat(**levels: float) -> Curve:
    """A curve of two budgets, the same error at both."""
    lines = {
        name: Line(expected=np.full(2, x), low=np.full(2, x), high=np.full(2, x))
        for name, x in levels.items()
    }
    return Curve(epsilons=np.array([0.5, 1.0]), days=2, steps=96, lines=lines)
