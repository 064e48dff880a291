"""What Streamlit and starlette know and do not say in public, read where it exists.

Everything here has a fallback: on a version without it the app starts and works, less only what each function
says. One attribute of a class is set: starlette's size of an upload from which it is put on the disk.
"""

import logging
from traceback import walk_tb
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


def is_history_navigation() -> bool:
    """Whether this run was asked for by the browser's Back or Forward. Without: they move the address, and
    the view stays."""
    context = run_context() if run_context else None
    return bool(getattr(context, "is_history_navigation", False))


def keep_uploads_in_memory() -> bool:
    """Let no upload touch the disk while it arrives. Without: one over 1 MB may, in a temporary file."""
    if not hasattr(Spooled, "spool_max_size"):
        return False
    Spooled.spool_max_size = (int(st.get_option("server.maxUploadSize")) + 1) * 2**20
    return True


OURS = {"__main__", "pages", "rtp"}
READERS = {"WStates.__getitem__", "WStates.get_serialized", "BidiComponentSerde.deserialize"}
TELLERS = ("streamlit.error_util", "streamlit.components.v2.bidi_component.serialization")


def is_unreadable(error: BaseException) -> bool:
    """Whether Streamlit, in code of its own, failed to read what a browser sent. Without: never."""
    for frame, _ in reversed(list(walk_tb(error.__traceback__))):
        if str(frame.f_globals.get("__name__")).partition(".")[0] in OURS:
            return False
        if frame.f_code.co_qualname in READERS:
            return True
    return False


def _worth_a_line(record: logging.LogRecord) -> bool:
    error = record.exc_info[1] if record.exc_info else None
    return error is None or not is_unreadable(error)


def keep_forged_values_out_of_log() -> None:
    """Log no traceback for a value of a kind that its widget never sends: a script makes it up, and could
    fill the disk. Who sent it sees Streamlit's sentence. Without: they are logged."""
    for name in TELLERS:
        logging.getLogger(name).addFilter(_worth_a_line)
