"""The whole address to share: to copy, as a QR code, and the one that other machines can use."""

from ipaddress import ip_address
from urllib.parse import urlencode, urlsplit, urlunsplit

import segno
import streamlit as st

from pages.ui.screens import ROOT
from pages.ui.session import lab
from rtp.scenario.share import MAX_LINK_LENGTH

AT_HOME = "http://localhost:8501/"  # where no browser says where it is
OPEN_IT = "make class" if (ROOT / "Makefile").exists() else "rtp app --class"
STYLE = "display:block;width:100%;max-width:20rem;margin:auto;image-rendering:pixelated"
DARK, LIGHT = "#000000", "#ffffff"  # a reader needs the contrast in either theme


def for_others(url: str) -> str | None:
    """The address with which other machines open the same, as it tells a class; None where none can."""
    parts, host = urlsplit(url), str(st.get_option("browser.serverAddress"))
    if not _only_here(parts.hostname or ""):
        return url  # it came from another machine, or under a name
    if _only_here(host):
        return None
    return urlunsplit(parts._replace(netloc=f"{host}:{st.get_option('browser.serverPort')}"))


def _only_here(host: str) -> bool:
    """Whether a name or number means the machine itself."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host in ("", "localhost")


@st.dialog("Share this view", icon=":material/share:")
def dialog() -> None:
    query = urlencode(lab().shared_link())
    page = urlsplit(st.context.url or AT_HOME)
    own = urlunsplit(page._replace(path=page.path or "/", query=query))
    others = for_others(own)
    st.markdown("Whoever opens this address sees what you see.")
    if others not in (own, None):
        st.markdown("**For others in your network**")
        st.code(others, language=None, wrap_lines=True)
        st.markdown("**On this machine**")
    st.code(own, language=None, wrap_lines=True)
    if others is None:
        st.info(
            "It opens on this machine only. To let phones and others in your network open it, start the lab "
            f"with `{OPEN_IT}`: then a QR code stands here.",
            icon=":material/lan:",
        )
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
