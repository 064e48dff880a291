"""Moves as a class chooses them."""

from rtp import PRESETS, Scenario
from rtp.teaching.moves import Move, Never, common, effective, moves_text, never_in, on_street, with_never

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
