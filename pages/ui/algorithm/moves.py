"""The panel of decisive moves: the start, what can never happen, the bound, of one house or of all."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import streamlit as st

from pages.ui.algorithm.position import ALL, Position, position, try_moves
from pages.ui.session import lab
from pages.ui.widgets import number, pills, segmented, select
from rtp.scenario import Period, Scenario
from rtp.teaching.moves import (
    TRANSITIONS,
    Move,
    common,
    describe,
    everywhere,
    never_in,
    on_street,
    with_never,
)
from rtp.teaching.stage import Stage

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
            help="Where all houses made the same move: every household of the scenario shall live so.",
        )


def _apply(move: Move) -> None:
    lab().change(everywhere, move)
    position().make({})
