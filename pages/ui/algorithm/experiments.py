"""Three experiments, one click each, with the question for the class."""

import streamlit as st

from pages.ui.algorithm.position import ALL, position
from rtp.classroom.experiments import Experiment, experiments
from rtp.classroom.lesson import Lesson


def try_this(street: Lesson) -> None:
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
    here = position()
    here.moves, here.problem = dict(experiment.moves), ""
    here.house = next(iter(experiment.moves)) if len(experiment.moves) == 1 else ALL
    here.player.stop()
    here.player.step = experiment.step
    here.whole_step()
