"""The dialog of all named scenarios, and the browser's storage, which a small component reads and changes."""

import json
from functools import partial
from itertools import islice

import streamlit as st

from pages.ui import pins, show
from pages.ui.session import lab, press
from pages.ui.widgets import text
from rtp.scenario import MAX_JSON_BYTES, ScenarioError
from rtp.scenario.share import MAX_SAVED, Named, to_library

KEY = "rtp-privacy-lab.scenarios"  # in the browser
MAX_REPORT = 6_000_000  # characters: a browser keeps some five million for a site
NAME, UPLOAD = "saved:name", "upload:saved"

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
    const due = Object.entries(data.due);
    let held = null;
    try {
        held = object(window.localStorage.getItem(data.key));
        for (const [name, text] of due) {
            if (text === null) delete held[name];
            else held[name] = text;
        }
        if (due.length) window.localStorage.setItem(data.key, JSON.stringify(held));
    } catch {
        held = null;
    }
    const report = JSON.stringify(held);
    if (report !== (reported.get(parentElement) ?? (due.length ? '' : '{}'))) {
        reported.set(parentElement, report);
        setStateValue('report', report);
    }
}
"""

_component = st.components.v2.component("rtp_storage", js=SCRIPT)


def _mount(place: str) -> None:
    """Let the browser make the changes that are due and say what it holds; one such place on a screen."""
    said = _component(
        key=f"saved:report:{place}",
        data={"key": KEY, "due": lab().named.due},
        on_report_change=lambda: None,  # a report is read here
        height=1,
    ).get("report")
    if said is not None:
        lab().named.hear(_read(said))


def _read(report: object) -> dict[str, str] | None:
    """What the browser holds; None where it keeps nothing, or says what nobody understands."""
    try:
        held = json.loads(report) if isinstance(report, str) and len(report) <= MAX_REPORT else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(held, dict):
        return None
    return {name: text for name, text in islice(held.items(), MAX_SAVED) if isinstance(text, str)}


@st.dialog("Saved scenarios", icon=":material/bookmarks:")
def dialog() -> None:
    _mount("dialog")
    named = lab().named
    st.markdown("Kept under a name in this browser, on this machine only; those pinned in the address.")
    if not named.kept:
        st.warning(
            "This browser stores nothing for the lab (a private window, or storage is blocked). What you "
            "save is lost when the page is closed: download it as a file.",
            icon=":material/cloud_off:",
        )
    text(_draft(), _keep_draft, key=NAME, label="Name for the scenario in use")
    st.button("Save", key="saved:save", icon=":material/bookmark_add:", on_click=press, args=(_save,))
    if message := lab().pop_message():
        st.error(message, icon=":material/error:")
    for line in named.lines():
        with st.container(horizontal=True, vertical_alignment="center", gap="xxsmall"):
            name = f"**{show.escaped(line.name)}**"
            if line.slot:
                pins.dot(line.slot)
            if isinstance(line.named, ScenarioError):
                st.caption(f"{name} cannot be read: {line.named}", width="stretch")
            else:
                st.markdown(name, width="stretch")
            if pins.actions(line, "saved"):
                st.rerun()  # closes the dialog
    readable = named.readable()
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


def _draft() -> str:
    """The name that is being typed."""
    return str(lab().memo.get(NAME, ""))


def _keep_draft(name: str) -> None:
    lab().memo[NAME] = name


def _save() -> None:
    lab().attempt(_save_as, _draft().strip())


def _save_as(name: str) -> None:
    lab().named.save(Named(name=name, preset=lab().preset, scenario=lab().scenario))
    _keep_draft("")


def _load() -> None:
    if (file := st.session_state[UPLOAD]) is not None:
        lab().attempt(lab().named.load, file.name, file.getvalue())


def offer() -> None:
    """On the plain address: what this browser has saved. Elsewhere its place: what moves up is made anew."""
    if lab().link():
        st.empty()
        return
    with st.container():
        _mount("offer")
        if named := lab().named.readable():
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.caption("Saved in this browser:", width="content")
                for each in named:
                    st.button(
                        show.escaped(each.name),
                        key=f"saved:offer:{each.name}",
                        icon=":material/bookmark:",
                        on_click=lab().open,
                        args=(each.scenario, each.preset),
                    )
