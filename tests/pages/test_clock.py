"""Time that runs by itself, with a clock that the test moves; and the bar of the stage."""

import pytest
import streamlit

from pages.ui import bar
from pages.ui.clock import FORGOTTEN, DayClock
from pages.ui.stage import Position, position
from rtp.teaching.lines import LAST as LAST_LINE
from tests.help.app import lab_of, opened, setting

LAST = 95


class Time:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    moved = Time()
    monkeypatch.setattr("pages.ui.clock.time.monotonic", moved)
    monkeypatch.setattr(streamlit, "session_state", {})
    return moved


def at(step: int | None) -> DayClock:
    here = DayClock("here", stride=2)
    here.move(step)
    return here


def tick(here: DayClock) -> tuple[int | None, bool]:
    here.tick(lambda: here.advance(LAST))
    return here.step, here.playing


@pytest.mark.parametrize(("asked", "seen"), [(None, LAST), (7, 7), (150, LAST)])
@pytest.mark.usefixtures("time")
def test_it_looks_at_the_end_and_never_beyond_it(asked: int | None, seen: int) -> None:
    assert at(asked).at(LAST) == seen


def test_it_goes_on_when_a_tick_is_due_and_not_before(time: Time) -> None:
    here = at(4)
    assert tick(here) == (4, False), "it does not play by itself"
    here.start(LAST)
    time.now += here.seconds / 2
    assert tick(here) == (4, True)
    time.now += here.seconds / 2
    assert tick(here) == (6, True)
    here.stop()
    time.now += here.seconds
    assert tick(here) == (6, False)


def test_the_end_of_the_day_ends_it_and_it_starts_again(time: Time) -> None:
    here = at(92)
    here.start(LAST)
    for wanted in ((94, True), (95, False)):
        time.now += here.seconds
        assert tick(here) == wanted
    here.start(LAST)
    assert (here.step, here.playing) == (0, True)


def test_what_nobody_watches_ends_where_it_was(time: Time) -> None:
    here = at(4)
    here.start(LAST)
    time.now += FORGOTTEN
    assert tick(here) == (6, True), "a slow browser is not a closed one"
    time.now += FORGOTTEN + 0.01
    assert tick(here) == (6, False)


def place(here: Position) -> tuple[int, int]:
    return here.step, here.line


@pytest.mark.usefixtures("time")
def test_lines_lead_from_step_to_step_and_steps_keep_the_line() -> None:
    here = position()
    for by, wanted in ((-1, (0, 1)), (LAST_LINE - 1, (0, LAST_LINE)), (1, (1, 1)), (-1, (0, LAST_LINE))):
        bar.move(here, by)
        assert place(here) == wanted
    for by, step in ((-1, 0), (2, 2), (LAST, LAST), (1, LAST)):
        bar.turn(here, by)
        assert place(here) == (step, LAST_LINE)
    bar.move(here, 1)
    assert place(here) == (LAST, LAST_LINE)


@pytest.mark.parametrize("speed", range(len(bar.SPEEDS)))
def test_every_speed_plays_to_the_end_and_from_the_start_again(speed: int, time: Time) -> None:
    here = position()
    bar.choose_speed(here, speed)
    here.go(LAST - 1, LAST_LINE - 1)
    bar.play(here)
    ticks = 0
    while here.playing:
        time.now += here.seconds
        here.tick(lambda: bar.advance(here))
        ticks += 1
    assert place(here) == (LAST, LAST_LINE)
    assert ticks == (1 + LAST_LINE if bar.SPEEDS[speed].lines else 1)
    bar.play(here)
    assert here.step == 0


def test_the_bar_moves_the_stage_and_plays_it() -> None:
    app = opened("Algorithm")
    for key in ("line-next", "line-next", "stage-next", "line-back", "stage-next", "stage-back"):
        app.button(key=key).click().run()
    assert [setting(app, f"algorithm:{name}") for name in ("step", "line")] == [1, 2]
    app.button(key="whole-step").click().run()
    app.button(key="stage:play").click().run()
    assert lab_of(app).memo["algorithm"].playing
    app.button(key="stage:stop").click().run()
    assert app.button(key="stage:play")
    assert not app.exception
