"""Data in, picture out: a plotly figure and its words. No streamlit, no state."""
