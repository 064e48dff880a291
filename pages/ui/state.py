"""The one scenario of a session: where it comes from, how it changes, how it is undone.

`session_state["scenario"]` is the truth. Widgets are bound to it (see `bound`) and hand changes back through
`apply`; the address bar follows it.
"""

from collections.abc import Callable
from typing import Concatenate, ParamSpec

import streamlit as st

from rtp.scenario import DEFAULT_PRESET, PRESETS, Scenario, ScenarioError
from rtp.scenario.link import from_link, to_link

HISTORY = 100
SENT = "address sent"
Arguments = ParamSpec("Arguments")


def begin() -> Scenario:
    """The session's scenario; the first run takes it from the address, or the paper's day."""
    if "scenario" not in st.session_state:
        try:
            preset, scenario = from_link(st.query_params.to_dict())
        except ScenarioError as error:
            preset, scenario = DEFAULT_PRESET, PRESETS[DEFAULT_PRESET]
            st.session_state["notice"] = (
                f"This link could not be opened: {error} Here is the paper's day instead."
            )
        st.session_state.update(scenario=scenario, preset=preset, past=[], future=[], baseline=None)
    _send_address()
    return current()


def _send_address() -> None:
    """Send the address where the browser has another one, or will have when what was last sent arrives."""
    link = current_link()
    if not link == st.query_params.to_dict() == st.session_state.get(SENT, link):
        st.query_params.from_dict(link)
    st.session_state[SENT] = link


def current() -> Scenario:
    scenario: Scenario = st.session_state["scenario"]
    return scenario


def preset() -> str:
    return str(st.session_state["preset"])


def current_link() -> dict[str, str]:
    return to_link(current(), preset())


def apply(**changes: object) -> None:
    """Change fields of the scenario."""
    edit(Scenario.replace, **changes)


def put(name: str, value: object) -> None:
    """Change one field of the scenario."""
    apply(**{name: value})


def edit(
    change: Callable[Concatenate[Scenario, Arguments], Scenario],
    *args: Arguments.args,
    **kwargs: Arguments.kwargs,
) -> None:
    """Change the scenario; what it refuses is said and the last good one stays."""
    try:
        replace(change(current(), *args, **kwargs))
    except ScenarioError as error:
        refuse(str(error))


def replace(scenario: Scenario, name: str | None = None) -> None:
    """Put another scenario in place, possibly of another preset."""
    before = (preset(), current())
    after = (name or preset(), scenario)
    if after != before:
        st.session_state["past"] = [*st.session_state["past"], before][-HISTORY:]
        st.session_state["future"] = []
        _put(after)


def undo() -> None:
    _travel("past", "future")


def redo() -> None:
    _travel("future", "past")


def reset() -> None:
    replace(PRESETS[preset()])


def can(direction: str) -> bool:
    return bool(st.session_state[direction])


def _travel(back: str, ahead: str) -> None:
    if can(back):
        *rest, target = st.session_state[back]
        st.session_state[back] = rest
        st.session_state[ahead] = [*st.session_state[ahead], (preset(), current())]
        _put(target)


def _put(named: tuple[str, Scenario]) -> None:
    st.session_state["preset"], st.session_state["scenario"] = named
    st.session_state.pop("notice", None)


def pin() -> None:
    st.session_state["baseline"] = current()


def unpin() -> None:
    st.session_state["baseline"] = None


def baseline() -> Scenario | None:
    pinned: Scenario | None = st.session_state["baseline"]
    return pinned


def refuse(sentence: str) -> None:
    """Say on the next run, in one sentence, why nothing changed."""
    st.session_state["notice"] = sentence


def notice() -> None:
    """Show what was refused, once."""
    if sentence := st.session_state.pop("notice", None):
        st.error(sentence, icon=":material/error:")
