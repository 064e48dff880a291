"""Moves as a class chooses them: for one house or for all, and only where there are such houses."""

import json
from collections.abc import Collection, Iterable
from dataclasses import replace

from rtp.classroom.lesson import MAX_HOUSES
from rtp.classroom.moves import TRANSITIONS, Move, Moves, Never
from rtp.scenario import BOUNDS, MAX_MODELS, MAX_PERIODS, Scenario, ScenarioError

PERIODS = range(2 * MAX_PERIODS)  # of other days, then of the weekend


def on_street(moves: Moves, small: Scenario) -> dict[int, Move]:
    """What was chosen for houses and models that this street has."""
    models = range(len(small.models))
    return {
        house: move
        for house, move in sorted(moves.items())
        if house < small.households and (move.model is None or move.model in models)
    }


def made(moves: Moves) -> dict[int, Move]:
    """Those that change anything, in the order of the houses."""
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
        [house, move.start, sorted(move.never), move.bound, move.model] for house, move in made(moves).items()
    ]
    return json.dumps(by_house, separators=(",", ":"))


def moves_of(name: str, text: str) -> dict[int, Move]:
    """The moves of such a text; refuses in one sentence under that name."""
    try:
        return {_house(house): _move(*rest) for house, *rest in json.loads(text)}
    except (ValueError, TypeError, RecursionError):
        raise ScenarioError(name, "is damaged; copy the whole link again.") from None


def _house(house: object) -> int:
    if not (isinstance(house, int) and 0 <= house < MAX_HOUSES):
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
