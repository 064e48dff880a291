"""What Streamlit and starlette know and do not say in public, read where it exists.

Everything here has a fallback: on a version without it the app starts and works, less only what each function
says. One attribute of a class is set: starlette's size of an upload from which it is put on the disk.
"""

from typing import Any

import streamlit as st

Spooled: Any
try:
    from starlette.formparsers import MultiPartParser as Spooled
except ImportError:  # an older server
    Spooled = None
run_context: Any
try:
    from streamlit.runtime.scriptrunner import get_script_run_ctx as run_context
except ImportError:
    run_context = None
thread_state: Any
try:
    from streamlit.runtime.scriptrunner_utils.script_run_context import ThreadState as thread_state
except ImportError:
    thread_state = None


def is_history_navigation() -> bool:
    """Whether this run was asked for by the browser's Back or Forward. Without: they move the address, and
    the view stays."""
    context = run_context() if run_context else None
    return bool(getattr(context, "is_history_navigation", False))


def is_told_again() -> bool:
    """Whether the button whose callback this is stands in no part that this run draws. The browser keeps a
    press until it next has a moment; a timer that redraws a part and is late comes before, tells of the press
    too, and then the press is told by itself. Without: such a press counts twice."""
    context = run_context() if run_context else None
    drawn = getattr(context, "fragment_ids_this_run", None)
    if not drawn or thread_state is None:
        return False
    return getattr(thread_state.get(), "fragment_id", None) not in drawn


def keep_uploads_in_memory() -> bool:
    """Let no upload touch the disk while it arrives. Without: one over 1 MB may, in a temporary file."""
    if not hasattr(Spooled, "spool_max_size"):
        return False
    Spooled.spool_max_size = (int(st.get_option("server.maxUploadSize")) + 1) * 2**20
    return True
