"""simulate(scenario) as a table, and of its own street only."""

from typing import Any

import numpy as np
import pytest

from rtp import PRESETS, Group, Habits, OccupancyModel, Scenario, ScenarioError, simulate
from rtp.core.time import STEP_MINUTES, StepMinutes
from rtp.core.types import Floats
from rtp.mechanisms import REGISTRY
from rtp.scenario import PAPER_PERIODS, Period, edit, period
from rtp.scenario.habits import step_probabilities
from rtp.simulation import draw_day, publish_day, street_spec
from tests.help.streets import stated_occupancy

NOISY = [name for name in REGISTRY if name != "optimal"]


def test_the_frame_has_a_row_for_every_step() -> None:
    day = simulate(PRESETS["mixed street"].replace(households=50, days=2, elasticity=0.4))
    frame = day.frame()
    assert frame["day"].tolist() == [1] * 96 + [2] * 96
    assert frame["time"].iloc[[0, 1, -1]].tolist() == ["00:00", "00:15", "23:45"]
    assert frame[["period_Office", "period_Shift"]].iloc[6 * 4].tolist() == ["Morning", "Return"]
    for name in NOISY:
        release = day.release[name]
        for column in ("rate", "scale", "protected", "demand"):
            np.testing.assert_array_equal(frame[f"{name}_{column}"], getattr(release, column))
        off = (release.rate - release.optimal) / release.optimal
        np.testing.assert_allclose(frame[f"{name}_error_percent"], 100 * off, rtol=1e-9)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"households": 5}, "^households is 5; it must be 10"),
        ({"step_minutes": 60}, "^step_minutes"),
        ({"days": 2}, "^days"),
        ({"groups": (Group(occupied_max=2.0),)}, "^groups .* bounds"),
    ],
)
def test_a_day_of_another_street_is_refused(change: dict[str, Any], named: str) -> None:
    """Half as many households made an occupancy of 2.0 of it."""
    scenario = Scenario(households=10)
    with pytest.raises(ScenarioError, match=named):
        publish_day(scenario.replace(**change), draw_day(scenario))


# The same habits on another clock: a price every 5, 15, 30 or 60 minutes


SLOW = tuple(
    period(name, start, leave=leave, arrive=arrive)
    for name, start, leave, arrive in (
        ("Morning", 7.0, 0.05, 0.9),
        ("Noon", 8.0, 0.9, 0.05),
        ("Evening", 16.0, 0.05, 0.95),
        ("Night", 23.0, 0.9, 0.1),
    )
)
OTHERS = [minutes for minutes in STEP_MINUTES if minutes != 15]


def street(periods: tuple[Period, ...], **changes: object) -> Scenario:
    model = OccupancyModel(habits=(Habits(periods=periods),))
    return Scenario(**{"households": 40, "habit_spread": 0.0, "models": (model,)} | changes)


def occupancy_by_hand(scenario: Scenario, spread: float) -> Floats:
    """The mean over the paper's houses, step by step, if a step's probabilities scatter by that much."""
    minutes, draws = scenario.step_minutes, simulate(scenario).street.habit_draws
    habits = [
        np.clip(stated[:, None] + spread * draws[:, :, k].T, 1e-6, 1 - 1e-6)
        for k, (part, hours) in enumerate(zip(PAPER_PERIODS, (1, 8, 7, 8), strict=True))
        for stated in [np.array(step_probabilities(part, hours * 60 // minutes))]
    ]
    occupied, means = np.full(scenario.households, 0.5), []
    for hour in np.arange(0, 24, minutes / 60):
        means.append(occupied.mean())
        leave, arrive = habits[-1 if hour < 7 else sum(part.start <= hour for part in PAPER_PERIODS) - 1]
        occupied = occupied * (1 - leave) + (1 - occupied) * arrive
    return np.array(means)


@pytest.mark.parametrize("minutes", STEP_MINUTES)
def test_personal_habits_spread_in_proportion_to_the_step(minutes: StepMinutes) -> None:
    """0.01 is of 15 minutes; taken for that of any step it would move occupancy by 0.008 or more."""
    scenario = edit.set_step_minutes(Scenario(households=4000), minutes)
    ours = simulate(scenario).expected_occupancy
    np.testing.assert_allclose(ours, occupancy_by_hand(scenario, 0.01 * minutes / 15), rtol=0, atol=1e-12)
    if minutes != 15:
        assert np.abs(ours - occupancy_by_hand(scenario, 0.01)).max() > 0.008


@pytest.mark.parametrize("minutes", OTHERS)
def test_chances_per_step_are_restated_for_another_step(minutes: StepMinutes) -> None:
    """Stated per step, the same street as stated over the period, at every step length."""
    over_period = street(SLOW)
    steps = over_period.models[0].habits[0].steps()
    per_step = street(tuple(edit.set_basis(p, n, "step") for p, n in zip(SLOW, steps, strict=True)))
    ours, theirs = (
        stated_occupancy(street_spec(edit.set_step_minutes(s, minutes))) for s in (per_step, over_period)
    )
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12)
