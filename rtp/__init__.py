"""The RTP Privacy Lab's model: what privacy costs when electricity prices are published in real time."""

from rtp.exposure import exposure
from rtp.scenario import PRESETS, Group, Habits, House, Law, OccupancyModel, Period, Scenario, ScenarioError
from rtp.scenario.house_table import read_table
from rtp.simulation import Day, Release, simulate
from rtp.version import VERSION as __version__

__all__ = [
    "PRESETS",
    "Day",
    "Group",
    "Habits",
    "House",
    "Law",
    "OccupancyModel",
    "Period",
    "Release",
    "Scenario",
    "ScenarioError",
    "__version__",
    "exposure",
    "read_table",
    "simulate",
]
