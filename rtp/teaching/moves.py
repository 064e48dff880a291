"""Moves: what a class may change about single houses of a small street, and nothing else.

A move says where a house surely starts, what it never does, how much it can use. What it never does is
written into the matrices as an exact 0, as everywhere in the lab. A link carries moves as a text.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from rtp.scenario import BOUNDS, MAX_MODELS, MAX_PERIODS, Scenario, ScenarioError, edit
from rtp.street.draw import Street

MAX_LINKED_HOUSES = 8  # that a link of an earlier version may name; those beyond the stage are left out
PERIODS = range(2 * MAX_PERIODS)  # of other days, then of the weekend

# What a house can do in a period: the entries of its matrix, (from, to) → words.
TRANSITIONS = {(0, 0): "stay empty", (0, 1): "arrive", (1, 0): "leave", (1, 1): "stay occupied"}
VERBS = {"arrive": "come home"}  # in a sentence
WHEN = {"Morning": "in the morning", "Noon": "at noon", "Evening": "in the evening", "Night": "at night"}


class Never(NamedTuple):
    """A transition that does not happen: in which period of the day, from and to which state."""

    period: int
    before: int
    after: int


@dataclass(frozen=True, kw_only=True)
class Move:
    """What is changed about one house."""

    start: int | None = None  # the state that it surely starts in
    never: frozenset[Never] = frozenset()
    bound: float | None = None  # the most it can use in any state
    model: int | None = None  # the only θ that has its start and what it never does; None: all of them

    def __bool__(self) -> bool:
        return self.start is not None or bool(self.never) or self.bound is not None


Moves = Mapping[int, Move]  # by house


def with_moved_habits(scenario: Scenario, group: int, move: Move) -> Scenario:
    """The scenario in which everyone in a group starts, comes and goes as the move says.

    Models may have days of different periods: one that a model does not have changes nothing there.
    """
    for m in range(len(scenario.models)) if move.model is None else [move.model]:
        periods = scenario.models[m].habits[group].all_periods
        for part in sorted(never for never in move.never if never.period < len(periods)):
            period = scenario.models[m].habits[group].all_periods[part.period]
            if Never(part.period, part.before, 1 - part.after) in move.never:
                state = TRANSITIONS[part.before, part.before].removeprefix("stay ")
                raise ScenarioError(
                    period.name, f"leaves a house that is {state} nowhere to go; it must stay or change."
                )
            changed = edit.set_entry(period, part.before, part.after, 0.0)
            scenario = edit.put_period(scenario, m, group, part.period, changed)
        if move.start is not None:
            scenario = edit.set_habits_field(scenario, m, group, "initial_occupied", float(move.start))
    return scenario


def everywhere(scenario: Scenario, move: Move) -> Scenario:
    """The scenario in which every house of every group starts, comes and goes as the move says."""
    for group in range(len(scenario.groups)):
        scenario = with_moved_habits(scenario, group, move)
    return scenario


def with_moved_bounds(street: Street, moves: Moves) -> Street:
    """The street after the moves: a house with another bound uses more or less in both states alike."""
    occupied, empty = street.occupied_bound.copy(), street.empty_bound.copy()
    for house, move in moves.items():
        if move.bound is not None:
            factor = move.bound / street.bound[house]
            occupied[house], empty[house] = factor * occupied[house], factor * empty[house]
    return Street(
        group=street.group, occupied_bound=occupied, empty_bound=empty, habit_draws=street.habit_draws
    )


def describe(move: Move, periods: Sequence[str]) -> str:
    """A move in words, with the names of the house's periods; by number where only other models have one."""
    names = dict(enumerate(periods))
    parts = [] if move.start is None else [f"starts surely {'occupied' if move.start else 'empty'}"]
    parts += [
        f"cannot {VERBS.get(verb, verb)} {_during(n.period, names)}"
        for n in sorted(move.never)
        for verb in [TRANSITIONS[n[1:]]]
    ]
    if move.bound is not None:
        parts.append(f"can use up to {move.bound:.4g}")
    return ", ".join(parts)


def _during(period: int, names: Mapping[int, str]) -> str:
    name = names.get(period)
    return f"in period {period + 1}" if name is None else WHEN.get(name, f"during “{name}”")


def on_street(moves: Moves, small: Scenario) -> dict[int, Move]:
    """What was chosen for houses and models that this street has."""
    models = range(len(small.models))
    return {
        house: move
        for house, move in sorted(moves.items())
        if house < small.households and (move.model is None or move.model in models)
    }


def effective(moves: Moves) -> dict[int, Move]:
    """The moves that change anything, in the order of the houses."""
    return {house: move for house, move in sorted(moves.items()) if move}


def common(moves: Moves, houses: Iterable[int]) -> Move:
    """The move that these houses share, apart from their bounds; none if they differ."""
    shared = {replace(moves.get(h, Move()), bound=None) for h in houses}
    return shared.pop() if len(shared) == 1 else Move()


def never_in(move: Move, period: int) -> list[str]:
    """What the move says can never happen in a period, in words."""
    return [words for entry, words in TRANSITIONS.items() if Never(period, *entry) in move.never]


def with_never(move: Move, period: int, words: Collection[str]) -> frozenset[Never]:
    """What can never happen once these words are chosen for a period; other periods keep theirs."""
    others = {never for never in move.never if never.period != period}
    these = {Never(period, *entry) for entry, name in TRANSITIONS.items() if name in words}
    return frozenset(others | these)


def moves_text(moves: Moves) -> str:
    """The same text for the same moves: of each house its start, what it never does, bound and model."""
    by_house = [
        [house, move.start, sorted(move.never), move.bound, move.model]
        for house, move in effective(moves).items()
    ]
    return json.dumps(by_house, separators=(",", ":"))


def parse_moves(name: str, text: str) -> dict[int, Move]:
    """The moves of such a text; refuses in one sentence under that name."""
    try:
        return {_house(house): _move(*rest) for house, *rest in json.loads(text)}
    except (ValueError, TypeError, RecursionError):
        raise ScenarioError(name, "is damaged; copy the whole link again.") from None


def _house(house: object) -> int:
    if not (isinstance(house, int) and 0 <= house < MAX_LINKED_HOUSES):
        raise ValueError
    return int(house)


def _move(start: int | None, never: Iterable[Iterable[int]], bound: float | None, model: int | None) -> Move:
    """One house's move from its text; a ValueError or TypeError where it is none."""
    hindered = frozenset(Never(*each) for each in never)
    low, high, _ = BOUNDS["occupied_max"]
    fits = (
        start in (None, 0, 1)
        and all(each.period in PERIODS and each[1:] in TRANSITIONS for each in hindered)
        and (bound is None or low <= bound <= high)
        and model in (None, *range(MAX_MODELS))
    )
    if not fits:
        raise ValueError
    return Move(start=start, never=hindered, bound=bound, model=model)
