"""The bar of the stage: lines and steps back and forward, play with a speed; by hand or by keys."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import streamlit as st

from pages.ui.clock import play_button
from pages.ui.paper.stage import Position
from pages.ui.widgets import select, slider
from rtp.scenario import Scenario
from rtp.teaching.lines import LAST

LISTING = "stage-listing"  # the container whose active line is kept in view


class Speed(NamedTuple):
    words: str
    seconds: float
    lines: bool  # whether it goes line by line, or by whole steps


SPEEDS = (
    Speed("a line every 2 s", 2.0, True),
    Speed("a line every 4 s", 4.0, True),
    Speed("two lines a second", 0.5, True),
    Speed("a step every 2 s", 2.0, False),
    Speed("a step a second", 1.0, False),
)


def bar(scenario: Scenario, here: Position) -> None:
    """Of the scenario's first day."""
    when, last = scenario.replace(days=1).when, here.last_step
    first, end, whole = here.step == 0, here.step == last, here.line == LAST
    with st.container(key="stage-bar", border=True, gap="xxsmall"):
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
            _button("Line 1", "first-line", "Home", partial(to_line, here, 1), off=here.line == 1)
            _button("‹ Line", "line-back", "Up", partial(move, here, -1), off=first and here.line == 1)
            _button("Line ›", "line-next", "Down", partial(move, here, 1), off=end and whole)
            _button("Whole step", "whole-step", "End", partial(to_line, here, LAST), off=whole)
            _button("‹ Step", "stage-back", "Left", partial(turn, here, -1), off=first)
            _button("Step ›", "stage-next", "Right", partial(turn, here, 1), off=end)
            play_button(here, partial(play, here), "stage")
        with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
            place = f"Step {here.step + 1} of {last + 1} · {when(here.step)} · line {here.line}"
            with st.container(key="stage-place", width="content"):
                st.markdown(f"**{place}**", width="content")
            slider("Step of the day", range(last + 1), here.step, when, partial(to_step, here), key="stage")
            words = [speed.words for speed in SPEEDS].__getitem__
            change = partial(choose_speed, here)
            select("Speed", range(len(SPEEDS)), here.speed, words, change, key="speed", width=170)


def _button(label: str, key: str, shortcut: str, act: Callable[[], None], *, off: bool) -> None:
    st.button(label, key=key, shortcut=shortcut, on_click=act, disabled=off)


def move(here: Position, by: int) -> None:
    """Line by line through the day: after the last line comes the next step's first."""
    count = min(max(here.step * LAST + here.line - 1 + by, 0), (here.last_step + 1) * LAST - 1)
    here.go(count // LAST, count % LAST + 1)


def turn(here: Position, by: int) -> None:
    """Step by step, at the same line; from where the class is by now: a hand may be quicker than the bar."""
    to_step(here, min(max(here.step + by, 0), here.last_step))


def to_step(here: Position, step: int) -> None:
    here.go(step, here.line)


def to_line(here: Position, line: int) -> None:
    here.go(here.step, line)


def choose_speed(here: Position, speed: int) -> None:
    """By whole steps, the one that is shown is whole."""
    here.speed, here.seconds = speed, SPEEDS[speed].seconds
    if here.playing and not SPEEDS[speed].lines:
        to_line(here, LAST)


def play(here: Position) -> None:
    """From here, or from the start of the day where it is over."""
    if (here.step, here.line) == (here.last_step, LAST):
        here.go(0, 1)
    here.play()
    choose_speed(here, here.speed)


def advance(here: Position) -> bool:
    """Move on by a line or a step; false at the end of the day."""
    if SPEEDS[here.speed].lines:
        move(here, 1)
    else:
        here.go(min(here.step + 1, here.last_step), LAST)
    return (here.step, here.line) != (here.last_step, LAST)
