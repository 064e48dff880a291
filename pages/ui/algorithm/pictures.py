"""The joint states, for every model; and each house and the noise."""

from functools import partial

import streamlit as st

from pages.ui.algorithm.numbers import HIDDEN
from pages.ui.algorithm.position import Position
from pages.ui.show import chart, metric
from pages.ui.widgets import url_tabs
from rtp.figures.algorithm import beliefs_figure, noise_figure, states_figure
from rtp.teaching.lines import LineNumber, state_index
from rtp.teaching.stage import Stage


def cube(moved: Stage, here: Position) -> int:
    """A tab for every θ; gives the one whose tab is open."""
    names = [model.name for model in moved.scenario.models]
    if len(names) == 1:
        _states(moved, 0, here)
        return 0
    drawn = {name: partial(_states, moved, model, here) for model, name in enumerate(names)}
    return names.index(url_tabs("algorithm:theta", drawn))


def _states(moved: Stage, model: int, here: Position) -> None:
    own = moved.at(here.step).models[model]
    truth = state_index(moved.states[here.step]) if here.truth else None
    several = len(moved.scenario.models) > 1
    chart(states_figure(moved, own, _known(here), truth, under_tabs=several), key=f"states {model}")


def sensitivities(moved: Stage, here: Position) -> None:
    """λ of every θ, the largest marked; nothing where there is only one."""
    step, models = moved.at(here.step), moved.scenario.models
    if len(models) == 1:
        return
    with st.grid(len(models), min_column_width=150):
        for model, own in zip(models, step.models, strict=True):
            largest = own.sensitivity == step.sensitivity
            metric(
                f"λ under {model.name}",
                f"{own.sensitivity:.4g}" if here.line >= LineNumber.SENSITIVITY else HIDDEN,
                "the maximum" if largest and here.line >= LineNumber.MAXIMUM else None,
                colour="primary",
            )


def houses_and_noise(moved: Stage, model: int, here: Position) -> None:
    own = moved.at(here.step).models[model]
    left, right = st.columns(2)
    with left:
        chart(beliefs_figure(moved, own, _known(here)), key=f"beliefs {model}")
    with right:
        chart(noise_figure(moved, here.step, _known(here)), key=f"noise {model}")


def _known(here: Position) -> int:
    """The line up to which the pictures know; the first prior is line 3's."""
    return LineNumber.PRIOR if (here.step, here.line) == (0, LineNumber.PRIOR - 1) else here.line
