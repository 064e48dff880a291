"""Every parameter of the lab, once: its bounds, its default, its words, and what is refused."""

from rtp.scenario.consumption import MAX_LISTED, Group, House, Law
from rtp.scenario.habits import (
    PAPER_PERIODS,
    Basis,
    Habits,
    Matrix,
    OccupancyModel,
    Period,
    period,
)
from rtp.scenario.model import Scenario
from rtp.scenario.occupancy import OccupiedMeans
from rtp.scenario.presets import DEFAULT_PRESET, LIBRARY, PRESETS, preset_named
from rtp.scenario.validation import (
    BOUNDS,
    LABELS,
    MAX_GROUPS,
    MAX_JSON_BYTES,
    MAX_MODELS,
    MAX_PERIODS,
    VALUE_LABELS,
    Bounds,
    ScenarioError,
    must_be_house,
    must_be_one_of,
    must_be_positive,
    must_be_within,
    read_object,
    refusal,
    valid_names,
)

__all__ = [
    "BOUNDS",
    "DEFAULT_PRESET",
    "LABELS",
    "LIBRARY",
    "MAX_GROUPS",
    "MAX_JSON_BYTES",
    "MAX_LISTED",
    "MAX_MODELS",
    "MAX_PERIODS",
    "PAPER_PERIODS",
    "PRESETS",
    "VALUE_LABELS",
    "Basis",
    "Bounds",
    "Group",
    "Habits",
    "House",
    "Law",
    "Matrix",
    "OccupancyModel",
    "OccupiedMeans",
    "Period",
    "Scenario",
    "ScenarioError",
    "must_be_house",
    "must_be_one_of",
    "must_be_positive",
    "must_be_within",
    "period",
    "preset_named",
    "read_object",
    "refusal",
    "valid_names",
]
