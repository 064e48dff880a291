"""Experiments: the class predicts, runs one, and sees what came of it; the one that runs is marked."""

from functools import partial

import streamlit as st

from pages.ui.algorithm.position import Position, position, think
from pages.ui.session import lab
from pages.ui.widgets import versioned
from rtp.teaching.experiments import Experiment, experiments, reveal
from rtp.teaching.moves import moves_text
from rtp.teaching.stage import Stage

NONE_HERE = (
    "No house of this street is uncertain at any step, so there is no noise to change: there is nothing to "
    "try here. Take a move back, or choose another preset."
)


def _guess(experiment: Experiment) -> str:
    """The name of the setting that holds a prediction."""
    return f"algorithm:guess:{experiment.key}"


def try_this(street: Stage, moved: Stage) -> None:
    offered, running = experiments(street), active(street, position())
    if not offered:
        st.info(NONE_HERE)
    with st.grid(2, min_column_width=300):
        for experiment in offered:
            with st.container(border=True, height="stretch"):
                _card(experiment, street, moved, runs=experiment == running)


def active(street: Stage, here: Position) -> Experiment | None:
    """The one whose moves the street shows."""
    for experiment in experiments(street):
        moves = street.moves if here.moves is None else here.moves
        if experiment.key == here.experiment and moves_text(moves) == moves_text(experiment.moves):
            return experiment
    return None


def running(street: Stage, here: Position) -> None:
    """Which experiment the stage shows, and its undo, where the class looks."""
    if experiment := active(street, here):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f":blue-badge[experiment] **{experiment.title}**", width="content")
            _undo(here, experiment, "stage")


def _card(experiment: Experiment, street: Stage, moved: Stage, runs: bool) -> None:
    st.markdown(f"**{experiment.title}**" + (" :blue-badge[running]" if runs else ""))
    st.markdown(experiment.question)
    guess: str | None = lab().chosen(_guess(experiment))
    _predict(experiment, guess)
    here = position()
    with st.container(horizontal=True):
        st.button(
            "Run it",
            icon=":material/science:",
            key=f"run:{experiment.key}",
            on_click=here.run,
            args=(experiment.key, experiment.moves, experiment.step),
            disabled=runs or guess is None,
            help=None if guess else "Predict first.",
        )
        if runs:
            _undo(here, experiment, "card")
    if runs:
        _reveal(experiment, street, moved, guess)


def _predict(experiment: Experiment, guess: str | None) -> None:
    here = versioned(f"guess:{experiment.key}", guess, partial(lab().show, _guess(experiment)))
    st.segmented_control(
        "You predict",
        experiment.answers,
        default=guess,
        key=here.key,
        on_change=here.changed,
    )


def _reveal(experiment: Experiment, street: Stage, moved: Stage, guess: str | None) -> None:
    for taught in (street, moved):
        think(taught, experiment.step)
    answer, why = reveal(experiment, street, moved)
    if guess is None:
        verdict = "Answer"
    else:
        verdict = (
            f"You predicted “{guess}”, and that is right" if guess == answer else f"You predicted “{guess}”"
        )
    st.success(f"{verdict}: **{answer}**. {why}", icon=":material/lightbulb:")


def _undo(here: Position, experiment: Experiment, where: str) -> None:
    st.button(
        "Undo the experiment",
        icon=":material/undo:",
        key=f"undo:{where}",
        on_click=partial(_take_back, here, experiment),
    )


def _take_back(here: Position, experiment: Experiment) -> None:
    here.undo()
    lab().show(_guess(experiment), None)
