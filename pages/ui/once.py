"""What a session keeps until it is asked for once.

Keys of `st.session_state` are emptied, never deleted: a run that quick hands have interrupted may just
be reading all of them in another thread, and would stumble over one that is gone.
"""

from typing import Any

import streamlit as st


def take(name: str) -> Any:
    """What was kept, or None; from now on nothing is."""
    kept = st.session_state.get(name)
    if kept is not None:
        st.session_state[name] = None
    return kept
