"""The joint states, and beside them each house and the noise, for every model."""

import streamlit as st

from pages.ui.algorithm.numbers import HIDDEN
from pages.ui.algorithm.position import Position
from pages.ui.remembered import tabs_of
from pages.ui.show import chart, metric
from rtp.classroom.lesson import Lesson
from rtp.classroom.lines import MAXIMUM, PRIOR, SENSITIVITY
from rtp.classroom.states import state_index
from rtp.figures.hypercube import reading, states_figure
from rtp.figures.lesson import beliefs_figure, noise_figure


def models(moved: Lesson, here: Position) -> int:
    """λ of every θ with the largest marked, and a tab for each; gives the θ whose tab is open."""
    names = [model.name for model in moved.scenario.models]
    if len(names) == 1:
        _pictures(moved, 0, here)
        return 0
    _sensitivities(moved, here)
    tabs = tabs_of(names, "algorithm:theta")
    shown = next((i for i, tab in enumerate(tabs) if tab.open), 0)
    with tabs[shown]:
        _pictures(moved, shown, here)
    return shown


def _sensitivities(moved: Lesson, here: Position) -> None:
    step, models = moved.at(here.step), moved.scenario.models
    with st.grid(len(models), min_column_width=150):
        for model, own in zip(models, step.models, strict=True):
            largest = own.sensitivity == step.sensitivity
            metric(
                f"λ under {model.name}",
                f"{own.sensitivity:.4g}" if here.line >= SENSITIVITY else HIDDEN,
                "the maximum" if largest and here.line >= MAXIMUM else None,
                colour="primary",
            )


def _pictures(moved: Lesson, model: int, here: Position) -> None:
    own = moved.at(here.step).models[model]
    line = PRIOR if (here.step, here.line) == (0, PRIOR - 1) else here.line  # the first prior is line 3's
    truth = state_index(moved.states[here.step]) if here.truth else None
    chart(states_figure(own, line, truth), key=f"states {model}")
    st.caption(reading(moved.houses))
    left, right = st.columns(2)
    with left:
        chart(beliefs_figure(moved, own, line), key=f"beliefs {model}")
    with right:
        chart(noise_figure(moved, here.step, line), key=f"noise {model}")
