"""Named scenarios, each with a sentence that says what to look at."""

from typing import NamedTuple

from rtp.scenario.habits import PAPER_PERIODS, Group, Habits, OccupancyModel, period
from rtp.scenario.model import Scenario
from rtp.scenario.real_habits import REAL_GROUPS, REAL_HABITS, SOURCE
from rtp.scenario.refusal import must_be_one_of

DEFAULT_PRESET = "paper"


class Preset(NamedTuple):
    scenario: Scenario
    look_at: str


def _model(name: str, *habits: Habits) -> OccupancyModel:
    return OccupancyModel(name=name, habits=habits)


_QUIET = Habits(
    initial_occupied=0.0,
    periods=(
        period("Morning", 7.0, leave=0.0, arrive=0.98),
        period("Noon", 8.0, leave=0.95, arrive=0.05),
        period("Evening", 16.0, leave=0.05, arrive=0.99),
        period("Night", 23.0, leave=1.0, arrive=0.0),
    ),
)

_STRICT = Habits(
    initial_occupied=0.0,
    periods=(
        period("Morning", 7.0, leave=0.0, arrive=0.9),
        period("Away", 9.0, leave=1.0, arrive=0.0),
        period("Evening", 17.0, leave=0.1, arrive=0.95),
        period("Night", 22.0, leave=1.0, arrive=0.0),
    ),
)

_OFFICE = Habits(
    initial_occupied=0.2,
    periods=(
        period("Morning", 6.0, leave=0.3, arrive=0.95),
        period("Work", 8.0, leave=1.0, arrive=0.0),
        period("Evening", 17.0, leave=0.1, arrive=0.97),
        period("Night", 23.0, leave=0.99, arrive=0.02),
    ),
)
_HOME = Habits(
    initial_occupied=0.3,
    periods=(
        period("Morning", 7.0, leave=0.1, arrive=0.9),
        period("Noon", 9.0, leave=0.5, arrive=0.8),
        period("Evening", 17.0, leave=0.2, arrive=0.9),
        period("Night", 22.0, leave=0.98, arrive=0.05),
    ),
)
_SHIFT = Habits(
    initial_occupied=0.7,
    periods=(
        period("Return", 6.0, leave=0.2, arrive=0.9),
        period("Sleep", 9.0, leave=1.0, arrive=0.0),
        period("Afternoon", 16.0, leave=0.2, arrive=0.95),
        period("Night shift", 21.0, leave=0.95, arrive=0.05),
    ),
)

_LATE = Habits(
    initial_occupied=1.0,
    periods=(
        period("Morning", 7.0, leave=0.05, arrive=0.6),
        period("Noon", 10.0, leave=0.9, arrive=0.1),
        period("Evening", 18.0, leave=0.05, arrive=0.95),
        period("Night", 23.75, leave=1.0, arrive=0.0),
    ),
)
_EARLY = Habits(
    initial_occupied=0.0,
    periods=(
        period("Morning", 5.0, leave=0.0, arrive=0.98),
        period("Noon", 7.0, leave=1.0, arrive=0.0),
        period("Evening", 15.0, leave=0.05, arrive=0.95),
        period("Night", 21.0, leave=1.0, arrive=0.0),
    ),
)
_ALWAYS_UNSURE = Habits(periods=PAPER_PERIODS)


def _moving(chance: float) -> Habits:
    """The same chance to leave and to arrive, at every step of the day."""
    return Habits(
        periods=tuple(
            period(each.name, each.start, leave=chance, arrive=chance, basis="step") for each in PAPER_PERIODS
        )
    )


_BIG_AND_SMALL = (
    Group(name="Villas", share=0.1, occupied_max=3.0, empty_max=0.5),
    Group(name="Flats", share=0.9, occupied_max=1.0, empty_max=0.5),
)

LIBRARY: dict[str, Preset] = {
    DEFAULT_PRESET: Preset(
        Scenario(),
        "Naive and Blowfish errors nearly coincide: every house stays uncertain all day, so Algorithm 1 has "
        "nobody to drop.",
    ),
    "quiet night": Preset(
        Scenario(models=(_model("Everybody sleeps", _QUIET),)),
        "At night everyone is surely asleep: nobody needs protection and Blowfish publishes the exact rate.",
    ),
    "mansions": Preset(
        Scenario(
            groups=(
                Group(name="Mansions", share=0.02, occupied_max=5.0, empty_max=1.0),
                Group(name="Houses", share=0.98),
            ),
            models=(_model("Mansions on schedule", _STRICT, Habits()),),
        ),
        "A few mansions set the noise whenever their state is open; while they are surely away or asleep it "
        "steps down to what ordinary houses need.",
    ),
    "tiny street": Preset(
        Scenario(households=5, beta=1.0),
        "With five houses the unprotected rate gives people away; watch how far the private one blurs them.",
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
        "Three groups with different days: the noise follows whoever is uncertain, and the largest of them.",
    ),
    "unsure curator": Preset(
        Scenario(
            groups=_BIG_AND_SMALL,
            models=(
                _model("Early birds", _EARLY, _ALWAYS_UNSURE),
                _model("Night owls", _LATE, _QUIET),
            ),
        ),
        "The curator guards against two models; which of them demands the noise changes over the day.",
    ),
    "elastic demand": Preset(
        Scenario(elasticity=0.8, epsilon=0.1),
        "Households save when the last price was high, so each mechanism's noise shapes its own demand.",
    ),
    "restless houses": Preset(
        Scenario(models=(_model("In and out all day", _moving(0.4)),)),
        "People come and go all the time, so all rates of the day together tell less about one moment than ε "
        "allows a single rate; an insider sees a week's holiday all the same.",
    ),
    "steady houses": Preset(
        Scenario(models=(_model("In or out for days", _moving(1e-4)),), habit_spread=0.0, epsilon=0.05),
        "Whoever is in stays for days, so every rate tells the same secret again: the worst moment loses "
        "nearly all that the rates of the whole day give away.",
    ),
    "whole town": Preset(
        Scenario(households=10_000, epsilon=1.0),
        "An insider sees a week's holiday through the noise; an outsider, who knows the habits only, loses "
        "it in the crowd.",
    ),
    "real habits": Preset(
        Scenario(groups=REAL_GROUPS, models=(REAL_HABITS,), habit_spread=0.0, days=2, first_weekday="Friday"),
        f"A Friday and a Saturday of people aged 25 to 54 ({SOURCE}): at noon about a third of them are up "
        "and at home on Friday, half on Saturday.",
    ),
}

PRESETS: dict[str, Scenario] = {name: preset.scenario for name, preset in LIBRARY.items()}


def preset_named(name: str) -> Scenario:
    """The preset of that name; refuses any other."""
    must_be_one_of("preset", name, PRESETS)
    return PRESETS[name]
