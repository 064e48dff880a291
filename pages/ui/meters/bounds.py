"""The bounds that the user states: never taken from the readings."""

from functools import partial

import streamlit as st

from pages.ui.number import number_field
from pages.ui.session import lab
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
    setting = f"meters:{name}"
    value, save = lab().setting(setting, first), partial(lab().show, setting)
    number_field(words, value, save, BOUNDS[name], key=f"number:meters:{where}:{name}", width=230)
    return value
