"""The bounds that the user states: never taken from the readings."""

import streamlit as st

from pages.ui import view
from pages.ui.number import number_field
from rtp.meters.learned import FUSE, STANDBY
from rtp.meters.words import LEAKS
from rtp.scenario import BOUNDS

FIELDS = {
    "occupied_max": ("At most while occupied, kW", FUSE),
    "empty_max": ("At most while empty, kW", STANDBY),
}


def stated(where: str = "learn") -> tuple[float, float]:
    """(occupied, empty), in kW."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        values = [_field(where, name, *words) for name, words in FIELDS.items()]
    st.caption(LEAKS)
    return values[0], values[1]


def _field(where: str, name: str, words: str, first: float) -> float:
    here: view.Fact[float] = view.fact(f"meters:{name}", first)
    number_field(words, here.value, here.commit, BOUNDS[name], key=f"number:meters:{where}:{name}", width=230)
    return here.value
