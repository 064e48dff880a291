"""Every preset with a price every hour, for what holds at any step length: 24 steps a day instead of 96."""

from rtp import PRESETS, Scenario


def hourly(scenario: Scenario) -> Scenario:
    """The same street; one with a period that begins between two hours stays as it is."""
    parts = [
        part
        for model in scenario.models
        for habits in model.habits
        for part in (*habits.periods, *(habits.weekend or ()))
    ]
    whole = all(part.starts_with_a_step(60) for part in parts)
    return scenario.replace(step_minutes=60) if whole else scenario


HOURLY = {name: hourly(preset) for name, preset in PRESETS.items()}
PAPER_AND_HOURLY = HOURLY | {"paper": PRESETS["paper"]}  # one with quarters of an hour
