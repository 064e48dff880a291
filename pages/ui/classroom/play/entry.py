"""The way into a room: open one, enter its code, join; and who sees what of it, by the address.

An address with a host's or a player's key is that person's own, so that a reload, a phone that slept and
another machine come back to the same place. The beamer's has no key, and the address to join only the code: a
phone that has a house already is known by its mark, and is led there.
"""

from pathlib import Path

import streamlit as st

from pages.ui.classroom.play import beamer, host, player
from pages.ui.classroom.play.ways import (
    HOST,
    PLAYER,
    ROOM,
    VIEW,
    attempt,
    button,
    go_in,
    leave,
    local_only,
    phone_mark,
    rooms,
    show_refusal,
    visitor_address,
)
from pages.ui.lab import Lab
from pages.ui.session import lab, send
from pages.ui.show import lazy_expander, upload
from pages.ui.widgets import text
from rtp.play import Round
from rtp.play.limits import CLOSED, RoomError
from rtp.play.room import Room
from rtp.scenario import MAX_JSON_BYTES
from rtp.teaching.plan import PLAY_MINUTES

SAVED, UPLOAD = "Open a saved round", "upload:round"
CSS = (Path(__file__).parent / "play.css").read_text(encoding="utf-8")


def in_a_room(here: Lab) -> bool:
    """Whether an address leads into a room: then neither menu nor settings of the lab are in the way."""
    return here.chosen(ROOM) is not None


def draw() -> None:
    """What the address says: the way in, or a room."""
    st.html(f"<style>{CSS}</style>")
    here = lab()
    code, host_key, player_key = (here.chosen(name) for name in (ROOM, HOST, PLAYER))
    if code is None:
        _start()
        return
    try:
        _room(_entered(code, host_key or player_key), host_key, player_key)
    except RoomError as error:
        show_refusal(error)
        button("Another room", "leave", leave)


def _entered(code: str, key: str | None) -> Room:
    """The room of an address; to who has a key of it, it was open once."""
    try:
        return rooms().enter(code, visitor_address(), key)
    except RoomError:
        if key:
            raise RoomError(CLOSED) from None
        raise


def _room(room: Room, host_key: str | None, player_key: str | None) -> None:
    """The beamer's view of a room, the host's, a player's, or the way to become one."""
    if lab().chosen(VIEW):
        beamer.draw(room.code)
    elif host_key is not None:
        room.check_host(host_key)
        host.draw(room.code, host_key)
    else:
        mark = phone_mark()
        if (own := _own_key(room, player_key, mark)) is not None:
            lab().show(PLAYER, own)
            send()
            room.place(own)
            player.draw(room.code, own)
        else:
            _way_in(room, mark)


def _own_key(room: Room, key: str | None, mark: str) -> str | None:
    """The key of this phone's house: of the address, or of the house that it had before."""
    known = room.key_of(mark)
    if key is None or (known is not None and not room.knows(key)):
        return known
    return room.recognise(key, mark)


def _way_in(room: Room, mark: str) -> None:
    st.title(f"Room {room.code}", anchor=False)
    st.markdown("You will be a house in a street. No name is asked for.")
    button("Join", "join", _join, room, mark, icon="login", strong=True, wide=True)


def _join(room: Room, mark: str) -> None:
    lab().show(PLAYER, room.join(visitor_address(), mark))


def _start() -> None:
    """Students first: on a phone theirs stands on top."""
    left, right = st.columns(2, gap="large")
    with left, st.container(border=True):
        st.header("For students", anchor=False)
        st.markdown("Scan the code on the beamer, or type its four letters.")
        text("", _type, key="play:code", label="Code of the room")
        button("Enter", "enter", lambda: None, icon="login")  # what was typed is saved before
    with right, st.container(border=True):
        st.header("For the teacher", anchor=False)
        st.markdown(
            "Each student is a house. Everybody reads the rates of a street: who is at home? Then another "
            f"round, with privacy. {PLAY_MINUTES} minutes."
        )
        button("Open a room", "open", _open, icon="meeting_room", strong=True)
        local_only()
        lazy_expander(SAVED, _saved, ":material/history:")


def _type(typed: str) -> None:
    if typed.strip():
        attempt(lambda: go_in(rooms().enter(typed, visitor_address()).code))


def _open(saved: Round | None = None) -> None:
    code, key = rooms().open(saved, visitor_address())
    go_in(code)
    lab().show(HOST, key)


def _saved() -> None:
    upload("A round that was saved (JSON, at most 1 MB)", "json", UPLOAD, MAX_JSON_BYTES, _load)


def _load(name: str, content: bytes) -> None:
    attempt(lambda: _open(Round.from_json(content)))
