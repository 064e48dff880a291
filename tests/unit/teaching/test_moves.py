"""Moves as a class chooses them."""

import pytest

from rtp import PRESETS, Scenario
from rtp.scenario import BOUNDS, MAX_MODELS, MAX_PERIODS, ScenarioError
from rtp.teaching.moves import (
    Move,
    Never,
    common,
    effective,
    moves_text,
    never_in,
    on_street,
    parse_moves,
    with_never,
)
from tests.help.sentence import exactly

ASLEEP = Move(start=0, never=frozenset({Never(3, 0, 1)}))


def test_moves_of_houses_and_models_that_are_not_there_wait() -> None:
    chosen = {5: ASLEEP, 1: Move(start=1, model=1), 0: Move(start=1)}
    assert list(on_street(chosen, Scenario(households=5))) == [0]
    assert list(on_street(chosen, PRESETS["unsure curator"].replace(households=6))) == [0, 1, 5]


def test_a_move_that_changes_nothing_is_none() -> None:
    assert effective({2: ASLEEP, 1: Move(), 0: Move(bound=2.0)}) == {0: Move(bound=2.0), 2: ASLEEP}
    assert moves_text({1: Move()}) == moves_text({}) != moves_text({1: ASLEEP})
    assert moves_text({2: ASLEEP, 0: Move(bound=2.0)}) == moves_text({0: Move(bound=2.0), 2: ASLEEP})


def test_houses_share_a_move_apart_from_their_bounds() -> None:
    both = {0: ASLEEP, 1: Move(start=0, never=ASLEEP.never, bound=3.0)}
    assert common(both, [0, 1]) == ASLEEP
    assert common(both, [0, 1, 2]) == Move()
    assert common(both, [1]) == ASLEEP


def test_what_never_happens_is_chosen_period_by_period() -> None:
    assert never_in(ASLEEP, 3) == ["arrive"]
    assert never_in(ASLEEP, 1) == []
    assert with_never(ASLEEP, 1, ["leave"]) == {Never(3, 0, 1), Never(1, 1, 0)}
    assert with_never(ASLEEP, 3, ["stay occupied"]) == {Never(3, 1, 1)}
    assert with_never(ASLEEP, 3, []) == frozenset()


LAST_PERIOD = 2 * MAX_PERIODS - 1
LEAST, MOST, _ = BOUNDS["occupied_max"]


@pytest.mark.parametrize(
    "moves",
    [
        {},
        {0: ASLEEP, 7: Move(start=1, bound=2.5, model=0)},
        {3: Move(never=frozenset({Never(0, 0, 0), Never(LAST_PERIOD, 1, 1)}), model=MAX_MODELS - 1)},
        {1: Move(start=0, bound=LEAST), 2: Move(start=1, bound=MOST)},
    ],
)
def test_moves_come_back_from_their_text(moves: dict[int, Move]) -> None:
    assert parse_moves("moves", moves_text(moves)) == moves


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1",
        "[1]",
        "[[1]]",
        "[" * 100_000,
        '[["0",null,[],null,null]]',
        "[[-1,null,[],null,null]]",
        "[[8,null,[],null,null]]",
        "[[0,2,[],null,null]]",
        "[[0,-1,[],null,null]]",
        f"[[0,null,[[{LAST_PERIOD + 1},0,1]],null,null]]",
        "[[0,null,[[-1,0,1]],null,null]]",
        "[[0,null,[[0,0,2]],null,null]]",
        f"[[0,null,[],{LEAST - 1e-9},null]]",
        f"[[0,null,[],{MOST * 1.001},null]]",
        f"[[0,null,[],null,{MAX_MODELS}]]",
        "[[0,null,[],null,-1]]",
    ],
)
def test_a_text_that_holds_no_moves_is_refused(text: str) -> None:
    with pytest.raises(ScenarioError, match=exactly("moves is damaged; copy the whole link again.")):
        parse_moves("moves", text)
