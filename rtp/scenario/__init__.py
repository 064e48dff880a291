"""Every parameter of the lab, once: its bounds, its default, its words, and what is refused."""

from rtp.scenario.bounds import BOUNDS, CHOICES, LABELS, MAX_GROUPS, MAX_MODELS, MAX_PERIODS, Bounds
from rtp.scenario.habits import (
    PAPER_PERIODS,
    Basis,
    Group,
    Habits,
    Matrix,
    OccupancyModel,
    Period,
    complement,
    matrix,
    period,
)
from rtp.scenario.houses import MAX_LISTED, House
from rtp.scenario.laws import Law
from rtp.scenario.model import Scenario
from rtp.scenario.presets import DEFAULT_PRESET, LIBRARY, PRESETS, Preset, preset_named
from rtp.scenario.reading import MAX_JSON_BYTES, read_object
from rtp.scenario.refusal import (
    ScenarioError,
    must_be_house,
    must_be_one_of,
    must_be_positive,
    must_be_within,
    refusal,
)

__all__ = [
    "BOUNDS",
    "CHOICES",
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
    "Basis",
    "Bounds",
    "Group",
    "Habits",
    "House",
    "Law",
    "Matrix",
    "OccupancyModel",
    "Period",
    "Preset",
    "Scenario",
    "ScenarioError",
    "complement",
    "matrix",
    "must_be_house",
    "must_be_one_of",
    "must_be_positive",
    "must_be_within",
    "period",
    "preset_named",
    "read_object",
    "refusal",
]
