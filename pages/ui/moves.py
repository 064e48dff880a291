"""Where the class stands on the Algorithm screen, street, step, line and moves; the algorithm's thoughts.

It is the page's own: nothing here changes the scenario. Thoughts are kept per street and moves, so that going
to another step thinks no step twice. Decisive moves are made
in a panel: the start, what can never happen, the bound, of one house or of all.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

import streamlit as st

from pages.ui.cache import cached
from pages.ui.clock import Clock
from pages.ui.session import lab
from pages.ui.widgets import number, pills, segmented, select
from rtp.scenario import Period, Scenario, ScenarioError
from rtp.teaching.lines import LAST
from rtp.teaching.moves import (
    TRANSITIONS,
    Move,
    Moves,
    common,
    describe,
    effective,
    everywhere,
    moves_text,
    never_in,
    on_street,
    with_never,
)
from rtp.teaching.stage import (
    DEFAULT_STAGE_HOUSES,
    MAX_STAGE_HOUSES,
    MIN_STAGE_HOUSES,
    Stage,
    open_stage,
    opening,
    small_street,
)

Value = TypeVar("Value")
ALL = -1  # every house


class Setting(Generic[Value]):
    """An attribute that is a setting of the screen, and so in the address."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, owner: object, owners: type) -> Value:
        value: Value = lab().chosen(self.name)
        return value

    def __set__(self, owner: object, value: Value) -> None:
        lab().show(self.name, value)


class Before(NamedTuple):
    """Where the class stood before an experiment."""

    moves: Moves | None
    step: int
    line: int


class Position(Clock):
    """One per session; all but what is being played is in the address."""

    houses = Setting[int | None]("algorithm:houses")  # None: as many as the scenario suggests
    asked_step = Setting[int]("algorithm:step")
    line = Setting[int]("algorithm:line")
    moves = Setting[Moves | None]("algorithm:moves")  # None: those the stage opens with
    house = Setting[int]("algorithm:house")  # whose move the panel shows
    truth = Setting[bool]("algorithm:truth")  # whether the street's real state is marked
    experiment = Setting[str | None]("algorithm:experiment")  # the one that was run last
    period = Setting[int | None]("algorithm:period")  # of the panel's moves; None: the one the day starts in

    def __init__(self) -> None:
        self.speed = 0  # which of the bar's speeds
        self.problem = ""  # why the last move was refused
        self.before: Before | None = None  # the last experiment

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
    here: Position = lab().memo.setdefault("algorithm", Position())
    return here


SLOW = 0.5  # seconds of thinking after which progress is shown


def lessons(scenario: Scenario) -> tuple[Stage, Stage]:
    """The street the stage opens on, and the one after the moves; one that refuses them is left as it is."""
    here = position()
    small = small_street(scenario, here.chosen_houses(scenario))
    opened = _lesson(small, opening(small))
    if here.moves is None:
        return opened, opened
    try:
        return opened, _lesson(small, on_street(here.moves, small))
    except ScenarioError as error:
        here.problem = str(error)
        return opened, opened


def try_moves(small: Scenario, moves: Moves) -> None:
    """Make these moves, or say in one sentence why not."""
    here = position()
    try:
        _lesson(small, moves)
    except ScenarioError as error:
        here.problem = str(error)
    else:
        here.make(moves)


def _lesson(small: Scenario, moves: Moves) -> Stage:
    key = f"{small.to_json(None)} {moves_text(moves)}"
    return cached("lesson", key, partial(open_stage, small, effective(moves)))


def think(taught: Stage, step: int) -> None:
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


NONE = -1  # "as the model says", "every model": a choice cannot be None
STARTS = {NONE: "as the model says", 0: "surely empty", 1: "surely occupied"}


@dataclass(frozen=True)
class Panel:
    """Whose moves are being changed."""

    small: Scenario
    houses: Sequence[int]
    chosen: dict[int, Move]  # by house, of all houses

    @property
    def move(self) -> Move:
        return common(self.chosen, self.houses)

    def change(self, **what: Any) -> None:
        mine = {h: replace(self.chosen.get(h, Move()), **what) for h in self.houses}
        try_moves(self.small, {**self.chosen, **mine})

    def change_choice(self, name: str, value: int) -> None:
        self.change(**{name: None if value == NONE else value})

    def change_never(self, period: int, never: Sequence[str]) -> None:
        self.change(never=with_never(self.move, period, never))

    def change_bound(self, bound: float) -> None:
        self.change(bound=bound)


def panel(street: Stage, moved: Stage) -> None:
    here, small = position(), street.scenario
    here.house = here.house if here.house < street.houses else ALL
    houses = range(street.houses) if here.house == ALL else [here.house]
    mine = Panel(small, houses, on_street(moved.moves if here.moves is None else here.moves, small))
    group = int(street.street.group[houses[0]])
    _one("House", [ALL, *range(street.houses)], here.house, partial(_house, small), here.choose_house)
    start = partial(mine.change_choice, "start")
    _one("At the start it is", list(STARTS), mine.move.start, STARTS.__getitem__, start)
    _never(mine, small.models[mine.move.model or 0].habits[group].all_periods)
    if len(small.models) > 1:
        _one(
            "Start and habits are known to",
            [NONE, *range(len(small.models))],
            mine.move.model,
            partial(_model, small),
            partial(mine.change_choice, "model"),
        )
    if here.house != ALL:
        number(
            "occupied_max",
            float(f"{moved.street.bound[here.house]:.4g}"),
            mine.change_bound,
            key="move bound",
            label="Its bound: the most it can use",
        )
    if here.problem:
        st.error(here.problem, icon=":material/error:")
        here.problem = ""
    _made(moved, here)


def _house(small: Scenario, house: int) -> str:
    return "all" if house == ALL else small.house_label(house)


def _model(small: Scenario, model: int) -> str:
    return "every model" if model == NONE else small.models[model].name


def _one(
    label: str,
    options: Sequence[int],
    value: int | None,
    words: Callable[[int], str],
    commit: Callable[[int], None],
) -> None:
    segmented(label, options, NONE if value is None else value, words, commit, key=f"one:{label}")


def _never(mine: Panel, periods: Sequence[Period]) -> None:
    """What can never happen, period by period; at first in the one the day starts in."""
    here, names = position(), [period.name for period in periods]
    first = len(periods) - 1 if periods[0].start > 0 else 0
    period = first if here.period is None else here.period
    during = range(len(periods))
    select("During", during, period, names.__getitem__, here.choose_period, key="move period")
    pills(
        f"In {names[period]} it can never",
        list(TRANSITIONS.values()),
        never_in(mine.move, period),
        str,
        partial(mine.change_never, period),
        key=f"never:{period}",
    )


def _made(moved: Stage, here: Position) -> None:
    """The moves in words; take them back, or make them everybody's."""
    for house, move in moved.moves.items():
        group = int(moved.street.group[house])
        parts = moved.scenario.models[move.model or 0].habits[group].all_periods
        st.markdown(
            f"- {moved.scenario.house(house, capital=True)} {describe(move, [p.name for p in parts])}."
        )
    shared = common(moved.moves, range(moved.houses))
    with st.container(horizontal=True):
        st.button(
            "Take all moves back",
            icon=":material/undo:",
            on_click=here.make,
            args=({},),
            disabled=not moved.moves,
        )
        st.button(
            "Apply to the whole scenario",
            icon=":material/published_with_changes:",
            on_click=_apply,
            args=(shared,),
            disabled=not shared,
            help="Possible where all houses made the same move: then every household gets it.",
        )


def _apply(move: Move) -> None:
    lab().change(everywhere, move)
    position().make({})
