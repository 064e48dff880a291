"""The one scenario of a session: where it comes from, how it changes, how it is undone.

`session_state["scenario"]` is the truth. Widgets are bound to it (see `bound`) and hand changes back through
`apply`; the address bar follows it (see `address`).
"""

from collections.abc import Callable
from operator import itemgetter
from typing import Concatenate, ParamSpec

import streamlit as st

from pages.ui.once import take
from rtp.scenario import PRESETS, House, Scenario, ScenarioError
from rtp.scenario.consumption import house_list_id
from rtp.scenario.fields import sentence

HISTORY = 100
GONE = "What you changed had been removed just before, so nothing has changed."
Arguments = ParamSpec("Arguments")


def open_with(preset: str, scenario: Scenario) -> None:
    """A fresh session."""
    st.session_state.update(scenario=scenario, preset=preset, past=[], future=[])


def current() -> Scenario:
    scenario: Scenario = st.session_state["scenario"]
    return scenario


def preset() -> str:
    return str(st.session_state["preset"])


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
    """Change the scenario; what it refuses is said and the last good one stays. A quick hand may change a
    part that it has just removed."""
    try:
        replace(change(current(), *args, **kwargs))
    except ScenarioError as error:
        refuse(sentence(error, current()))
    except IndexError:
        refuse(GONE)


def replace(scenario: Scenario, name: str | None = None) -> None:
    """Put another scenario in place, possibly of another preset."""
    before = named()
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
        st.session_state[ahead] = [*st.session_state[ahead], named()]
        _put(target)


def _put(named: tuple[str, Scenario]) -> None:
    st.session_state["preset"], st.session_state["scenario"] = named
    take("notice")


def travel_to(preset: str, scenario: Scenario) -> None:
    """Where the browser's Back or Forward leads: undone or redone, whichever is nearer, else a change."""
    target = (preset, scenario)
    ways = [
        (1 + st.session_state[direction][::-1].index(target), travel)
        for direction, travel in (("past", undo), ("future", redo))
        if target in st.session_state[direction] and named() != target
    ]
    if ways:
        steps, travel = min(ways, key=itemgetter(0))
        for _ in range(steps):
            travel()
    replace(scenario, preset)


def named() -> tuple[str, Scenario]:
    return preset(), current()


def listed() -> dict[str, tuple[House, ...]]:
    """The lists of houses that the session has seen, by their marks: a link may have no room for them."""
    seen = [*st.session_state.get("past", ()), *st.session_state.get("future", ())]
    scenarios = [scenario for _, scenario in seen]
    if "scenario" in st.session_state:
        scenarios.append(current())
    return {house_list_id(scenario.houses): scenario.houses for scenario in scenarios if scenario.houses}


def refuse(sentence: str) -> None:
    """Say on the next run, in one sentence, why nothing changed."""
    st.session_state["refusal"] = sentence


def take_refusal() -> str:
    """What was refused just now, for who can say it in a better place; else nothing."""
    return take("refusal") or ""


def notice() -> None:
    """Say, once, what is wrong with the link, and where the eye is what was refused."""
    if sentence := take("notice"):
        st.error(sentence, icon=":material/error:")
    if sentence := take_refusal():
        st.toast(sentence, icon=":material/error:", duration="long")
