"""What was read, and what will be done about what is wrong with it."""

import streamlit as st

from pages.ui.meters.source import Held, stated_unit
from pages.ui.show import chart, metric
from rtp.core.formatting import percent
from rtp.figures.meters import feeder_figure
from rtp.meters.words import findings_frame


def report(held: Held) -> None:
    readings = held.readings
    st.caption(f"From {held.name}, {readings.date(0)} to {readings.date(readings.days - 1)}.")
    with st.grid(4, min_column_width=125):
        metric("Houses", f"{len(readings.houses):,}", beneath=f"{int(readings.usable.sum()):,} to learn from")
        metric("Days", f"{readings.days:,}", beneath=f"from {readings.date(0)}")
        metric("Interval", f"{readings.minutes} min", beneath=stated_unit(held))
        metric("Readings", percent(readings.present_share), beneath="of all steps")
    chart(feeder_figure(readings), "meters:feeder")
    st.table(findings_frame(readings))
