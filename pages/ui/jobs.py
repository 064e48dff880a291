"""Long work beside the page: started, watched, stopped, and ended when nobody watches any more.

The work is a function of one argument, `report`, which it calls with the fraction done and what it has so
far; the call raises `Stopped` when the user, or nobody, wants it any longer. What it has is kept.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

PATIENCE = 10.0  # seconds without anyone watching after which the work ends
POLL = 0.5


class Stopped(Exception):
    """The work is no longer wanted."""


Report = Callable[[float, Any], None]


@dataclass
class Job:
    """One piece of work on its own thread."""

    work: Callable[[Report], Any]
    key: str  # what the result depends on; another key makes it stale
    done: float = 0.0
    result: Any = None
    state: str = "running"  # running, finished, stopped, failed
    problem: str = ""
    wanted: bool = True
    watched: float = field(default_factory=time.monotonic)

    def start(self) -> "Job":
        threading.Thread(target=self._run, daemon=True).start()
        return self

    def _run(self) -> None:
        try:
            self.result = self.work(self._report)
            self.done, self.state = 1.0, "finished"
        except Stopped:
            self.state = "stopped"
        except Exception as error:  # shown to the user instead of dying silently on a thread
            self.problem, self.state = str(error) or type(error).__name__, "failed"

    def _report(self, done: float, result: Any) -> None:
        self.done, self.result = done, result
        if not self.wanted or time.monotonic() - self.watched > PATIENCE:
            raise Stopped


def run(name: str, key: str, work: Callable[[Report], Any], start: str, hint: str = "") -> Job | None:
    """A start button, then progress with a stop button; returns the job for this key, if it was started."""
    slot = f"job:{name}"
    job: Job | None = st.session_state.get(slot)
    if job is not None and job.key != key:
        job.wanted = False
        st.session_state[slot] = job = None
    running = job is not None and job.state == "running"

    def begin() -> None:
        st.session_state[slot] = Job(work, key).start()

    @st.fragment(run_every=POLL if running else None)
    def watch() -> None:
        if job is None:
            return
        job.watched = time.monotonic()
        if running and job.state != "running":
            st.rerun()
        if running:
            st.progress(job.done, f"{job.done:.0%}")

    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            start,
            key=f"start:{name}",
            icon=":material/play_arrow:",
            on_click=begin,
            disabled=running,
        )
        if job is not None and running:
            st.button(
                "Stop",
                key=f"stop:{name}",
                icon=":material/stop:",
                on_click=lambda: setattr(job, "wanted", False),
            )
        if hint and not running:
            st.caption(hint)
    watch()
    if job is not None and job.state == "failed":
        st.error(f"The work stopped: {job.problem}")
    if job is not None and job.state == "stopped":
        st.caption(f"Stopped at {job.done:.0%}; what was finished is kept.")
    return job
