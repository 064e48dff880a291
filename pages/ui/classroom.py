"""Where the class stands on the Algorithm screen: which street, step and line, which moves, playing or not.

It is the page's own: nothing here changes the scenario. The algorithm's thoughts are kept per street and
moves, so that going to another step thinks no step twice.
"""

import time
from dataclasses import dataclass, field

import streamlit as st

from rtp.classroom.lesson import HOUSES, MAX_HOUSES, MIN_HOUSES, Lesson, lesson, small_street
from rtp.classroom.lines import LAST
from rtp.classroom.moves import Move, Moves
from rtp.clock import STEPS_PER_DAY
from rtp.scenario import Scenario, ScenarioError

TICK = 1.2  # seconds per step while playing
FORGOTTEN = 30.0  # seconds without a tick after which playing has ended: the page was left
SLOW = 0.5  # seconds of thinking after which progress is shown
KEPT = 24  # streets whose thoughts are kept


@dataclass
class Place:
    """Mutable, one per session."""

    houses: int | None = None  # None: as many as the scenario suggests
    step: int = 0
    line: int = LAST
    playing: bool = False
    ticked: float = 0.0
    moves: dict[int, Move] = field(default_factory=dict)
    house: int = -1  # whose move the panel shows; −1: every house's
    problem: str = ""  # why the last move was refused

    def go(self, steps: int = 0, lines: int = 0) -> None:
        """Forward or back; after the last line comes the next step's first, before the first the last."""
        self.step = min(max(self.step + steps, 0), STEPS_PER_DAY - 1)
        line = self.line + lines
        if line > LAST and self.step < STEPS_PER_DAY - 1:
            self.step, line = self.step + 1, 1
        elif line < 1 and self.step > 0:
            self.step, line = self.step - 1, LAST
        self.line = min(max(line, 1), LAST)

    def play(self) -> None:
        """From here, or from the start of the day where it is over."""
        self.playing, self.ticked, self.line = True, time.monotonic(), LAST
        if self.step == STEPS_PER_DAY - 1:
            self.step = 0

    def stop(self) -> None:
        self.playing = False

    def tick(self) -> None:
        """The next step, if it is due; the end of the day, or of anyone's watching, ends the play."""
        waited = time.monotonic() - self.ticked
        if not self.playing or waited < TICK * 0.7:
            return
        if waited > FORGOTTEN:
            self.stop()
            return
        self.ticked = time.monotonic()
        self.go(steps=1)
        if self.step == STEPS_PER_DAY - 1:
            self.stop()

    def chosen_houses(self, scenario: Scenario) -> int:
        suggested = scenario.households if MIN_HOUSES <= scenario.households <= MAX_HOUSES else HOUSES
        return self.houses or suggested

    def moves_on(self, small: Scenario) -> Moves:
        """What was chosen for houses and models that this street has."""
        models = range(len(small.models))
        return {
            house: move
            for house, move in sorted(self.moves.items())
            if house < small.households and (move.model is None or move.model in models)
        }


def place() -> Place:
    here: Place = st.session_state.setdefault("algorithm", Place())
    return here


def lessons(scenario: Scenario) -> tuple[Lesson, Lesson]:
    """The small street as it is, and after the moves; a street that refuses them is left as it is."""
    here = place()
    small = small_street(scenario, here.chosen_houses(scenario))
    street = _kept(small, {})
    try:
        return street, _kept(small, here.moves_on(small))
    except ScenarioError as error:
        here.problem = str(error)
        return street, street


def try_moves(small: Scenario, moves: Moves) -> None:
    """Make these moves, or say in one sentence why not."""
    here = place()
    try:
        _kept(small, moves)
    except ScenarioError as error:
        here.problem = str(error)
    else:
        here.moves, here.problem = dict(moves), ""


def think(taught: Lesson, step: int) -> None:
    """Let the algorithm come to that step; if that takes a while, show how far it is."""
    started, bar = time.monotonic(), None

    def report(done: float) -> None:
        nonlocal bar
        if bar or time.monotonic() - started > SLOW:
            text = f"Thinking through {2**taught.houses} states, step by step …"
            bar = bar or st.progress(done, text)
            bar.progress(done, text)

    taught.at(step, report)
    if bar:
        bar.empty()


def _kept(small: Scenario, moves: Moves) -> Lesson:
    made = {house: move for house, move in sorted(moves.items()) if move}
    told = [(house, m.start, sorted(m.never), m.bound, m.model) for house, m in made.items()]
    return _lesson(f"{small.to_json(None)} {told}", small, made)


@st.cache_resource(max_entries=KEPT, show_spinner=False)
def _lesson(key: str, _small: Scenario, _moves: Moves) -> Lesson:
    return lesson(_small, _moves)
