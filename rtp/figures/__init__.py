"""Data in, plotly figure out. No streamlit, no state."""
