"""Time that runs by itself, with a clock that the test moves."""

import pytest

from pages.ui.player import Pace, Player

LAST = 95
PACE = Pace(tick=1.0, stride=2, forgotten=10.0, held=True)


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


def test_it_looks_at_the_end_until_a_step_is_chosen_and_never_beyond_it() -> None:
    assert Player(PACE).at(LAST) == LAST
    assert Player(PACE, 7).at(LAST) == 7
    assert Player(PACE, 150).at(LAST) == LAST, "the scenario has fewer days now"


def test_it_does_not_play_by_itself(clock: Clock) -> None:
    here = Player(PACE, 3)
    here.tick(LAST)
    assert (here.step, here.playing) == (3, False)


def test_it_goes_on_when_a_tick_is_due_and_not_before(clock: Clock) -> None:
    here = Player(PACE, 4)
    here.play(LAST)
    clock.now += 0.69
    here.tick(LAST)
    assert here.step == 4
    clock.now += 0.01 + 1e-9
    here.tick(LAST)
    assert (here.step, here.playing, here.ticked) == (6, True, clock.now)


def test_the_end_of_the_day_ends_it_and_from_there_it_starts_again(clock: Clock) -> None:
    here = Player(PACE, 92)
    here.play(LAST)
    for step, playing in ((94, True), (95, False)):
        clock.now += 1
        here.tick(LAST)
        assert (here.step, here.playing) == (step, playing)
    here.play(LAST)
    assert (here.step, here.playing) == (0, True)
    other = Player(PACE)
    other.play(LAST)
    assert other.step == 0


def test_what_nobody_watches_ends_where_it_was(clock: Clock) -> None:
    here = Player(PACE, 4)
    here.play(LAST)
    clock.now += PACE.forgotten
    here.tick(LAST)
    assert (here.step, here.playing) == (6, True), "a slow browser is not a closed one"
    clock.now += PACE.forgotten + 0.01
    here.tick(LAST)
    assert (here.step, here.playing) == (6, False)


def test_a_hand_moves_it_at_any_time(clock: Clock) -> None:
    here = Player(PACE, 10)
    here.play(LAST)
    here.move(60)
    assert (here.step, here.playing) == (60, True)
