"""Time that runs by itself, with a clock that the test moves; and the bar of the stage."""

import pytest
import streamlit

from pages.ui.clock import FORGOTTEN
from pages.ui.clock import Clock as Ticking
from pages.ui.paper.algorithm import Position, position
from rtp.teaching.stage import LAST as LAST_LINE
from tests.help.clock import Clock

LAST = 95


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Clock:
    moved = Clock()
    monkeypatch.setattr("pages.ui.clock.time.monotonic", moved)
    monkeypatch.setattr(streamlit, "session_state", {})
    return moved


def test_it_goes_on_when_due_until_nobody_watches(time: Clock) -> None:
    here, steps = Ticking(), iter(range(9))

    def advance() -> bool:
        return next(steps) < 5

    def ticked(wait: float) -> bool:
        time.now += wait * here.seconds
        before = here.ticked
        here.tick(advance)
        return here.ticked != before

    assert not ticked(1.0), "it does not play by itself"
    here.play()
    assert [ticked(wait) for wait in (0.5, 0.5, 1.0)] == [False, True, True]
    assert ticked(FORGOTTEN)
    assert here.playing, "a slow browser is not a closed one"
    assert ticked(FORGOTTEN + 0.01)
    assert not here.playing
    here.play()
    assert [ticked(1.0) and here.playing for _ in range(3)] == [True, True, False], "the end"


def place(here: Position) -> tuple[int, int]:
    return here.step, here.line


def test_the_stage_plays_line_by_line_to_the_end_and_from_the_start_again(time: Clock) -> None:
    here = position()
    here.go(LAST - 1, LAST_LINE - 1)
    here.start()
    ticks = 0
    while here.playing:
        time.now += here.seconds
        here.tick(here.advance)
        ticks += 1
    assert place(here) == (LAST, LAST_LINE)
    assert ticks == 1 + LAST_LINE
    here.start()
    assert place(here) == (0, 1)
