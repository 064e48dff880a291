"""Every house by time, with the truth on top."""

import streamlit as st

from pages.ui.attacker.controls import Watched
from pages.ui.attacker.watch import download, truth, watch
from pages.ui.show import chart
from rtp.attacker.choice import in_order
from rtp.figures.attacker import FIRST, street_figure
from rtp.simulation import Day


def street(day: Day, watched: Watched) -> None:
    seen = watch(day, watched)
    n = len(seen.houses)
    with st.container(horizontal=True):
        by_exposure = st.toggle("Most exposed first", True, key="attacker:sort")
        gain = st.toggle("Only what the rates added", key="attacker:gain", help="Her belief less the model's")
        with_truth = st.toggle("Truth on top", True, key="attacker:truth")
        every = n <= FIRST or st.toggle(f"All {n:,} houses", key="attacker:all")
    columns = in_order(seen, by_exposure=by_exposure, first=None if every else FIRST)
    chart(street_figure(day, seen, columns, truth(day, seen) if with_truth else None, gain), key="street")
    download(day, seen)
