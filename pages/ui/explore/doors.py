"""Three doors on the first screen: for who is new here, who teaches, and who has readings."""

import streamlit as st

from pages.ui import tour
from pages.ui.screens import READINGS, TAB
from pages.ui.session import lab
from pages.ui.sidebar import link_to


def doors() -> None:
    """Not in front of a class."""
    if lab().presenting:
        return
    with st.container(key="doors", gap="xxsmall", width="content"):
        tour.start()
        link_to("Class", "Teaching: Class")
        link_to("Street", "Have readings: Street", **{TAB: READINGS})
