"""Streets and curves that several tests ask about."""

from rtp import Habits, OccupancyModel, Scenario
from rtp.scenario import PAPER_PERIODS, period


def certain_street() -> Scenario:
    """Nobody is ever at home, and everybody knows."""
    away = tuple(period(p.name, p.start, leave=1.0, arrive=0.0) for p in PAPER_PERIODS)
    asleep = OccupancyModel(habits=(Habits(initial_occupied=0.0, periods=away),))
    return Scenario(models=(asleep,), households=30)
