"""Where the class stands on the stage of Algorithm 1, and the bar that moves it: lines and steps back and
forward, play; by hand or by keys. Nothing here changes the scenario."""

from functools import partial
from typing import NamedTuple

import streamlit as st

from pages.ui import cache
from pages.ui.clock import Clock, play_button
from pages.ui.session import button, lab
from pages.ui.widgets import slider, url_toggle
from rtp.scenario import Scenario
from rtp.teaching import stage
from rtp.teaching.experiments import Experiment, experiments
from rtp.teaching.lines import LAST
from rtp.teaching.linked import with_link
from rtp.teaching.stage import MAX_STAGE_HOUSES, MIN_STAGE_HOUSES, Stage

HOUSES, STEP, LINE, TRUTH = "algorithm:houses", "algorithm:step", "algorithm:line", "algorithm:truth"
EXPERIMENT = "algorithm:experiment"  # the one that was run last
LINKED = "algorithm:linked"  # whether two houses come and go together


class Position(Clock):
    """One per session; all but what is being played is in the address."""

    seconds = 2.0  # a line

    def __init__(self) -> None:
        self.before: tuple[int, int] | None = None  # step and line before the last experiment

    @property
    def last_step(self) -> int:
        return lab().scenario.steps_per_day - 1

    @property
    def step(self) -> int:
        """The one that was asked for, or the last where the day has fewer by now."""
        return min(lab().setting(STEP, 0), self.last_step)

    @property
    def line(self) -> int:
        return lab().setting(LINE, LAST)

    def go(self, step: int, line: int) -> None:
        lab().show(STEP, min(max(step, 0), self.last_step))
        lab().show(LINE, line)

    def move(self, by: int) -> None:
        """Line by line through the day: after the last line comes the next step's first."""
        end = (self.last_step + 1) * LAST - 1
        step, line = divmod(min(max(self.step * LAST + self.line - 1 + by, 0), end), LAST)
        self.go(step, line + 1)

    def turn(self, by: int) -> None:
        """Step by step, at the same line."""
        self.go(self.step + by, self.line)

    def to_step(self, step: int) -> None:
        self.go(step, self.line)

    def to_line(self, line: int) -> None:
        self.go(self.step, line)

    def start(self) -> None:
        """Play from here, or from the start of the day where it is over."""
        if (self.step, self.line) == (self.last_step, LAST):
            self.go(0, 1)
        self.play()

    def advance(self) -> bool:
        """Move on by a line; false at the end of the day."""
        self.move(1)
        return (self.step, self.line) != (self.last_step, LAST)

    def run(self, experiment: Experiment) -> None:
        self.before, self.playing = self.before or (self.step, self.line), False
        lab().show(EXPERIMENT, experiment.key)
        self.go(experiment.step, LAST)

    def undo(self) -> None:
        """Back to where the class stood before the experiment; after a reload, where it stands."""
        self.go(*(self.before or (self.step, self.line)))
        lab().show(EXPERIMENT, None)
        self.before = None


def position() -> Position:
    here: Position = lab().extras.setdefault("algorithm", Position())
    return here


def chosen_houses(scenario: Scenario) -> int:
    """As many as a link asks for and the stage holds; until then the street's own, where they are few."""
    few = MIN_STAGE_HOUSES <= scenario.households <= MAX_STAGE_HOUSES
    first = scenario.households if few else stage.DEFAULT_STAGE_HOUSES
    return lab().setting(HOUSES, first)


def bar(scenario: Scenario, here: Position) -> None:
    """Of the scenario's first day."""
    when, last = scenario.replace(days=1).when, here.last_step
    first, end, whole = here.step == 0, here.step == last, here.line == LAST
    buttons = (
        ("First line", "first-line", "Home", partial(here.to_line, 1), here.line == 1),
        ("‹ Line", "line-back", "Up", partial(here.move, -1), first and here.line == 1),
        ("Line ›", "line-next", "Down", partial(here.move, 1), end and whole),
        ("Whole step", "whole-step", "End", partial(here.to_line, LAST), whole),
        ("‹ Step", "stage-back", "Left", partial(here.turn, -1), first),
        ("Step ›", "stage-next", "Right", partial(here.turn, 1), end),
    )
    with st.container(key="stage-bar", border=True, gap="xxsmall"):
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
            for label, key, shortcut, act, off in buttons:
                button(label, key, "", act, shortcut=shortcut, off=off)
            play_button(here, here.start, "stage")
            with st.popover("Stage", icon=":material/tune:"):
                _settings(scenario)
        with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
            with st.container(key="stage-place", width="content"):
                st.markdown(f"**Step {here.step + 1}**", width="content")
            slider("Step of the day", range(last + 1), here.step, when, here.to_step, key="stage")


def _settings(scenario: Scenario) -> None:
    houses, choose = range(MIN_STAGE_HOUSES, MAX_STAGE_HOUSES + 1), partial(lab().show, HOUSES)
    slider("Houses on the stage", houses, chosen_houses(scenario), str, choose, key="houses")
    url_toggle("Show the truth", TRUTH, help="Mark the true state of the street. No observer knows it.")


class Lesson(NamedTuple):
    """The street the stage opens on, the experiment that runs, and the street as it is then."""

    street: Stage
    running: Experiment | None
    moved: Stage


def lesson(scenario: Scenario) -> Lesson:
    """The lesson at hand; an experiment that this street does not offer does not run, nor one with a link."""
    small = stage.small_street(scenario, chosen_houses(scenario))
    street = _stage(small, "", stage.opening(small))
    if lab().chosen(LINKED) and (linked := _linked(street)) is not None:
        return Lesson(street, None, linked)
    for experiment in experiments(street):
        if experiment.key == lab().chosen(EXPERIMENT):
            same = experiment.changes == street.changes
            moved = street if same else _stage(small, experiment.key, experiment.changes)
            return Lesson(street, experiment, moved)
    return Lesson(street, None, street)


@cache.shared(key=lambda small, experiment, changes: cache.key_of(small, experiment))
def _stage(small: Scenario, experiment: str, changes: stage.Changes) -> Stage:
    """Kept, so that going to another step computes no step twice."""
    return stage.open_stage(small, changes)


@cache.shared(key=lambda street: cache.key_of(street.scenario))
def _linked(street: Stage) -> Stage | None:
    return with_link(street)
