"""Where the class stands on the Algorithm screen: which street, step and line, which moves.

It is the page's own: nothing here changes the scenario.
"""

from typing import NamedTuple

import streamlit as st

from pages.ui import state
from pages.ui.view import Kept
from rtp.scenario import Scenario
from rtp.teaching.lines import LAST
from rtp.teaching.moves import Moves
from rtp.teaching.stage import DEFAULT_STAGE_HOUSES, MAX_STAGE_HOUSES, MIN_STAGE_HOUSES

ALL = -1  # every house


class Before(NamedTuple):
    """Where the class stood before an experiment."""

    moves: Moves | None
    step: int
    line: int


class Position:
    """One per session; all but what is being played is the view's, and so in the address."""

    houses = Kept[int | None]("algorithm:houses")  # None: as many as the scenario suggests
    asked_step = Kept[int]("algorithm:step")
    line = Kept[int]("algorithm:line")
    moves = Kept[Moves | None]("algorithm:moves")  # None: those the stage opens with
    house = Kept[int]("algorithm:house")  # whose move the panel shows
    truth = Kept[bool]("algorithm:truth")  # whether the street's real state is marked
    experiment = Kept[str | None]("algorithm:experiment")  # the one that was run last

    def __init__(self) -> None:
        self.playing = False
        self.speed = 0  # which of the bar's speeds
        self.heard = 0  # the number of the bar's last action
        self.period: int | None = None  # during which the panel's moves act; None: the one the day starts in
        self.problem = ""  # why the last move was refused
        self.before: Before | None = None  # the last experiment

    @property
    def last_step(self) -> int:
        return state.current().steps_per_day - 1

    @property
    def step(self) -> int:
        """The one that was asked for, or the last where the day has fewer by now."""
        return min(self.asked_step, self.last_step)

    def go(self, step: int, line: int) -> None:
        self.asked_step, self.line = step, line

    def choose_houses(self, houses: int) -> None:
        self.houses = houses

    def choose_house(self, house: int) -> None:
        self.house = house

    def choose_period(self, period: int) -> None:
        self.period = period

    def show_truth(self, shown: bool) -> None:
        self.truth = shown

    def make(self, moves: Moves) -> None:
        """By hand: whatever experiment ran is over."""
        self.moves, self.problem = dict(moves), ""
        self.experiment = self.before = None

    def run(self, experiment: str, moves: Moves, step: int) -> None:
        self.before = self.before or Before(self.moves, self.step, self.line)
        self.moves, self.problem, self.experiment = dict(moves), "", experiment
        self.playing = False
        self.go(step, LAST)

    def undo(self) -> None:
        """The street and the place as they were before the experiment; after a reload, the opening street."""
        before = self.before or Before(None, self.step, self.line)
        self.moves, self.experiment, self.before = before.moves, None, None
        self.go(before.step, before.line)

    def chosen_houses(self, scenario: Scenario) -> int:
        suggested = (
            scenario.households
            if MIN_STAGE_HOUSES <= scenario.households <= MAX_STAGE_HOUSES
            else DEFAULT_STAGE_HOUSES
        )
        return min(self.houses or suggested, MAX_STAGE_HOUSES)


def position() -> Position:
    here: Position = st.session_state.setdefault("algorithm", Position())
    return here
