"""Time that runs by itself: the step of the day one looks at, played, stopped, and moved by hand."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import streamlit as st

from pages.ui.session import fragment, lab, send
from pages.ui.widgets import slider

DUE = 0.7  # of a tick: a rerun may come a little early


class Pace(NamedTuple):
    tick: float  # seconds
    stride: int  # steps per tick
    forgotten: float  # seconds without a tick after which the play has ended: the page was left


@dataclass
class Player:
    """Mutable, one per session and screen."""

    pace: Pace
    setting: str  # of the screen: the step; None is the last
    playing: bool = False
    ticked: float = 0.0

    @property
    def step(self) -> int | None:
        step: int | None = lab().chosen(self.setting)
        return step

    @step.setter
    def step(self, step: int | None) -> None:
        lab().show(self.setting, step)

    def at(self, last: int) -> int:
        """The step one looks at, on a day that ends with step `last`."""
        return last if self.step is None else min(self.step, last)

    def play(self, last: int) -> None:
        """From here, or from the start of the day where it is over."""
        self.playing, self.ticked = True, time.monotonic()
        self.step = 0 if self.step is None or self.step >= last else self.step

    def stop(self) -> None:
        self.playing = False

    def move(self, step: int) -> None:
        """By hand."""
        self.step = step

    def tick(self, last: int) -> None:
        """On, if it is due; the end of the day, or of anyone's watching, ends the play."""
        waited = time.monotonic() - self.ticked
        if not self.playing or waited < DUE * self.pace.tick:
            return
        self.playing, self.ticked = waited <= self.pace.forgotten, time.monotonic()
        if self.playing:
            self.step = min((self.step or 0) + self.pace.stride, last)
            self.playing = self.step < last


def run(player: Player, last: int, draw: Callable[[], None]) -> None:
    """Draw, and draw again at every tick while it plays."""
    playing = player.playing

    def again() -> None:
        player.tick(last)
        if player.playing != playing:
            st.rerun()  # the clock of a fragment is set from outside
        if not player.playing:
            send()  # not at every tick: each would be an entry of the browser's history
        draw()

    fragment(again, player.pace.tick if playing else None)


def play_button(
    playing: bool, play: Callable[[], None], stop: Callable[[], None], keys: tuple[str, str]
) -> None:
    """Play, or Stop while it plays; `keys` are those of the two buttons."""
    if playing:
        st.button("Stop", key=keys[1], icon=":material/stop:", on_click=stop)
    else:
        st.button("Play", key=keys[0], icon=":material/play_arrow:", on_click=play)


def time_slider(player: Player, label: str, key: str, steps: int, words: Callable[[int], str]) -> int:
    """The step one looks at, to be moved by hand while nothing plays."""
    step = player.at(steps - 1)
    slider(label, range(steps), step, words, player.move, key=key, disabled=player.playing)
    return step
