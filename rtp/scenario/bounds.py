"""The allowed range of every number, and its words: one truth for validation, widgets and tests."""

from typing import NamedTuple

from rtp.core.time import STEPS_PER_HOUR

SCENARIO_VERSION = 2  # of the scenario's format and of what is drawn from its seed
MAX_GROUPS = 8
MAX_MODELS = 8
MAX_PERIODS = 24  # of a day


class Bounds(NamedTuple):
    """The allowed range of a number, ends included, and the words for it. Whole ends: a whole number."""

    low: float
    high: float
    words: str

    @property
    def whole(self) -> bool:
        return isinstance(self.low, int)


BOUNDS = {
    "households": Bounds(1, 10_000_000, "Households"),
    "days": Bounds(1, 31, "Days"),
    "epsilon": Bounds(1e-4, 1e4, "ε — privacy budget per step"),
    "negligible": Bounds(0.0, 0.5, "Probability too small to guard"),
    "alpha": Bounds(1e-6, 1e6, "α — price slope"),
    "beta": Bounds(0.0, 1e6, "β — base price"),
    "inelastic_demand": Bounds(0.0, 1e9, "Inelastic demand"),
    "elasticity": Bounds(0.0, 5.0, "Elasticity of demand"),
    "reference_rate": Bounds(1e-6, 1e12, "Reference rate"),
    "habit_spread": Bounds(0.0, 0.5, "Habit spread"),
    "seed": Bounds(0, 2**31 - 1, "Seed"),
    "share": Bounds(0.0, 1.0, "Share of the street"),
    "occupied_max": Bounds(1e-6, 1e6, "Largest bound when occupied"),
    "empty_max": Bounds(0.0, 1e6, "Largest bound when empty"),
    "occupied_min": Bounds(0.0, 1e6, "Lowest bound when occupied"),
    "empty_min": Bounds(0.0, 1e6, "Lowest bound when empty"),
    "occupied_bound": Bounds(0.0, 1e6, "Bound when occupied"),
    "empty_bound": Bounds(0.0, 1e6, "Bound when empty"),
    "edges": Bounds(0.0, 1e6, "Edge of a bin of use"),
    "mass": Bounds(0.0, 1.0, "Share of use in a bin"),
    "initial_occupied": Bounds(0.0, 1.0, "Chance to be occupied at the start"),
    "start": Bounds(0.0, 24.0 - 1 / STEPS_PER_HOUR, "Start hour"),
    "matrix": Bounds(0.0, 1.0, "Transition matrix"),
    "version": Bounds(1, SCENARIO_VERSION, "Version"),
}

# The words of what is no number: of the setting, and of its values.
LABELS = {
    "law": "Use",
    "houses": "Houses",
    "step_minutes": "A price every … minutes",
    "first_weekday": "The days begin on a",
    "power_unit": "Unit of power",
    "currency": "Currency",
    "assumed_model": "Filter and forecast believe in",
    "habit_clip": "Can a personal habit become certain?",
    "conversion": "From a period's chance to a step's",
    "naive_bound": "The naive noise covers",
    "independent_noise": "Independent noise for each mechanism",
    "clip_at_zero": "Never publish a negative rate",
}
CHOICES: dict[str, dict[str | None, str]] = {
    "assumed_model": {None: "the true model"},
    "habit_clip": {"interior": "Only where the matrix says so", "closed": "Yes, cut at 0 and 1"},
    "conversion": {"geometric": "independent tries", "root": "matrix root"},
    "naive_bound": {"nominal": "the nominal maximum", "realised": "the largest drawn bound"},
    "reference_rate": {None: "the day's mean"},
    "power_unit": {"": "none, as in the paper", "kW": "kW"},
    "currency": {"": "none"},
}
