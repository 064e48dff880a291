"""Changes of one part of the scenario: a group, its habits, the name of a model."""

from pages.ui import state
from rtp.scenario import Scenario, edit


def edit_group(index: int, name: str, value: object) -> None:
    """Change one field of one group."""
    state.edit(_with_group, index, name, value)


def _with_group(scenario: Scenario, index: int, name: str, value: object) -> Scenario:
    return edit.put_group(scenario, index, scenario.groups[index].replace(**{name: value}))


def edit_habits(model: int, group: int, name: str, value: object) -> None:
    """Change one field of a group's habits under one model."""
    state.edit(_with_habits, model, group, name, value)


def _with_habits(scenario: Scenario, model: int, group: int, name: str, value: object) -> Scenario:
    habits = scenario.models[model].habits[group]
    return edit.put_habits(scenario, model, group, habits.replace(**{name: value}))


def edit_model_name(index: int, value: str) -> None:
    state.edit(_with_name, index, value)


def _with_name(scenario: Scenario, index: int, name: str) -> Scenario:
    return edit.put_model(scenario, index, scenario.models[index].replace(name=name))
