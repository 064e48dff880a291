"""The RTP Privacy Lab's model: what privacy costs when electricity prices are published in real time."""

from rtp.scenario import PRESETS, Group, Habits, OccupancyModel, Period, Scenario, ScenarioError
from rtp.simulation import Day, Release, simulate
from rtp.version import VERSION as __version__

__all__ = [
    "PRESETS",
    "Day",
    "Group",
    "Habits",
    "OccupancyModel",
    "Period",
    "Release",
    "Scenario",
    "ScenarioError",
    "__version__",
    "simulate",
]
