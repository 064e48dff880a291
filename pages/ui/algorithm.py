"""The pieces of the Algorithm screen: its controls, the lines, the pictures, the numbers."""

from collections.abc import Callable

import numpy as np
import streamlit as st

from pages.ui.classroom import Place, place
from pages.ui.show import chart
from rtp.classroom.consequences import everyone
from rtp.classroom.lesson import MAX_HOUSES, MIN_HOUSES, Lesson
from rtp.classroom.lines import (
    LAST,
    MAXIMUM,
    NOISE,
    OPTIMAL,
    POSSIBLE,
    PRIOR,
    PROTECTED,
    PUBLISHED,
    SENSITIVITY,
    Line,
    rate,
    step_table,
)
from rtp.clock import STEPS_PER_DAY, when
from rtp.figures.hypercube import alt_text, reading, states_figure
from rtp.figures.lesson import beliefs_alt, beliefs_figure, noise_alt, noise_figure
from rtp.joint import Step
from rtp.scenario import Scenario
from rtp.tables import to_csv

HIDDEN = "…"


def controls(scenario: Scenario) -> None:
    """How many houses, which step, which line, and Play."""
    here = place()
    left, right = st.columns([1, 3])
    with left:
        _slider("Households", range(MIN_HOUSES, MAX_HOUSES + 1), here.chosen_houses(scenario), str, "houses")
    with right:
        _slider("Step", range(STEPS_PER_DAY), here.step, when, "step")
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        last = here.step == STEPS_PER_DAY - 1
        _button("Previous", "skip_previous", lambda: here.go(steps=-1), here.step == 0, "Previous step")
        _button("Next", "skip_next", lambda: here.go(steps=1), last, "Next step")
        if here.playing:
            _button("Stop", "stop", here.stop, key="stop playing")
        else:
            _button("Play", "play_arrow", here.play, help="Go through the day, step by step", key="play")
        _button("Line back", "arrow_upward", lambda: here.go(lines=-1), here.step == 0 and here.line == 1)
        _button("Next line", "arrow_downward", lambda: here.go(lines=1), last and here.line == LAST)
        _button(
            "Whole step",
            "done_all",
            lambda: setattr(here, "line", LAST),
            here.line == LAST,
            "Execute all lines of this step",
        )
        st.toggle(
            "Show the truth",
            key="show truth",
            persist_state="session",
            help="Mark the state the street is really in, which only the street knows.",
        )


def _slider(label: str, options: range, value: int, words: Callable[[int], str], name: str) -> None:
    key = f"slider:{name}"
    st.session_state[key] = value
    st.select_slider(
        label,
        options,
        key=key,
        format_func=words,
        on_change=lambda: setattr(place(), name, int(st.session_state[key])),
    )


def _button(
    label: str,
    icon: str,
    act: Callable[[], None],
    disabled: bool = False,
    help: str | None = None,
    key: str | None = None,
) -> None:
    st.button(
        label,
        icon=f":material/{icon}:",
        on_click=act,
        disabled=disabled,
        help=help,
        key=key or f"button:{label}",
    )


def numbers(street: Lesson, moved: Lesson, here: Place) -> None:
    """The step in six numbers; after a move, against the street as it was."""
    t, line = here.step, here.line
    old, new = street.at(t), moved.at(t)
    with st.grid(6, min_column_width=150):
        for known, label, value, was in (
            (POSSIBLE, "Possible states", _states(new), _states(old)),
            (PROTECTED, "Protected houses |κ|", _protected(new, moved), _protected(old, street)),
            (MAXIMUM, "Sensitivity λ", f"{new.sensitivity:.4g}", f"{old.sensitivity:.4g}"),
            (NOISE, "Noise scale λ/ε", f"{new.scale:.4g}", f"{old.scale:.4g}"),
            (OPTIMAL, "Optimal rate", rate(moved.release.optimal[t]), rate(street.release.optimal[t])),
            (PUBLISHED, "Published rate", rate(new.published), rate(old.published)),
        ):
            st.metric(
                label,
                value if line >= known else HIDDEN,
                delta=f"was {was}" if moved.moves and line >= known else None,
                delta_color="off",
                delta_arrow="off",
                border=True,
                height="stretch",
            )


def _states(step: Step) -> str:
    """The states possible under some model."""
    some = np.any([model.possible for model in step.models], axis=0)
    return f"{some.sum()} of {len(some)}"


def _protected(step: Step, lesson: Lesson) -> str:
    return f"{len(everyone(step))} of {lesson.houses}"


def models(moved: Lesson, here: Place) -> int:
    """λ of every θ with the largest marked, and a tab for each; gives the θ whose tab is open."""
    names = [model.name for model in moved.scenario.models]
    if len(names) == 1:
        _pictures(moved, 0, here)
        return 0
    step = moved.at(here.step)
    with st.grid(len(names), min_column_width=150):
        for name, own in zip(names, step.models, strict=True):
            largest = own.sensitivity == step.sensitivity
            known = here.line >= SENSITIVITY
            st.metric(
                f"λ under {name}",
                f"{own.sensitivity:.4g}" if known else HIDDEN,
                delta="the maximum" if largest and here.line >= MAXIMUM else None,
                delta_color="primary",
                delta_arrow="off",
                border=True,
                height="stretch",
            )
    if st.session_state.get("theta") not in names:
        st.session_state["theta"] = names[0]
    tabs = st.tabs(names, key="theta", on_change="rerun")
    shown = next((i for i, tab in enumerate(tabs) if tab.open), 0)
    with tabs[shown]:
        _pictures(moved, shown, here)
    return shown


def _pictures(moved: Lesson, model: int, here: Place) -> None:
    """The joint states, and beside them each house and the noise."""
    own = moved.at(here.step).models[model]
    line = PRIOR if (here.step, here.line) == (0, PRIOR - 1) else here.line  # the first prior is line 3's
    truth = int("".join(str(int(s)) for s in moved.states[here.step]), 2)
    shown = truth if st.session_state.get("show truth") else None
    chart(states_figure(own, line, shown), alt_text(own, line), key=f"states {model}")
    st.caption(reading(moved.houses))
    left, right = st.columns(2)
    with left:
        chart(beliefs_figure(moved, own, line), beliefs_alt(own, line), key=f"beliefs {model}")
    with right:
        chart(noise_figure(moved, here.step, line), noise_alt(moved, here.step, line), key=f"noise {model}")


def listing(told: list[Line], current: int) -> None:
    """The lines with today's values; the one just executed marked, the ones after it still silent."""
    text = []
    for number, formula, value in told:
        if number == current:
            head, tail = f":blue-badge[{number}]", f":blue-background[**{value}**]"
        else:
            head, tail = f"**{number}**", value if number < current else HIDDEN
        text.append(f"{head} ${formula}$  \n&emsp;{tail}")
    st.markdown("  \n".join(text))


def table(moved: Lesson, here: Place) -> None:
    """The step's table to look at and to take away."""
    st.download_button(
        "This step's table as CSV",
        lambda: to_csv(step_table(moved, here.step)),
        f"step_{here.step + 1:02d}.csv",
        "text/csv",
        icon=":material/table:",
        on_click="ignore",
        disabled=here.line < LAST,
        help="State, prior, Pr[r̂|state] and posterior; available when the whole step is executed.",
    )
    shown = st.expander("Every state of this step", key="section:table", on_change="rerun")
    if shown.open and here.line == LAST:
        with shown:
            st.dataframe(step_table(moved, here.step), hide_index=True, height=360)
