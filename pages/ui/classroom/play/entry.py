"""The way into a room: open one, enter its code, join; and who sees what of it, by the address.

An address with a host's or a player's key is that person's own, so that a reload, a phone that slept and
another machine come back to the same place. The beamer's has no key, and the address to join only the code.
"""

from functools import partial

import streamlit as st

from pages.ui.classroom.play import beamer, host, player
from pages.ui.classroom.play.rooms import CLOSED, Room, RoomError
from pages.ui.classroom.play.ways import (
    HOST,
    PLAYER,
    ROOM,
    VIEW,
    attempt,
    go_in,
    leave,
    local_only,
    rooms,
    styles,
    visitor_address,
)
from pages.ui.lab import Lab
from pages.ui.session import lab, press
from pages.ui.show import lazy_expander, upload
from pages.ui.widgets import text
from rtp.core.formatting import in_markdown
from rtp.play import Round
from rtp.scenario import MAX_JSON_BYTES

SAVED, UPLOAD = "Open a saved round", "upload:round"


def in_a_room(here: Lab) -> bool:
    """Whether an address leads into a room: then neither menu nor settings of the lab are in the way."""
    return here.chosen(ROOM) is not None


def draw() -> None:
    """What the address says: the way in, the host's view, a player's, or the beamer's."""
    styles()
    here = lab()
    code, host_key, player_key = (here.chosen(name) for name in (ROOM, HOST, PLAYER))
    if code is None:
        _start()
        return
    try:
        room = rooms().enter(code, visitor_address(), host_key or player_key)
    except RoomError as error:
        _refused(CLOSED if host_key or player_key else str(error))
        return
    try:
        if here.chosen(VIEW):
            beamer.draw(code)
        elif host_key is not None:
            room.check_host(host_key)
            host.draw(code, host_key)
        elif player_key is not None:
            room.place(player_key)
            player.draw(code, player_key)
        else:
            _join(room)
    except RoomError as error:
        _refused(str(error))


def _start() -> None:
    """Students first: on a phone theirs stands on top."""
    left, right = st.columns(2, gap="large")
    with left, st.container(border=True):
        st.subheader("For students", anchor=False)
        st.markdown("Scan the code on the beamer, or type its four letters.")
        text("", _enter, key="play:code", label="Code of the room")
        st.button("Enter", icon=":material/login:")
    with right, st.container(border=True):
        st.subheader("For the teacher", anchor=False)
        st.markdown(
            "Each student is a house. Everybody reads the rates of a street: who is at home? Then the same "
            "hours again, with privacy. Ten minutes."
        )
        st.button(
            "Open a room",
            key="play:open",
            type="primary",
            icon=":material/meeting_room:",
            on_click=press,
            args=(attempt, _open),
        )
        local_only()
        lazy_expander(SAVED, _saved, ":material/history:")


def _open(saved: Round | None = None) -> None:
    code, key = rooms().open(saved, visitor_address())
    go_in(code)
    lab().show(HOST, key)


def _saved() -> None:
    upload("A round that was saved (JSON, at most 1 MB)", "json", UPLOAD, MAX_JSON_BYTES, _load)


def _load(name: str, content: bytes) -> None:
    attempt(lambda: _open(Round.from_json(content)))


def _enter(typed: str) -> None:
    if typed.strip():
        attempt(_entered, typed)


def _entered(typed: str) -> None:
    go_in(rooms().enter(typed, visitor_address()).code)


def _join(room: Room) -> None:
    st.title(f"Room {room.code}", anchor=False)
    st.markdown("You will be a house in a street. No name is asked for.")
    st.button(
        "Join",
        key="play:join",
        type="primary",
        icon=":material/login:",
        width="stretch",
        on_click=press,
        args=(attempt, partial(_joined, room)),
    )


def _joined(room: Room) -> None:
    lab().show(PLAYER, room.join(visitor_address()))


def _refused(sentence: str) -> None:
    st.info(in_markdown(sentence), icon=":material/meeting_room:")
    st.button("Another room", key="play:leave", on_click=press, args=(leave,))
