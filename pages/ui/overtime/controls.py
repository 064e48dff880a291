"""Which rate is published, which house is looked at, and three things to try."""

from functools import partial
from typing import NamedTuple

import streamlit as st

from pages.ui import state, view
from pages.ui.number import Empty, number_field
from pages.ui.show import from_list
from rtp.figures import style
from rtp.mechanisms import NO_DATA, REGISTRY
from rtp.scenario import Bounds, Scenario

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
    chosen: view.Fact[int | None] = view.fact(HOUSE, None)
    there = chosen.value is not None and chosen.value < scenario.households
    house = chosen.value if there else None
    number_field(
        "House",
        house,
        partial(view.put, HOUSE),
        Bounds(0, scenario.households - 1, "House"),
        key="number:overtime house",
        step=1,
        help="Empty: of a moment the house that loses most, else the one whose use differs most.",
        width=190,
        empty=Empty("the worst off", partial(view.put, HOUSE, None)),
    )
    return house


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
            on_click=partial(state.apply, households=FEW),
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
