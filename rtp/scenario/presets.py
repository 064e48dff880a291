"""Named scenarios, each with a sentence that says what to look at.

**Real habits**, of people aged 25 to 54 by how their working days go. Source: the tables of transitions
between sleeping, being at home and being away, every 15 minutes, for five kinds of working days and of
weekend days, and how common each kind is at an age, of the Python package obgeneration 0.1.5 (A. Su, 2026;
MIT licence). None of its code is here. What was made of them: as in the paper, occupied is up and about at
home; asleep or away is empty. The three states' chain says how many are occupied at every step and how many
come and go; over a period, the probability per step is the expected moves over the expected steps from which
one could move, and the number here is that over the whole period. The tables' days begin at 4:00, the lab's
at midnight; eight periods follow the share of people at home within five percentage points (root mean square)
of the tables.
"""

from typing import NamedTuple

from rtp.scenario.consumption import Group
from rtp.scenario.habits import PAPER_PERIODS, Habits, OccupancyModel, Period, period
from rtp.scenario.model import Scenario
from rtp.scenario.validation import must_be_one_of

DEFAULT_PRESET = "paper"


class Preset(NamedTuple):
    """A scenario, and a sentence that says what to look at."""

    scenario: Scenario
    look_at: str


def _habits(initial_occupied: float, *periods: Period) -> Habits:
    return Habits(initial_occupied=initial_occupied, periods=periods)


def _model(name: str, *habits: Habits) -> OccupancyModel:
    return OccupancyModel(name=name, habits=habits)


_QUIET = _habits(
    0.0,
    period("Morning", 7.0, leave=0.0, arrive=0.98),
    period("Noon", 8.0, leave=0.95, arrive=0.05),
    period("Evening", 16.0, leave=0.05, arrive=0.99),
    period("Night", 23.0, leave=1.0, arrive=0.0),
)

_STRICT = _habits(
    0.0,
    period("Morning", 7.0, leave=0.0, arrive=0.9),
    period("Away", 9.0, leave=1.0, arrive=0.0),
    period("Evening", 17.0, leave=0.1, arrive=0.95),
    period("Night", 22.0, leave=1.0, arrive=0.0),
)

_OFFICE = _habits(
    0.2,
    period("Morning", 6.0, leave=0.3, arrive=0.95),
    period("Work", 8.0, leave=1.0, arrive=0.0),
    period("Evening", 17.0, leave=0.1, arrive=0.97),
    period("Night", 23.0, leave=0.99, arrive=0.02),
)
_HOME = _habits(
    0.3,
    period("Morning", 7.0, leave=0.1, arrive=0.9),
    period("Noon", 9.0, leave=0.5, arrive=0.8),
    period("Evening", 17.0, leave=0.2, arrive=0.9),
    period("Night", 22.0, leave=0.98, arrive=0.05),
)
_SHIFT = _habits(
    0.7,
    period("Return", 6.0, leave=0.2, arrive=0.9),
    period("Sleep", 9.0, leave=1.0, arrive=0.0),
    period("Afternoon", 16.0, leave=0.2, arrive=0.95),
    period("Night shift", 21.0, leave=0.95, arrive=0.05),
)

_LATE = _habits(
    1.0,
    period("Morning", 7.0, leave=0.05, arrive=0.6),
    period("Noon", 10.0, leave=0.9, arrive=0.1),
    period("Evening", 18.0, leave=0.05, arrive=0.95),
    period("Night", 23.75, leave=1.0, arrive=0.0),
)
_EARLY = _habits(
    0.0,
    period("Morning", 5.0, leave=0.0, arrive=0.98),
    period("Noon", 7.0, leave=1.0, arrive=0.0),
    period("Evening", 15.0, leave=0.05, arrive=0.95),
    period("Night", 21.0, leave=1.0, arrive=0.0),
)


def _moving(probability: float) -> Habits:
    """The same probability to leave and to arrive, at every step of the day."""
    return Habits(
        periods=tuple(
            period(each.name, each.start, leave=probability, arrive=probability, basis="step")
            for each in PAPER_PERIODS
        )
    )


