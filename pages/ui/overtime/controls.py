"""Which rate is published, which house is looked at, and three things to try."""

from functools import partial
from typing import NamedTuple

import streamlit as st

from pages.ui import state, view
from pages.ui.remembered import asked_house, from_list
from rtp.figures import style
from rtp.mechanisms import NO_DATA, REGISTRY
from rtp.scenario import Scenario, edits

RATE, HOUSE = "overtime:rate", "overtime:house"
FEW = 20


class Watched(NamedTuple):
    rate: str
    house: int | None  # None: whichever loses most


def controls(scenario: Scenario) -> Watched:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        rate = from_list("The rate", list(REGISTRY), RATE, style.label, width=190)
        return Watched(rate, _house(scenario))


def _house(scenario: Scenario) -> int | None:
    return asked_house(
        HOUSE,
        scenario,
        empty="the worst off",
        help="Empty: of a moment the house that loses most, else the one whose use differs most.",
    )


def try_this() -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("**Try this.**", width="content")
        st.button(
            "A tenth of the budget",
            icon=":material/lock:",
            on_click=_tenth,
            help="A moment is hidden much better. Is a holiday?",
        )
        st.button(
            f"A street of {FEW}",
            icon=":material/compress:",
            on_click=partial(state.edit, edits.of_size, FEW),
            help="The crowd is gone: an outsider sees almost as much as an insider.",
        )
        st.button(
            "Publish the forecast",
            icon=":material/visibility_off:",
            on_click=partial(view.put, RATE, NO_DATA),
            help="It looks at no data: nothing can be learned. What that costs is under A whole day.",
        )


def _tenth() -> None:
    state.apply(epsilon=state.current().epsilon / 10)
