"""Moves: what a class may change about single houses of a small street, and nothing else.

A move says where a house surely starts, what it never does, how much it can use. What it never does is
written into the matrices as an exact 0, as everywhere in the lab.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rtp.scenario import Scenario, ScenarioError, edit
from rtp.street.draw import Street

# What a house can do in a period: the entries of its matrix, (from, to) → words.
TRANSITIONS = {(0, 0): "stay empty", (0, 1): "arrive", (1, 0): "leave", (1, 1): "stay occupied"}


class Never(NamedTuple):
    """A transition that does not happen: in which period of the day, from and to which state."""

    period: int
    before: int
    after: int


@dataclass(frozen=True, kw_only=True)
class Move:
    """What is changed about one house."""

    start: int | None = None  # the state it is known to start in
    never: frozenset[Never] = frozenset()
    bound: float | None = None  # the most it can use in any state
    model: int | None = None  # the only θ that knows its start and what it never does; None: all of them

    def __bool__(self) -> bool:
        return self.start is not None or bool(self.never) or self.bound is not None


Moves = Mapping[int, Move]  # by house


def with_habits(scenario: Scenario, group: int, move: Move) -> Scenario:
    """The scenario in which everyone in a group starts and lives as the move says."""
    for m in range(len(scenario.models)) if move.model is None else [move.model]:
        for part in sorted(move.never):
            period = scenario.models[m].habits[group].all_periods[part.period]
            if Never(part.period, part.before, 1 - part.after) in move.never:
                state = TRANSITIONS[part.before, part.before].removeprefix("stay ")
                raise ScenarioError(
                    period.name, f"leaves a house that is {state} nowhere to go; it must stay or change."
                )
            changed = edit.set_entry(period, part.before, part.after, 0.0)
            scenario = edit.put_period(scenario, m, group, part.period, changed)
        if move.start is not None:
            habits = scenario.models[m].habits[group].replace(initial_occupied=float(move.start))
            scenario = edit.put_habits(scenario, m, group, habits)
    return scenario


def describe(move: Move, periods: Sequence[str]) -> str:
    """A move in words, with the names of the house's periods."""
    parts = [] if move.start is None else [f"starts surely {'occupied' if move.start else 'empty'}"]
    parts += [f"never can {TRANSITIONS[n[1:]]} in {periods[n.period]}" for n in sorted(move.never)]
    if move.bound is not None:
        parts.append(f"can use up to {move.bound:.4g}")
    return ", ".join(parts)


def everywhere(scenario: Scenario, move: Move) -> Scenario:
    """The scenario in which every house of every group starts and lives as the move says."""
    for group in range(len(scenario.groups)):
        scenario = with_habits(scenario, group, move)
    return scenario


def with_bounds(street: Street, moves: Moves) -> Street:
    """A house with another bound uses more or less in both states alike."""
    occupied, empty = street.occupied_bound.copy(), street.empty_bound.copy()
    for house, move in moves.items():
        if move.bound is not None:
            factor = move.bound / street.bound[house]
            occupied[house], empty[house] = factor * occupied[house], factor * empty[house]
    return Street(
        group=street.group, occupied_bound=occupied, empty_bound=empty, habit_draws=street.habit_draws
    )
