"""Every preset with a price every hour, for what holds at any step length: 24 steps a day instead of 96."""

from rtp import PRESETS, Scenario
from rtp.scenario import edit


def hourly(scenario: Scenario) -> Scenario:
    """The same street; one with a period that begins between two hours stays as it is."""
    return scenario if edit.moved_periods(scenario, 60) else scenario.replace(step_minutes=60)


HOURLY = {name: hourly(preset) for name, preset in PRESETS.items()}
PAPER_AND_HOURLY = HOURLY | {"paper": PRESETS["paper"]}  # one with quarters of an hour
