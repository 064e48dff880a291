"""What another step length does to the same habits.

Chances over a period keep their meaning at any step length. Read as a matrix (conversion "root"), they give
the same expected occupancy at all times that two clocks have in common: the n-th root of a period's matrix,
taken k times, is its power k/n. Read as independent tries (conversion "geometric"), a house may come and go
within the period, and how often depends on how often it is asked: expected occupancy moves a little, by what
`occupancy_shift` says.
"""

from math import lcm

import numpy as np

from rtp.core.formatting import percent
from rtp.core.time import PAPER_STEP, StepMinutes
from rtp.core.types import Floats
from rtp.scenario import Scenario, edit
from rtp.simulation.unpack import street_spec
from rtp.street.spec import StreetSpec


def stated_occupancy(spec: StreetSpec) -> Floats:
    """(T,): the street's expected occupancy if every house lived exactly as its group is said to."""
    total = np.zeros(spec.steps)
    for group, schedule in zip(spec.groups, spec.schedules[0], strict=True):
        chance, course = schedule.initial, []
        for p in np.resize(schedule.period, spec.steps).tolist():
            course.append(chance)
            chance += (1 - chance) * schedule.arrive[p] - chance * schedule.leave[p]
        total += group.share * np.array(course)
    return total


def occupancy_shift(scenario: Scenario, minutes: StepMinutes = PAPER_STEP) -> float:
    """By how much the expected occupancy differs at most, at common times, from that with another step."""
    other = edit.set_step_minutes(scenario, minutes)
    common = lcm(scenario.step_minutes, minutes)
    here, there = (stated_occupancy(street_spec(s))[:: common // s.step_minutes] for s in (scenario, other))
    return float(np.abs(here - there).max())


def step_words(scenario: Scenario) -> str:
    """What a price every so many minutes changes about the street; nothing at the paper's step."""
    if scenario.step_minutes == PAPER_STEP:
        return ""
    shift = occupancy_shift(scenario)
    if scenario.conversion == "root":
        return (
            f"The habits are the same as with a price every {PAPER_STEP} minutes: at common times the "
            "expected occupancy agrees."
        )
    return (
        f"The same habits, asked every {scenario.step_minutes} minutes: where personal habits do not spread, "
        f"the expected occupancy differs by at most {percent(shift)} of the houses from that with a price "
        f"every {PAPER_STEP} minutes, because a house may come and go in between."
    )
