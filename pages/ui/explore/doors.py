"""Three doors on the first screen: for who is new here, who teaches, and who has readings."""

import streamlit as st

from pages.ui.explore import tour
from pages.ui.screens import READINGS, TAB
from pages.ui.session import lab
from pages.ui.sidebar import link_to


def doors() -> None:
    """One row; not in front of a class."""
    if lab().presenting:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="doors"):
        tour.start()
        link_to("Class", "Teaching: Class")
        link_to("Street", "Have readings: Street", **{TAB: READINGS})