_FLATS = Habits(
    initial_occupied=0.05,
    periods=(
        period("Morning", 6.0, leave=0.55, arrive=0.92),
        period("Day", 9.0, leave=0.6, arrive=0.5),
        period("Evening", 16.0, leave=0.15, arrive=0.9),
        period("Night", 22.0, leave=0.995, arrive=0.05),
    ),
    weekend=(
        period("Morning", 6.0, leave=0.15, arrive=0.6),
        period("Day", 9.0, leave=0.5, arrive=0.7),
        period("Evening", 16.0, leave=0.25, arrive=0.75),
        period("Night", 22.0, leave=0.99, arrive=0.05),
    ),
)
_SHOPS = Habits(
    initial_occupied=0.0,
    periods=(
        period("Opening", 7.0, leave=0.02, arrive=0.98),
        period("Day", 9.0, leave=0.1, arrive=0.9),
        period("Closing", 18.0, leave=0.97, arrive=0.02),
        period("Night", 21.0, leave=0.99, arrive=0.01),
    ),
    weekend=(
        period("Opening", 7.0, leave=0.1, arrive=0.5),
        period("Day", 9.0, leave=0.7, arrive=0.2),
        period("Closing", 18.0, leave=0.99, arrive=0.02),
        period("Night", 21.0, leave=0.99, arrive=0.01),
    ),
)
_FLAT = Group(name="Flats", share=120 / 180, occupied_min=1.5, occupied_max=3.0, empty_min=0.1, empty_max=0.2)
_HOUSE = Group(
    name="Houses", share=50 / 180, occupied_min=2.5, occupied_max=5.0, empty_min=0.2, empty_max=0.4
)
_SHOP = Group(name="Shops", share=10 / 180, occupied_min=6.0, occupied_max=12.0, empty_min=0.3, empty_max=0.6)
_FEEDER_GROUPS = (
    _FLAT.replace(yearly_kwh=2000.0),
    _HOUSE.replace(yearly_kwh=4000.0),
    _SHOP.replace(yearly_kwh=10000.0),
)
# What a group can be like whose name says nothing.
HABITS_OF = {"flat": _FLATS, "house": _FLATS, "shop": _SHOPS}

HABITS_SOURCE = "tables of the package obgeneration, MIT licence"
PARTS_OF_A_DAY = (
    ("Waking", 5.0),
    ("Breakfast", 7.0),
    ("Morning", 9.0),
    ("Noon", 12.0),
    ("Afternoon", 15.0),
    ("Evening", 17.0),
    ("Late evening", 20.0),
    ("Night", 22.0),
)
Probabilities = tuple[float, ...]

REAL_WEEKEND: tuple[Probabilities, Probabilities] = (
    (0.521, 0.479, 0.517, 0.425, 0.271, 0.362, 0.564, 0.996),
    (0.243, 0.476, 0.536, 0.491, 0.397, 0.641, 0.367, 0.171),
)

# name, share of people, probability to be up at midnight, leave and arrive in every part of a working day
KINDS_OF_DAYS: tuple[tuple[str, float, float, Probabilities, Probabilities], ...] = (
    (
        "Long day away",
        0.549,
        0.063,
        (0.931, 0.895, 0.877, 0.926, 0.549, 0.503, 0.665, 0.999),
        (0.316, 0.194, 0.111, 0.143, 0.308, 0.694, 0.409, 0.193),
    ),
    (
        "Mostly home",
        0.209,
        0.132,
        (0.378, 0.263, 0.204, 0.202, 0.150, 0.268, 0.496, 0.988),
        (0.383, 0.677, 0.856, 0.881, 0.868, 0.934, 0.357, 0.212),
    ),
    (
        "Morning away",
        0.120,
        0.072,
        (0.506, 0.725, 0.721, 0.531, 0.217, 0.335, 0.573, 0.997),
        (0.396, 0.502, 0.535, 0.694, 0.870, 0.907, 0.394, 0.170),
    ),
    (
        "Afternoon away",
        0.107,
        0.105,
        (0.515, 0.372, 0.238, 0.432, 0.644, 0.692, 0.508, 0.998),
        (0.404, 0.691, 0.853, 0.795, 0.369, 0.583, 0.643, 0.238),
    ),
    (
        "Evening and night away",
        0.015,
        0.001,
        (0.919, 0.789, 0.515, 0.616, 0.569, 0.904, 0.909, 0.999),
        (0.183, 0.355, 0.373, 0.513, 0.467, 0.274, 0.128, 0.210),
    ),
)


def _real_periods(leave: Probabilities, arrive: Probabilities) -> tuple[Period, ...]:
    return tuple(
        period(name, start, leave=out, arrive=back)
        for (name, start), out, back in zip(PARTS_OF_A_DAY, leave, arrive, strict=True)
    )


