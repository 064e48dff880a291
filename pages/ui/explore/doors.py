"""Three ways on from Explore."""

import streamlit as st

from pages.ui import tour
from pages.ui.sidebar import link_to


def doors() -> None:
    with st.container(key="doors", gap="xxsmall", width="content"):
        tour.start()
        link_to("Class", "Teaching: Class")
        link_to("Street", "Have readings: Street", tab="From readings")
