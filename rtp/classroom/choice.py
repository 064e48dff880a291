"""Moves as a class chooses them: for one house or for all, and only where there are such houses."""

from collections.abc import Collection, Iterable
from dataclasses import replace

from rtp.classroom.moves import TRANSITIONS, Move, Moves, Never
from rtp.scenario import Scenario


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


def text_of(moves: Moves) -> str:
    """The same text for the same moves."""
    by_house = [(house, m.start, sorted(m.never), m.bound, m.model) for house, m in made(moves).items()]
    return str(by_house)
