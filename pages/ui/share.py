"""The whole address to share: to copy, as a QR code, and the one that other machines can use."""

import socket
from ipaddress import ip_address
from urllib.parse import urlencode, urlsplit, urlunsplit

import segno
import streamlit as st

from pages.ui import compat
from pages.ui.session import lab
from rtp.scenario.share import MAX_LINK_LENGTH

EVERYWHERE = ("", "0.0.0.0", "::")  # of a server that listens on every network of its machine
ELSEWHERE = ("192.0.2.1", 9)  # an address for documentation: nothing is sent there
AT_HOME = "http://localhost:8501/"  # where no browser says where it is
OPEN_IT = "make class"
STYLE = "display:block;width:100%;max-width:20rem;margin:auto;image-rendering:pixelated"
DARK, LIGHT = "#000000", "#ffffff"  # a reader needs the contrast in either theme


def for_others(url: str) -> str | None:
    """The address with which other machines open the same; None where they cannot."""
    front = compat.was_set("browser.serverAddress")  # as `make class` tells it
    listens = str(st.get_option("browser.serverAddress" if front else "server.address") or "")
    return reachable(url, listens, int(st.get_option("browser.serverPort")), own_address())


def reachable(url: str, listens: str, port: int, own: str | None) -> str | None:
    """`listens` is the address that the server was told to listen on, `own` this machine's in its network."""
    parts = urlsplit(url)
    if not _only_here(parts.hostname or ""):
        return url  # it came from another machine, or under a name
    host = own if listens in EVERYWHERE else listens
    if host is None or _only_here(host):
        return None
    named = f"[{host}]" if ":" in host else host
    return urlunsplit(parts._replace(netloc=f"{named}:{port}"))


def _only_here(host: str) -> bool:
    """Whether a name or number means the machine itself."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host in ("", "localhost")


def own_address() -> str | None:
    """This machine's address in its network, by which way it would send, if it has one; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)
        except OSError:
            return None
        address = str(probe.getsockname()[0])
        return None if _only_here(address) else address


@st.dialog("Share this view", icon=":material/share:")
def dialog() -> None:
    query = urlencode(lab().shared_link())
    page = urlsplit(st.context.url or AT_HOME)
    own = urlunsplit(page._replace(path=page.path or "/", query=query))
    others = for_others(own)
    st.markdown("Whoever opens this address sees what you see.")
    if others is None:
        st.code(own, language=None, wrap_lines=True)
        st.info(
            "It opens on this machine only. To let phones and others in your network open it, start the lab "
            f"with `{OPEN_IT}`: then a QR code stands here.",
            icon=":material/lan:",
        )
    elif others != own:
        st.markdown("**For others in your network**")
        st.code(others, language=None, wrap_lines=True)
        st.markdown("**On this machine**")
        st.code(own, language=None, wrap_lines=True)
    else:
        st.code(own, language=None, wrap_lines=True)
    if len(query) > MAX_LINK_LENGTH:
        st.caption(
            f"It has {len(query):,} characters; some mail programs cut what is longer than "
            f"{MAX_LINK_LENGTH:,}."
        )
    if others is not None:
        _code(others)


def _code(text: str) -> None:
    """A QR code, where the text is not too long for one."""
    try:
        drawn = segno.make(text, micro=False, boost_error=False, error="l")
    except segno.DataOverflowError:
        st.caption("It is too long for a QR code: copy it instead.")
        return
    picture = drawn.svg_data_uri(border=4, dark=DARK, light=LIGHT)
    st.html(f'<img alt="QR code of this address" src="{picture}" style="{STYLE}">')
