"""The lines of Algorithm 1, "Rate Publication Mechanism", and what is counted of one of its steps.

Lines are numbered as in `rtp.algorithm1`; what each did is said in `rtp.output.algorithm`.
"""

from collections.abc import Iterable, Sequence
from enum import IntEnum

import numpy as np

from rtp.algorithm1 import Step, all_states
from rtp.core.types import Bools, Floats, Frame, data_frame
from rtp.probability.laplace_uniform import log_ratio
from rtp.scenario import Scenario
from rtp.teaching.stage import Stage

LAST = 16  # lines


class LineNumber(IntEnum):
    """The line that works out each value."""

    PRIOR = 4
    POSSIBLE = 5
    NEIGHBOURS = 6
    PROTECTED = 7
    SENSITIVITY = 8
    MAXIMUM = 10
    OPTIMAL = 11
    NOISE = 12
    NOISY = 13
    PUBLISHED = 14
    POSTERIOR = 15


def rate_text(value: float) -> str:
    """A rate with four decimals."""
    return f"{value:,.4f}".replace("-", "−")


def state_label(state: int, houses: int) -> str:
    """A joint state as the houses' digits, the first house first: 0 is empty, 1 occupied."""
    return f"{state:0{houses}b}"


def house_list(scenario: Scenario, houses: Sequence[int]) -> str:
    """Houses in words: "house 2", "houses 1, 2 and 4"; listed ones by their names alone."""
    if not houses:
        return "no house"
    if len(houses) == 1:
        return scenario.house(houses[0])
    *names, last = map(scenario.house_label, houses)
    return f"{'houses ' if scenario.houses is None else ''}{', '.join(names)} and {last}"


def occupied_probabilities(distribution: Floats) -> Floats:
    """Pr[occupied] of every house under a distribution over joint states."""
    houses = len(distribution).bit_length() - 1
    return np.asarray(distribution @ all_states(houses).astype(float))


def step_table(stage: Stage, t: int) -> Frame:
    """One row per joint state: how likely before, how well it explains the rate, how likely after."""
    step = stage.at(t)
    several = len(step.models) > 1
    states = [f"({', '.join(map(str, row))})" for row in all_states(stage.houses).tolist()]
    columns: dict[str, Floats | Bools | list[str]] = {"state": states}
    for model, own in zip(stage.scenario.models, step.models, strict=True):
        tail = f", {model.name}" if several else ""
        columns[f"possible{tail}"] = own.possible
        columns[f"prior{tail}"] = own.prior
        columns["Pr[r̂|state]"] = step.likelihood
        columns[f"posterior{tail}"] = own.posterior
    return data_frame(columns)


def state_index(occupied: Iterable[bool]) -> int:
    """The place of a joint state in counting order, as in `rtp.algorithm1.all_states`."""
    index = 0
    for house in occupied:
        index = 2 * index + bool(house)
    return index


def protected_by_any_model(step: Step) -> set[int]:
    """The houses protected under some model."""
    return set().union(*(model.protected for model in step.models))


def neighbouring_pairs(step: Step) -> list[tuple[int, int]]:
    """The pairs of joint states that are neighbours under some model."""
    return sorted({(i, j) for model in step.models for i, j, _ in model.neighbours})


def linked_pairs(step: Step, linked: Sequence[int]) -> list[tuple[int, int]]:
    """The pairs of joint states, both possible under some model, that differ in the linked houses alone."""
    houses = len(step.log_likelihood).bit_length() - 1
    bits = sum(1 << (houses - 1 - house) for house in linked)
    both_out = [state for state in range(2**houses) if not state & bits]
    possible = [model.possible for model in step.models]
    return [(i, i | bits) for i in both_out if any(own[i] and own[i | bits] for own in possible)]


def largest_log_ratio(step: Step, pairs: Sequence[tuple[int, int]]) -> float:
    """The largest |ln Pr[r̂|M] − ln Pr[r̂|M′]| over some pairs of states; 0 for two that cannot be."""
    one, other = (step.log_likelihood[list(states)] for states in zip(*pairs, strict=True))
    return float(np.abs(log_ratio(one, other)).max())
