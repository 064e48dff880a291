"""Saved scenarios: kept under a name in the browser, opened, deleted, taken away as a file, brought back.

They are in the browser's own storage, where they survive the session and the server. The session has a copy,
so that nothing is lost where the browser keeps nothing. A change is made to both: to the copy at once, in the
browser by a small component that is told what to change and reports what the browser holds. Windows of one
browser share its storage, so the component changes single entries, never the list.
"""

import json
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import streamlit as st

from pages.ui import show
from pages.ui.session import lab
from pages.ui.widgets import text
from rtp.scenario import MAX_JSON_BYTES, ScenarioError
from rtp.scenario.share import Named, from_library, to_library

KEY = "rtp-privacy-lab.scenarios"  # in the browser
UPLOAD = "upload:saved"
NOT_KEPT = (
    "This browser stores nothing for the lab (a private window, or storage is blocked). What you save is "
    "lost when the page is closed: download it as a file."
)

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


class Report(NamedTuple):
    """What the browser said."""

    held: dict[str, str] | None  # by name; None: the browser keeps nothing
    turn: int  # of the changes that were made


@dataclass
class Saved:
    """Mutable; one per session."""

    texts: dict[str, str] = field(default_factory=dict)  # the copy, by name
    changes: list[tuple[str, str | None]] = field(default_factory=list)  # not yet confirmed; None: delete
    turn: int = 0  # the number of the last change
    report: Report | None = None  # the last one
    name: str = ""  # as typed
    asked: str = ""  # the taken name that the user is asked about
    problem: str = ""  # to be said once

    def change(self, name: str, content: str | None) -> None:
        """Save under a name; None deletes."""
        self.texts.pop(name, None)
        if content is not None:
            self.texts[name] = content
        self.turn += 1
        self.changes.append((name, content))

    def hear(self, report: Report) -> None:
        """The browser's word counts where it knows of every change."""
        if report == self.report:
            return
        self.report = report
        if report.held is not None and report.turn == (self.turn if self.changes else 0):
            self.texts, self.changes = report.held, []

    def type(self, name: str) -> None:
        self.name = name.strip()

    def ask_or_save(self) -> None:
        if self.name in self.texts:
            self.asked = self.name
        else:
            self.overwrite()

    def overwrite(self) -> None:
        self.asked = ""
        try:
            named = Named(name=self.name, preset=lab().preset, scenario=lab().scenario)
        except ScenarioError as error:
            self.problem = str(error)
        else:
            self.change(named.name, named.to_text())
            self.name = ""

    def keep_old(self) -> None:
        self.asked = ""

    def load(self, file: str, content: bytes) -> None:
        """Save what a file holds; a name that is taken by another scenario is left alone, and said."""
        try:
            several = from_library(content)
        except ScenarioError as error:
            self.problem = f"{file} was not loaded: {error}"
            return
        taken = [each.name for each in several if self.texts.get(each.name, each.to_text()) != each.to_text()]
        for each in several:
            if each.name not in taken:
                self.change(each.name, each.to_text())
        if taken:
            names = ", ".join(f"“{name}”" for name in taken)
            self.problem = f"Another scenario is saved as {names}: delete it first, then load again."

    def readable(self) -> dict[str, Named]:
        """By name; what cannot be read is said in the dialog."""
        scenarios = {}
        for name, content in self.texts.items():
            try:
                scenarios[name] = Named.from_text(content)
            except ScenarioError:
                continue
        return scenarios


def _saved() -> Saved:
    held: Saved = lab().memo.setdefault("saved", Saved())
    return held


def _mount(place: str) -> None:
    """Let the browser make the changes that are due and say what it holds; one such place on a screen."""
    here = _saved()
    said = _component(
        key=f"saved:report:{place}",
        data={"key": KEY, "turn": here.turn if here.changes else 0, "changes": here.changes},
        on_report_change=_ignore,
        height=1,
    ).get("report")
    if said is not None:
        here.hear(_read(said))


def _ignore() -> None:
    """A report is read where the component is mounted."""


def _read(said: object) -> Report:
    """What the browser said; nonsense is as good as nothing."""
    try:
        report = json.loads(str(said))
        held = {str(name): content for name, content in report["held"].items() if isinstance(content, str)}
        return Report(held, int(report["turn"]))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return Report(None, 0)


@st.dialog("Saved scenarios", icon=":material/bookmarks:")
def dialog() -> None:
    _mount("dialog")
    here = _saved()
    st.markdown("Kept under a name in this browser, on this machine only.")
    if here.report is not None and here.report.held is None:
        st.warning(NOT_KEPT, icon=":material/cloud_off:")
    _save(here)
    if here.problem:
        st.error(here.problem, icon=":material/error:")
        here.problem = ""
    for name, content in list(here.texts.items()):
        _line(here, name, content)
    _files(here)


def _save(here: Saved) -> None:
    text(here.name, here.type, key="saved name", label="Name for the scenario in use")
    if here.asked and here.asked == here.name:
        st.warning(f"There is a scenario saved as “{here.asked}”.")
        with st.container(horizontal=True):
            st.button("Overwrite it", key="saved:overwrite", icon=":material/save:", on_click=here.overwrite)
            st.button("Keep the old one", key="saved:keep", on_click=here.keep_old)
    else:
        st.button("Save", key="saved:save", icon=":material/bookmark_add:", on_click=here.ask_or_save)


def _line(here: Saved, name: str, content: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        try:
            saved = Named.from_text(content)
        except ScenarioError as error:
            st.caption(f"**{show.escaped(name)}** cannot be read: {error}", width="stretch")
        else:
            st.markdown(f"**{show.escaped(name)}**", width="stretch")
            if st.button("Open", key=f"saved:open:{name}", on_click=_open, args=(saved,)):
                st.rerun()  # closes the dialog
        st.button(
            "Delete",
            key=f"saved:delete:{name}",
            icon=":material/delete:",
            on_click=here.change,
            args=(name, None),
            help=f"Delete “{show.escaped(name)}” from this browser",
        )


def _open(saved: Named) -> None:
    lab().open(saved.scenario, saved.preset)


def _files(here: Saved) -> None:
    """All of them as one file, and such a file back."""
    readable = list(here.readable().values())
    show.download(
        "Download all",
        partial(to_library, readable),
        "scenarios.json",
        "application/json",
        "download",
        disabled=not readable,
    )
    st.file_uploader(
        "Upload such a file",
        type="json",
        key=UPLOAD,
        on_change=_load,
        max_upload_size=show.upload_limit(MAX_JSON_BYTES),
    )


def _load() -> None:
    if (file := st.session_state[UPLOAD]) is not None:
        _saved().load(file.name, file.getvalue())


def offer() -> None:
    """On the plain address: what this browser has saved. Elsewhere its place: what moves up is made anew."""
    if lab().link():
        st.empty()
        return
    with st.container():
        _mount("offer")
        if saved := _saved().readable():
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.caption("Saved in this browser:", width="content")
                for name, each in saved.items():
                    st.button(
                        show.escaped(name),
                        key=f"saved:offer:{name}",
                        icon=":material/bookmark:",
                        on_click=_open,
                        args=(each,),
                    )
