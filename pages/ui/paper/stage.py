"""Where the class stands on the Algorithm screen: street, step, line, experiment; the algorithm's thoughts.

It is the page's own: nothing here changes the scenario. Thoughts are kept per street and experiment, so that
going to another step thinks no step twice.
"""

import time
from typing import Generic, NamedTuple, TypeVar

import streamlit as st

from pages.ui import cache
from pages.ui.clock import Clock
from pages.ui.session import lab
from rtp.scenario import Scenario
from rtp.teaching import stage
from rtp.teaching.experiments import Experiment, experiments
from rtp.teaching.lines import LAST

Value = TypeVar("Value")


class Setting(Generic[Value]):
    """An attribute that is a setting of the screen, and so in the address."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, owner: object, owners: type) -> Value:
        value: Value = lab().chosen(self.name)
        return value

    def __set__(self, owner: object, value: Value) -> None:
        lab().show(self.name, value)


class Place(NamedTuple):
    """A line of a step."""

    step: int
    line: int


class Position(Clock):
    """One per session; all but what is being played is in the address."""

    houses = Setting[int | None]("algorithm:houses")  # None: as many as the scenario suggests
    asked_step = Setting[int]("algorithm:step")
    line = Setting[int]("algorithm:line")
    truth = Setting[bool]("algorithm:truth")  # whether the street's real state is marked
    experiment = Setting[str | None]("algorithm:experiment")  # the one that was run last

    def __init__(self) -> None:
        self.speed = 0  # which of the bar's speeds
        self.before: Place | None = None  # the last experiment

    @property
    def last_step(self) -> int:
        return lab().scenario.steps_per_day - 1

    @property
    def step(self) -> int:
        """The one that was asked for, or the last where the day has fewer by now."""
        return min(self.asked_step, self.last_step)

    def go(self, step: int, line: int) -> None:
        self.asked_step, self.line = step, line

    def choose_houses(self, houses: int) -> None:
        self.houses = houses

    def show_truth(self, shown: bool) -> None:
        self.truth = shown

    def run(self, experiment: Experiment) -> None:
        self.before = self.before or Place(self.step, self.line)
        self.experiment, self.playing = experiment.key, False
        self.go(experiment.step, LAST)

    def undo(self) -> None:
        """Back to where the class stood before the experiment; after a reload, where it stands."""
        self.go(*(self.before or Place(self.step, self.line)))
        self.experiment = self.before = None

    def chosen_houses(self, scenario: Scenario) -> int:
        suggested = (
            scenario.households
            if stage.MIN_STAGE_HOUSES <= scenario.households <= stage.MAX_STAGE_HOUSES
            else stage.DEFAULT_STAGE_HOUSES
        )
        return min(self.houses or suggested, stage.MAX_STAGE_HOUSES)


def position() -> Position:
    here: Position = lab().memo.setdefault("algorithm", Position())
    return here


SLOW = 0.5  # seconds of thinking after which progress is shown


class Lesson(NamedTuple):
    """The street the stage opens on, the experiment that runs, and the street as it is then."""

    street: stage.Stage
    running: Experiment | None
    moved: stage.Stage


def lesson(scenario: Scenario) -> Lesson:
    """The lesson at hand; an experiment that this street does not offer does not run."""
    here = position()
    small = stage.small_street(scenario, here.chosen_houses(scenario))
    street = _stage(small, "", stage.opening(small))
    for experiment in experiments(street):
        if experiment.key == here.experiment:
            same = experiment.changes == street.changes
            moved = street if same else _stage(small, experiment.key, experiment.changes)
            return Lesson(street, experiment, moved)
    return Lesson(street, None, street)


@cache.shared(key=lambda small, experiment, changes: cache.key_of(small, experiment))
def _stage(small: Scenario, experiment: str, changes: stage.Changes) -> stage.Stage:
    return stage.open_stage(small, changes)


def think(taught: stage.Stage, step: int) -> None:
    """Let the algorithm come to that step; if that takes a while, show how far it is."""
    started, bar = time.monotonic(), None
    words = f"Computing {2**taught.houses} states, step by step …"

    def report(done: float) -> None:
        nonlocal bar
        if bar or time.monotonic() - started > SLOW:
            bar = bar or st.progress(done, words)
            bar.progress(done, words)

    taught.at(step, report)
    if bar:
        bar.empty()
