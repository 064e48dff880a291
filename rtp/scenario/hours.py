"""Which hours the groups of a street keep."""

from rtp.scenario.habits import Habits
from rtp.scenario.model import Scenario


def hours_of(habits: Habits) -> list[tuple[str, float]]:
    """The periods' names and starts, the weekend's last."""
    return [(part.name, part.start) for part in habits.all_periods]


def common_habits(scenario: Scenario) -> Habits | None:
    """Those of a group whose hours all groups keep on the day that is lived; None where they differ."""
    first, *others = scenario.models[0].habits
    return first if all(hours_of(each) == hours_of(first) for each in others) else None
