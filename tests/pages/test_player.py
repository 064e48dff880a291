"""Time that runs by itself, with a clock that the test moves."""

import pytest
import streamlit

from pages.ui.player import Pace, Player

LAST = 95
PACE = Pace(tick=1.0, stride=2, forgotten=10.0)


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    moved = Clock()
    monkeypatch.setattr("pages.ui.player.time.monotonic", moved)
    return moved


@pytest.fixture(autouse=True)
def _session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streamlit, "session_state", {})


def at(step: int | None) -> Player:
    here = Player(PACE, "here")
    here.step = step
    return here


def test_it_looks_at_the_end_until_a_step_is_chosen_and_never_beyond_it() -> None:
    assert at(None).at(LAST) == LAST
    assert at(7).at(LAST) == 7
    assert at(150).at(LAST) == LAST, "the scenario has fewer days now"


def test_it_does_not_play_by_itself(clock: Clock) -> None:
    here = at(3)
    here.tick(LAST)
    assert (here.step, here.playing) == (3, False)


def test_it_goes_on_when_a_tick_is_due_and_not_before(clock: Clock) -> None:
    here = at(4)
    here.play(LAST)
    clock.now += 0.69
    here.tick(LAST)
    assert here.step == 4
    clock.now += 0.01 + 1e-9
    here.tick(LAST)
    assert (here.step, here.playing, here.ticked) == (6, True, clock.now)


def test_the_end_of_the_day_ends_it_and_from_there_it_starts_again(clock: Clock) -> None:
    here = at(92)
    here.play(LAST)
    for step, playing in ((94, True), (95, False)):
        clock.now += 1
        here.tick(LAST)
        assert (here.step, here.playing) == (step, playing)
    here.play(LAST)
    assert (here.step, here.playing) == (0, True)
    other = at(None)
    other.play(LAST)
    assert other.step == 0


def test_what_nobody_watches_ends_where_it_was(clock: Clock) -> None:
    here = at(4)
    here.play(LAST)
    clock.now += PACE.forgotten
    here.tick(LAST)
    assert (here.step, here.playing) == (6, True), "a slow browser is not a closed one"
    clock.now += PACE.forgotten + 0.01
    here.tick(LAST)
    assert (here.step, here.playing) == (6, False)


def test_a_hand_moves_it_at_any_time(clock: Clock) -> None:
    here = at(10)
    here.play(LAST)
    here.move(60)
    assert (here.step, here.playing) == (60, True)
