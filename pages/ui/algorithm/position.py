"""Where the class stands on the Algorithm screen: which street, step and line, which moves.

It is the page's own: nothing here changes the scenario.
"""

import streamlit as st

from pages.ui import state
from pages.ui.player import Pace, Player
from pages.ui.view import Kept
from rtp.classroom.lesson import HOUSES, MAX_HOUSES, MIN_HOUSES
from rtp.classroom.lines import LAST
from rtp.classroom.moves import Moves
from rtp.scenario import Scenario

PACE = Pace(tick=1.2, stride=1, forgotten=30.0, held=False)
ALL = -1  # every house


class Position:
    """One per session; all but what is being played is the view's, and so in the address."""

    houses = Kept[int | None]("algorithm:houses")  # None: as many as the scenario suggests
    line = Kept[int]("algorithm:line")
    moves = Kept[Moves]("algorithm:moves")
    house = Kept[int]("algorithm:house")  # whose move the panel shows
    truth = Kept[bool]("algorithm:truth")  # whether the street's real state is marked

    def __init__(self) -> None:
        self.player = Player(PACE, "algorithm:step")
        self.period: int | None = None  # during which the panel's moves act; None: the one the day starts in
        self.problem = ""  # why the last move was refused

    @property
    def last_step(self) -> int:
        return state.current().steps_per_day - 1

    @property
    def step(self) -> int:
        return self.player.at(self.last_step)

    def go(self, steps: int = 0, lines: int = 0) -> None:
        """Forward or back; after the last line comes the next step's first, before the first the last."""
        step, line = min(max(self.step + steps, 0), self.last_step), self.line + lines
        if line > LAST and step < self.last_step:
            step, line = step + 1, 1
        elif line < 1 and step > 0:
            step, line = step - 1, LAST
        self.player.step, self.line = step, min(max(line, 1), LAST)

    def whole_step(self) -> None:
        self.line = LAST

    def play(self) -> None:
        self.whole_step()
        self.player.play(self.last_step)

    def choose_houses(self, houses: int) -> None:
        self.houses = houses

    def choose_house(self, house: int) -> None:
        self.house = house

    def choose_period(self, period: int) -> None:
        self.period = period

    def show_truth(self, shown: bool) -> None:
        self.truth = shown

    def take_back(self) -> None:
        self.moves = {}

    def chosen_houses(self, scenario: Scenario) -> int:
        suggested = scenario.households if MIN_HOUSES <= scenario.households <= MAX_HOUSES else HOUSES
        return self.houses or suggested


def position() -> Position:
    here: Position = st.session_state.setdefault("algorithm", Position())
    return here
