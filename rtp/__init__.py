"""The RTP Privacy Lab's model: what privacy costs when electricity prices are published in real time."""

from rtp.presets import PRESETS
from rtp.scenario import Group, Habits, OccupancyModel, Period, Scenario, ScenarioError
from rtp.simulation import Day, Release, simulate

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
    "simulate",
]
