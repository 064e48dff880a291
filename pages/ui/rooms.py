"""Where the rooms of Play are kept, and under which names a session knows the one that it is in."""

import streamlit as st

from rtp.play.rooms import Rooms

ROOM, HOST, PLAYER, VIEW = "play:room", "play:host", "play:player", "play:view"


@st.cache_resource(show_spinner=False)
def rooms() -> Rooms:
    """Those of this process: the one place where they are kept."""
    return Rooms()
