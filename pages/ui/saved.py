"""Saved scenarios: kept under a name in the browser, opened, deleted, taken away as a file, brought back."""

from functools import partial

import streamlit as st

from pages.ui import address, show, state, storage, view
from pages.ui.fields import text
from pages.ui.once import take
from rtp.scenario import MAX_JSON_BYTES, ScenarioError
from rtp.scenario.share import Named, from_library, to_library

NAME, ASK, PROBLEM, UPLOAD = "saved:name", "saved:ask", "saved:problem", "upload:saved"
NOT_KEPT = (
    "This browser keeps nothing for the lab (a private window, or storage is blocked): what you save is here "
    "until the page is closed. Take it away as a file."
)


@st.dialog("Saved scenarios", icon=":material/bookmarks:")
def dialog() -> None:
    storage.mount("dialog")
    st.markdown("Kept under a name in this browser, on this machine: here tomorrow, and nowhere else.")
    if storage.unavailable():
        st.warning(NOT_KEPT, icon=":material/cloud_off:")
    _save()
    if problem := take(PROBLEM):
        st.error(problem, icon=":material/error:")
    for name, its in storage.texts().items():
        _line(name, its)
    _files()


def _save() -> None:
    name = view.fact(NAME, "")
    text(name.value, name.commit, key="saved name", label="Name for the scenario in use")
    asked = st.session_state.get(ASK)
    if asked and asked == name.value:
        st.warning(f"There is a scenario saved as “{asked}”.")
        with st.container(horizontal=True):
            st.button("Overwrite it", key="saved:overwrite", icon=":material/save:", on_click=_overwrite)
            st.button("Keep the old one", key="saved:keep", on_click=_forget_question)
    else:
        st.button("Save", key="saved:save", icon=":material/bookmark_add:", on_click=_ask_or_save)


def _ask_or_save() -> None:
    name = view.fact(NAME, "").value
    if name in storage.texts():
        st.session_state[ASK] = name
    else:
        _overwrite()


def _overwrite() -> None:
    _forget_question()
    try:
        name = view.fact(NAME, "").value.strip()
        storage.save(Named(name=name, preset=state.preset(), scenario=state.current()))
        view.put(NAME, "")
    except ScenarioError as error:
        st.session_state[PROBLEM] = str(error)


def _forget_question() -> None:
    take(ASK)


def _line(name: str, its: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        try:
            saved = Named.from_text(its)
        except ScenarioError as error:
            st.caption(f"**{name}** cannot be read: {error}", width="stretch")
        else:
            st.markdown(f"**{name}**", width="stretch")
            if st.button("Open", key=f"saved:open:{name}", on_click=_open, args=(saved,)):
                st.rerun()  # closes the dialog
        st.button(
            "Delete",
            key=f"saved:delete:{name}",
            icon=":material/delete:",
            on_click=storage.delete,
            args=(name,),
            help=f"Delete “{name}” from this browser",
        )


def _open(saved: Named) -> None:
    state.replace(saved.scenario, saved.preset)


def _files() -> None:
    """All of them as one file, and such a file back."""
    readable = []
    for its in storage.texts().values():
        try:
            readable.append(Named.from_text(its))
        except ScenarioError:
            continue  # it is said in its line
    show.download(
        "All as a file",
        partial(to_library, readable),
        "scenarios.json",
        "application/json",
        "download",
        disabled=not readable,
    )
    st.file_uploader(
        "Bring such a file back",
        type="json",
        key=UPLOAD,
        on_change=_load,
        max_upload_size=MAX_JSON_BYTES // 1_000_000,
    )


def _load() -> None:
    """Save what the file holds; a name that is taken by another scenario is left alone, and said."""
    if (file := st.session_state[UPLOAD]) is None:
        return
    try:
        found = from_library(file.getvalue())
    except ScenarioError as error:
        st.session_state[PROBLEM] = f"{file.name} was not loaded: {error}"
        return
    taken = [each.name for each in found if storage.texts().get(each.name, each.to_text()) != each.to_text()]
    for each in found:
        if each.name not in taken:
            storage.save(each)
    if taken:
        names = ", ".join(f"“{name}”" for name in taken)
        st.session_state[PROBLEM] = f"Another scenario is saved as {names}: delete it first, then load again."


def offer() -> None:
    """On the plain address: what this browser has saved. Elsewhere its place: what moves up is made anew."""
    if address.here():
        st.empty()
        return
    with st.container():
        storage.mount("offer")
        _offered()


def _offered() -> None:
    saved = {}
    for name, its in storage.texts().items():
        try:
            saved[name] = Named.from_text(its)
        except ScenarioError:
            continue  # it is said in the dialog
    if saved:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption("Saved in this browser:", width="content")
            for name, each in saved.items():
                st.button(
                    name,
                    key=f"saved:offer:{name}",
                    icon=":material/bookmark:",
                    on_click=_open,
                    args=(each,),
                )
