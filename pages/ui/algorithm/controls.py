"""How many houses, which step, which line, and Play."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from pages.ui.algorithm.position import Position
from pages.ui.fields import slider, toggle
from pages.ui.player import play_button, time_slider
from rtp.classroom.lesson import MAX_HOUSES, MIN_HOUSES
from rtp.classroom.lines import LAST
from rtp.scenario import Scenario


def controls(scenario: Scenario, here: Position) -> None:
    left, right = st.columns([1, 3])
    with left:
        houses = range(MIN_HOUSES, MAX_HOUSES + 1)
        slider("Households", houses, here.chosen_houses(scenario), str, here.choose_houses, key="houses")
    with right:
        time_slider(here.player, "Step", "step", here.last_step + 1, scenario.replace(days=1).when)
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        _buttons(here)
        toggle(
            "Show the truth",
            here.truth,
            here.show_truth,
            key="show truth",
            help="Mark the state the street is really in, which only the street knows.",
        )


def _buttons(here: Position) -> None:
    first, last = here.step == 0, here.step == here.last_step
    _button("Previous", "skip_previous", partial(here.go, steps=-1), first, "Previous step")
    _button("Next", "skip_next", partial(here.go, steps=1), last, "Next step")
    play_button(
        here.player.playing,
        here.play,
        here.player.stop,
        ("play", "stop playing"),
        "Go through the day, step by step",
    )
    _button("Line back", "arrow_upward", partial(here.go, lines=-1), first and here.line == 1)
    _button("Next line", "arrow_downward", partial(here.go, lines=1), last and here.line == LAST)
    _button("Whole step", "done_all", here.whole_step, here.line == LAST, "Execute all lines of this step")


def _button(label: str, icon: str, act: Callable[[], None], disabled: bool, help: str | None = None) -> None:
    st.button(
        label,
        icon=f":material/{icon}:",
        on_click=act,
        disabled=disabled,
        help=help,
        key=f"button:{label}",
    )
