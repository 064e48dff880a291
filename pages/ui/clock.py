"""Time that runs by itself: a part of the screen that is drawn again at every tick, until its end or Stop."""

import time
from collections.abc import Callable

import streamlit as st

from pages.ui.session import button, fragment, send

DUE = 0.7  # of a tick: a rerun may come a little early
FORGOTTEN = 10.0  # seconds without a tick after which the play has ended: the page was left


class Clock:
    """Mutable, one per session and screen."""

    playing = False
    ticked = 0.0
    seconds = 1.0  # between two ticks

    def play(self) -> None:
        self.playing, self.ticked = True, time.monotonic()

    def stop(self) -> None:
        self.playing = False

    def tick(self, advance: Callable[[], bool]) -> None:
        """On, if it is due; the end, of which `advance` tells, or of anyone's watching, ends the play."""
        waited = time.monotonic() - self.ticked
        if self.playing and waited >= DUE * self.seconds:
            self.ticked = time.monotonic()
            self.playing = waited <= FORGOTTEN and advance()


def run(clock: Clock, advance: Callable[[], bool], draw: Callable[[], None]) -> None:
    """Draw, and draw again at every tick while it plays."""
    began = clock.playing, clock.seconds

    def again() -> None:
        clock.tick(advance)
        if (clock.playing, clock.seconds) != began:
            st.rerun()  # the clock of a fragment is set from outside
        if not clock.playing:
            send()  # not at every tick: each would be an entry of the browser's history
        draw()

    fragment(again, clock.seconds if clock.playing else None)


def play_button(clock: Clock, play: Callable[[], None]) -> None:
    """Play, or Stop while it plays. A key does the same."""
    label, icon, act = ("Stop", "stop", clock.stop) if clock.playing else ("Play", "play_arrow", play)
    button(label, f"stage:{label.lower()}", icon, act, shortcut="P")
