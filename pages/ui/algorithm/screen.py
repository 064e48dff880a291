"""The Algorithm screen put together: the stage, and beneath it what it means and what can be tried."""

from functools import partial

import streamlit as st

from pages.ui.algorithm.bar import bar
from pages.ui.algorithm.controls import controls
from pages.ui.algorithm.experiments import running, try_this
from pages.ui.algorithm.lessons import lessons, think
from pages.ui.algorithm.listing import in_words, listing, table
from pages.ui.algorithm.moves import panel
from pages.ui.algorithm.numbers import consequences, numbers
from pages.ui.algorithm.pictures import cube, houses_and_noise, sensitivities
from pages.ui.algorithm.position import position
from pages.ui.session import fragment, lab, send
from pages.ui.widgets import url_tabs
from rtp.figures.algorithm import reading_words
from rtp.scenario import Scenario
from rtp.teaching.lines import DISTRIBUTIONS_ASIDE, lines
from rtp.teaching.stage import Stage, fewer_houses_words, opening_words


def classroom(scenario: Scenario) -> None:
    fragment(partial(_classroom, scenario))


def _classroom(scenario: Scenario) -> None:
    if lab().scenario != scenario:
        st.rerun()  # a move was applied to the scenario: the rest of the page follows
    here = position()
    if not here.playing:
        send()  # not at every tick: each would be an entry of the browser's history
    bar(scenario, here)
    if scenario.has_laws:
        st.caption(DISTRIBUTIONS_ASIDE)
    if fewer := fewer_houses_words(here.houses):
        st.caption(fewer)
    street, moved = lessons(scenario)
    for taught in (street, moved):
        think(taught, here.step)
    model = _stage(street, moved)
    controls(scenario, here)
    consequences(street, moved, here)
    houses_and_noise(moved, model, here)
    url_tabs(
        "algorithm:tab",
        {
            "Experiments": partial(try_this, street, moved),
            "Make a move": partial(panel, street, moved),
            "In words": partial(in_words, moved, model, here),
            "Every state": partial(table, moved, here),
        },
    )


def _stage(street: Stage, moved: Stage) -> int:
    """Listing, states and numbers; gives the model whose states are shown."""
    here = position()
    left, right = st.columns([4, 5])
    with right:
        model = cube(moved, here)
    with left:
        listing(lines(moved, here.step, model), here.line)
    numbers(street, moved, here)
    running(street, here)
    sensitivities(moved, here)
    st.caption(reading_words(moved.scenario))
    if moved.moves == street.moves and street.moves:
        st.caption(opening_words(street))
    return model
