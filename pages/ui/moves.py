"""The panel of decisive moves, and three experiments ready to be made."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from pages.ui import state
from pages.ui.classroom import place, try_moves
from pages.ui.fields import number
from rtp.classroom.experiments import Experiment, experiments
from rtp.classroom.lesson import Lesson
from rtp.classroom.lines import LAST
from rtp.classroom.moves import TRANSITIONS, Move, Moves, Never, describe, everywhere
from rtp.scenario import Period

NONE = -1  # "all houses", "as the model says", "every model": a choice cannot be None
STARTS = {NONE: "as the model says", 0: "surely empty", 1: "surely occupied"}


def panel(street: Lesson, moved: Lesson) -> None:
    """Change one house, or all of them: the start, what can never happen, the bound."""
    here, small = place(), street.scenario
    here.house = here.house if here.house < street.houses else NONE
    houses = range(street.houses) if here.house == NONE else [here.house]
    chosen = here.moves_on(small)
    move = _common(chosen, houses)
    periods = small.models[move.model or 0].habits[int(street.street.group[houses[0]])].periods

    def change(**what: Any) -> None:
        try_moves(small, {**chosen, **{h: replace(chosen.get(h, Move()), **what) for h in houses}})

    def never() -> None:
        others = {n for n in move.never if n.period != period}
        these = {entry for entry, words in TRANSITIONS.items() if words in st.session_state["never"]}
        change(never=frozenset(others | {Never(period, *entry) for entry in these}))

    _one("House", [NONE, *range(street.houses)], here.house, _house, lambda h: setattr(here, "house", h))
    _one(
        "At the start it is",
        list(STARTS),
        _or_none(move.start),
        STARTS.__getitem__,
        lambda s: change(start=None if s == NONE else s),
    )
    period = _period(periods)
    st.session_state["never"] = [
        words for entry, words in TRANSITIONS.items() if Never(period, *entry) in move.never
    ]
    st.pills(
        f"In {periods[period].name} it can never",
        list(TRANSITIONS.values()),
        selection_mode="multi",
        key="never",
        on_change=never,
    )
    if len(small.models) > 1:
        _one(
            "Start and habits are known to",
            [NONE, *range(len(small.models))],
            _or_none(move.model),
            lambda m: "every model" if m == NONE else small.models[m].name,
            lambda m: change(model=None if m == NONE else m),
        )
    if here.house != NONE:
        number(
            "occupied_max",
            float(f"{moved.street.bound[here.house]:.4g}"),
            lambda bound: change(bound=bound),
            step=0.5,
            key="move bound",
            label="Its bound: the most it can use",
        )
    if here.problem:
        st.error(here.problem, icon=":material/error:")
        here.problem = ""
    _made(moved)


def _house(house: int) -> str:
    return "all" if house == NONE else str(house)


def _or_none(value: int | None) -> int:
    return NONE if value is None else value


def _period(periods: Sequence[Period]) -> int:
    """Which period the next field is about; at first the one the day starts in."""
    st.session_state.setdefault("move period", len(periods) - 1 if periods[0].start > 0 else 0)
    return int(
        st.selectbox(
            "During",
            range(len(periods)),
            format_func=lambda p: periods[p].name,
            key="move period",
            persist_state="session",
        )
    )


def _one(
    label: str,
    options: Sequence[int],
    value: int,
    words: Callable[[int], str],
    commit: Callable[[int], None],
) -> None:
    key = f"one:{label}"
    st.session_state[key] = value
    st.segmented_control(
        label,
        options,
        key=key,
        format_func=words,
        required=True,
        on_change=lambda: commit(st.session_state[key]),
    )


def _made(moved: Lesson) -> None:
    """The moves in words; take them back, or make them everybody's."""
    for house, move in moved.moves.items():
        group = int(moved.street.group[house])
        parts = moved.scenario.models[move.model or 0].habits[group].periods
        st.markdown(f"- House {house} {describe(move, [part.name for part in parts])}.")
    common = _common(moved.moves, range(moved.houses))
    with st.container(horizontal=True):
        st.button(
            "Take all moves back",
            icon=":material/undo:",
            on_click=lambda: place().moves.clear(),
            disabled=not moved.moves,
        )
        st.button(
            "Apply to the whole scenario",
            icon=":material/published_with_changes:",
            on_click=lambda: _apply(common),
            disabled=not common,
            help="Where all houses made the same move: every household of the scenario shall live so.",
        )


def _common(moves: Moves, houses: Sequence[int]) -> Move:
    """The move that these houses share, apart from their bounds; none if they differ."""
    made = {replace(moves.get(h, Move()), bound=None) for h in houses}
    return made.pop() if len(made) == 1 else Move()


def _apply(move: Move) -> None:
    state.edit(lambda scenario: everywhere(scenario, move))
    place().moves.clear()


def try_this(street: Lesson) -> None:
    """Three experiments, one click each, with the question for the class."""
    for experiment in experiments(street):
        with st.container(border=True):
            st.button(
                experiment.title,
                icon=":material/science:",
                on_click=_make,
                args=(experiment,),
                key=f"try:{experiment.title}",
            )
            st.markdown(experiment.question)
    st.caption("Each starts from the street as it is; take the moves back on the tab before this one.")


def _make(experiment: Experiment) -> None:
    here = place()
    here.moves, here.step, here.line, here.problem = dict(experiment.moves), experiment.step, LAST, ""
    here.house = next(iter(experiment.moves)) if len(experiment.moves) == 1 else NONE
    here.stop()