REAL_GROUPS = tuple(Group(name=name, share=share) for name, share, *_ in KINDS_OF_DAYS)
REAL_HABITS = OccupancyModel(
    name="Aged 25 to 54",
    habits=tuple(
        Habits(
            initial_occupied=initial,
            periods=_real_periods(leave, arrive),
            weekend=_real_periods(*REAL_WEEKEND),
        )
        for _, _, initial, leave, arrive in KINDS_OF_DAYS
    ),
)

_BIG_AND_SMALL = (
    Group(name="Villas", share=0.1, occupied_max=3.0, empty_max=0.5),
    Group(name="Flats", share=0.9, occupied_max=1.0, empty_max=0.5),
)

LIBRARY: dict[str, Preset] = {
    DEFAULT_PRESET: Preset(
        Scenario(),
        "The street of the paper's own simulation.",
    ),
    "quiet night": Preset(
        Scenario(models=(_model("Everybody sleeps", _QUIET),)),
        "At night everyone is surely asleep: the private rate is then the optimal one.",
    ),
    "mansions": Preset(
        Scenario(
            groups=(
                Group(name="Mansions", share=0.02, occupied_max=5.0, empty_max=1.0),
                Group(name="Houses", share=0.98),
            ),
            models=(_model("Mansions on schedule", _STRICT, Habits()),),
        ),
        "A few mansions set the noise. While they are surely away or asleep, it steps down.",
    ),
    "tiny street": Preset(
        Scenario(households=5, beta=1.0),
        "With five houses the optimal rate gives people away; the private one blurs them.",
    ),
    "mixed street": Preset(
        Scenario(
            groups=(
                Group(name="Office", share=0.5, occupied_max=1.5, empty_max=0.3),
                Group(name="Home", share=0.3, occupied_max=1.0, empty_max=0.6),
                Group(name="Shift", share=0.2, occupied_max=2.0, empty_max=0.4),
            ),
            models=(_model("Three ways to live", _OFFICE, _HOME, _SHIFT),),
        ),
        "Three groups with different days: the noise follows the largest house that is uncertain.",
    ),
    "unsure curator": Preset(
        Scenario(
            groups=_BIG_AND_SMALL,
            models=(
                _model("Early birds", _EARLY, Habits()),
                _model("Night owls", _LATE, _QUIET),
            ),
        ),
        "The curator guards against two models; which of them sets the noise changes over the day.",
    ),
    "elastic demand": Preset(
        Scenario(elasticity=0.8, epsilon=0.1),
        "Households save when the last rate was high, so each rate shapes its own demand.",
    ),
    "restless houses": Preset(
        Scenario(models=(_model("In and out all day", _moving(0.4)),)),
        "People come and go all the time: a whole day reveals less of one moment than ε allows one rate.",
    ),
    "steady houses": Preset(
        Scenario(models=(_model("In or out for days", _moving(1e-4)),), habit_spread=0.0, epsilon=0.05),
        "Whoever is in stays for days, so every rate reveals the same secret again.",
    ),
    "whole town": Preset(
        Scenario(households=10_000, epsilon=1.0),
        "An insider sees a week away through the noise; an outsider loses it in the crowd.",
    ),
    "real habits": Preset(
        Scenario(groups=REAL_GROUPS, models=(REAL_HABITS,), habit_spread=0.0, days=2, first_weekday="Friday"),
        f"A Friday and a Saturday of people aged 25 to 54 ({HABITS_SOURCE}).",
    ),
    "feeder": Preset(
        Scenario(
            households=180,
            groups=_FEEDER_GROUPS,
            models=(_model("Working days and weekend", _FLATS, _FLATS, _SHOPS),),
            power_unit="kW",
            currency="EUR",
            alpha=0.003867,  # 0.20 to 0.45 EUR/kWh on a typical day
            beta=0.1136,
        ),
        "Flats, houses and shops, in kW and EUR. Put your own groups in their place, then see Decide.",
    ),
}

PRESETS: dict[str, Scenario] = {name: preset.scenario for name, preset in LIBRARY.items()}


def preset_named(name: str) -> Scenario:
    """The preset of that name; refuses any other."""
    must_be_one_of("preset", name, PRESETS)
    return PRESETS[name]


def models_for(groups: int) -> dict[str, OccupancyModel]:
    """The presets' models that describe so many groups, by their names and presets."""
    return {
        f"{model.name} (preset {name})": model
        for name, preset in PRESETS.items()
        for model in preset.models
        if len(model.habits) == groups
    }
