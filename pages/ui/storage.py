"""Scenarios kept under names in the browser's own storage, where they survive the session and the server.

The session has a copy, so that nothing is lost where the browser keeps nothing. A change is made to both: to
the copy at once, in the browser by a small component that is told what to change and reports what the browser
holds. Windows of one browser share its storage, so the component changes single entries, never the list.
"""

import json
from collections.abc import Mapping
from typing import TypedDict

import streamlit as st

from pages.ui.once import take
from rtp.scenario.share import Named

KEY = "rtp-privacy-lab.scenarios"  # in the browser
COPY, DUE, TURN, REPORT = "saved:copy", "saved:due", "saved:turn", "saved:report"

SCRIPT = """
const reported = new WeakMap();
const object = (text) => {
    try {
        const value = JSON.parse(text ?? '{}');
        return value && typeof value === 'object' && !Array.isArray(value) ? value : {};
    } catch {
        return {};
    }
};
export default function ({ data, parentElement, setStateValue }) {
    let held = null;
    try {
        held = object(window.localStorage.getItem(data.key));
        if (data.turn) {
            for (const [name, text] of data.changes) {
                if (text === null) delete held[name];
                else held[name] = text;
            }
            window.localStorage.setItem(data.key, JSON.stringify(held));
        }
    } catch {
        held = null;
    }
    const report = JSON.stringify({ held, turn: data.turn });
    const silent = report === '{"held":{},"turn":0}' && !reported.has(parentElement);
    if (!silent && reported.get(parentElement) !== report) {
        reported.set(parentElement, report);
        setStateValue('report', report);
    }
}
"""

_component = st.components.v2.component("rtp_storage", js=SCRIPT)


class Report(TypedDict):
    held: dict[str, str] | None  # by name; None: the browser keeps nothing
    turn: int  # of the changes that were made


def mount(place: str) -> None:
    """Let the browser make the change that is due and say what it holds; one such place on a screen."""
    turn, changes = _due()
    told = _component(
        key=f"{REPORT}:{place}",
        data={"key": KEY, "turn": turn, "changes": changes},
        on_report_change=_nothing,
        height=1,
    ).get("report")
    if told is not None and (report := _read(told)) != st.session_state.get(REPORT):
        st.session_state[REPORT] = report
        _hear(report, turn)


def _nothing() -> None:
    """A report is read where the component is mounted."""


def _due() -> tuple[int, list[tuple[str, str | None]]]:
    """The number of the last change, 0 where none is due, and all changes that the browser has not confirmed:
    (name, text), None in place of what is to be deleted."""
    due: tuple[int, list[tuple[str, str | None]]] = st.session_state.get(DUE) or (0, [])
    return due


def _read(told: object) -> Report:
    """What the browser said; nonsense is as good as nothing."""
    try:
        said = json.loads(str(told))
        held = {str(name): text for name, text in said["held"].items() if isinstance(text, str)}
        return Report(held=held, turn=int(said["turn"]))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return Report(held=None, turn=0)


def _hear(report: Report, turn: int) -> None:
    if report["held"] is not None and report["turn"] == turn:
        st.session_state[COPY] = report["held"]
        take(DUE)


def unavailable() -> bool:
    """Whether the browser said that it keeps nothing."""
    report: Report | None = st.session_state.get(REPORT)
    return report is not None and report["held"] is None


def texts() -> Mapping[str, str]:
    """All that is saved: texts by name."""
    copy: Mapping[str, str] = st.session_state.get(COPY, {})
    return copy


def save(named: Named) -> None:
    _change(named.name, named.to_text())


def delete(name: str) -> None:
    _change(name, None)


def _change(name: str, text: str | None) -> None:
    others = {other: its for other, its in texts().items() if other != name}
    st.session_state[COPY] = others if text is None else {**others, name: text}
    st.session_state[TURN] = 1 + int(st.session_state.get(TURN, 0))
    st.session_state[DUE] = st.session_state[TURN], [*_due()[1], (name, text)]
