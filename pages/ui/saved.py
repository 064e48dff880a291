"""The dialog of all named scenarios, and the browser's storage, which a small component reads and changes."""

import json
from functools import partial
from itertools import islice

import streamlit as st

from pages.ui import pins, show
from pages.ui.session import button, lab
from pages.ui.widgets import text
from rtp.core.formatting import in_markdown, shown_name
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
    here, named = lab(), lab().named
    st.markdown("Kept under a name in this browser, on this machine only; those pinned in the address.")
    if not named.kept:
        st.warning(
            "This browser stores nothing for the lab (a private window, or storage is blocked). What you "
            "save is lost when the page is closed: download it as a file.",
            icon=":material/cloud_off:",
        )
    keep_draft = partial(here.memo.__setitem__, NAME)
    text(here.memo.get(NAME, ""), keep_draft, key=NAME, label="Name for the scenario in use")
    button("Save", "saved:save", "bookmark_add", here.attempt, _save)
    if message := here.pop_message():
        st.error(in_markdown(message), icon=":material/error:")
    for line in named.lines():
        with st.container(horizontal=True, vertical_alignment="center", gap="xxsmall"):
            name = f"**{in_markdown(shown_name(line.name))}**"
            if line.slot:
                pins.dot(line.slot)
            if isinstance(line.named, ScenarioError):
                st.caption(f"{name} cannot be read: {in_markdown(str(line.named))}", width="stretch")
            else:
                st.markdown(name, width="stretch")
            if pins.actions(line, "saved"):
                st.rerun()  # closes the dialog
    readable = named.readable()
    make, kind = partial(to_library, readable), "application/json"
    show.download("Download all", make, "scenarios.json", kind, "download", disabled=not readable)
    show.upload("Upload such a file", "json", UPLOAD, MAX_JSON_BYTES, partial(here.attempt, named.load))


def _save() -> None:
    """Under the name that was typed."""
    here = lab()
    name = here.memo.get(NAME, "").strip()
    here.named.save(Named(name=name, preset=here.preset, scenario=here.scenario))
    here.memo[NAME] = ""


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
                    name, key = in_markdown(shown_name(each.name)), f"saved:offer:{each.name}"
                    button(name, key, "bookmark", lab().open, each.scenario, each.preset)
