"""Small pieces of output that several screens use."""

import plotly.graph_objects as go
import streamlit as st

CHART = {"displaylogo": False, "displayModeBar": "hover", "responsive": True}


def chart(figure: go.Figure, alt: str, key: str) -> None:
    """A chart in its card, with words for those who cannot see it."""
    with st.container(border=True):
        st.plotly_chart(figure, key=key, config=CHART, alt=alt)
