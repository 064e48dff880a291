"""What the views of a room share: their addresses and buttons, how they are drawn."""

import os
from collections.abc import Callable
from functools import lru_cache
from urllib.parse import urlencode, urlsplit, urlunsplit

import segno
import streamlit as st

from pages.ui import browser, session
from pages.ui.params import LANGUAGE
from pages.ui.rooms import HOST, PLAYER, ROOM, VIEW, rooms
from pages.ui.screens import PLAY
from pages.ui.session import fragment, lab
from pages.ui.share import AT_HOME, DARK, LIGHT, OPEN_IT, for_others
from rtp.core.formatting import in_markdown
from rtp.core.language import SOURCE, say, speaking
from rtp.play.limits import HERE, MAX_ROOMS, RoomError
from rtp.play.room import Room
from rtp.scenario import ScenarioError

TABS = "class:tab"
MARK = "rtp:phone"  # under which the browser keeps its own
PROXY = "proxy"  # the address of all who come through one on this machine that is not trusted
_HEARD = "play:heard"  # the language of the room that this session was in last
_LOOK = 1.0  # seconds between two looks


def visitor_address() -> str:
    """Where a visitor comes from, as far as rooms count visitors: on this machine "". Of the long addresses
    (IPv6) a household has very many, which begin alike. Behind a proxy all have its own, unless the proxy is
    trusted to say theirs (RTP_PROXY=1)."""
    said = st.context.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip()
    trusted = said if os.environ.get("RTP_PROXY") else ""
    known = trusted or st.context.ip_address or (PROXY if said else HERE)
    return ":".join(known.split(":")[:4])


def phone_mark() -> str:
    """The mark by which a room knows this browser; "" where it has not said it, or keeps none."""
    told = browser.phone(key="play:phone", data={"key": MARK}, on_mark_change=lambda: None, height=1)
    said = told.get("mark")
    return said if isinstance(said, str) else ""


def spoken() -> str:
    """The language of this view: that of its own address, else of its room."""
    heard: str = lab().extras.get(_HEARD, SOURCE)
    return lab().setting(LANGUAGE, heard)


def hear(room: Room) -> None:
    """Remember the language of a room: also that it is closed is said in it."""
    lab().extras[_HEARD] = room.language


def attempt(act: Callable[..., None], *args: object) -> None:
    """Do it, or say in one sentence why not."""
    try:
        act(*args)
    except (RoomError, ScenarioError) as error:
        with speaking(spoken()):
            lab().refused = str(error)


def button(
    label: str,
    name: str,
    act: Callable[..., None],
    *args: object,
    icon: str = "",
    strong: bool = False,
    wide: bool = False,
    off: bool = False,
    help: str | None = None,
) -> None:
    """A button of a room: it does something, or says why not."""
    look = {"type": "primary" if strong else "secondary", "width": "stretch" if wide else "content"}
    session.button(label, f"play:{name}", icon, attempt, act, *args, off=off, help=help, **look)


def go_in(code: str) -> None:
    """Into a room, in this session: its address says no tab, for it shows none."""
    lab().show(TABS, None)
    lab().show(ROOM, code)


def leave() -> None:
    """Out of the room, to where rooms are opened."""
    for name in (ROOM, HOST, PLAYER, VIEW):
        lab().show(name, None)
    lab().extras.pop(_HEARD, None)
    lab().show(TABS, PLAY)


def show_refusal(error: RoomError) -> None:
    """In place of the room."""
    st.info(in_markdown(str(error)), icon=":material/meeting_room:")


def looking(code: str, draw: Callable[[Room], None]) -> None:
    """Draw a view of a room again and again; one that ends in a refusal says why and stays."""

    def again() -> None:
        try:
            room = rooms().room(code)
            hear(room)
            with speaking(spoken()):
                draw(room)
        except RoomError as error:
            with speaking(spoken()):
                show_refusal(error)
        if message := lab().pop_message():
            st.toast(in_markdown(message), icon=":material/error:")

    fragment(again, _LOOK)


def address(code: str, **more: str) -> str:
    """Of the Play room on this machine, with the code of a room; a key is never among the rest."""
    page = urlsplit(st.context.url or AT_HOME)
    path = f"{page.path.rpartition('/')[0]}/Play"
    return urlunsplit(page._replace(path=path, query=urlencode({"room": code} | more), fragment=""))


def how_to_join(code: str) -> None:
    """The code of a room and the QR code of its address: for others where they can reach it, else for this
    machine."""
    own = address(code)
    link = for_others(own) or own
    drawn = _qr(link, say("QR code of the address to join"))
    st.html(f'<div class="play-join">{drawn}<b>{code}</b><span>{link}</span></div>')


@lru_cache(maxsize=MAX_ROOMS)
def _qr(text: str, alt: str) -> str:
    """A QR code, as HTML; kept, because it takes longer to make than all else that a look is sent."""
    drawn = segno.make(text, micro=False)
    picture = drawn.svg_data_uri(border=2, dark=DARK, light=LIGHT)
    return f'<img class="play-qr" alt="{alt}" src="{picture}">'


def local_only() -> None:
    """Where only this machine can join: how everybody can."""
    if for_others(address("")) is None:
        st.info(
            say(
                "Only this machine can join now. Start the lab with `{command}`, and your whole network can.",
                command=OPEN_IT,
            ),
            icon=":material/lan:",
        )
