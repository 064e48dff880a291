"""Every house by time, with the truth on top."""

import streamlit as st

from pages.ui.attacker.controls import Watched
from pages.ui.attacker.watch import download, truth, watch, which_filter
from pages.ui.show import chart
from pages.ui.widgets import url_toggle
from rtp.attack.adversary import ordered_columns
from rtp.figures.attack import FIRST, street_figure
from rtp.simulation import Day


def street(day: Day, watched: Watched) -> None:
    seen = watch(day, watched)
    n = len(seen.houses)
    with st.container(horizontal=True):
        by_exposure = url_toggle("Most exposed first", "attacker:sort", True)
        gain = url_toggle("Only what the rates added", "attacker:gain", help="Her belief less the model's")
        with_truth = url_toggle("Truth on top", "attacker:truth", True)
        every = n <= FIRST or url_toggle(f"All {n:,} houses", "attacker:all")
    columns = ordered_columns(seen, by_exposure=by_exposure, first=None if every else FIRST)
    chart(street_figure(day, seen, columns, truth(day, seen) if with_truth else None, gain), key="street")
    st.caption(which_filter(day, seen))
    download(day, watched)
