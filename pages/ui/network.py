"""Under which address others reach this server, if they do."""

import socket
from ipaddress import ip_address
from urllib.parse import urlsplit, urlunsplit

import streamlit as st

from pages.ui import compat

EVERYWHERE = ("", "0.0.0.0", "::")  # of a server that listens on every network of its machine
ELSEWHERE = ("192.0.2.1", 9)  # an address for documentation: nothing is sent there


def for_others(url: str) -> str | None:
    """The address with which other machines open the same; None where they cannot."""
    front = compat.was_set("browser.serverAddress")  # of several servers, as scripts/classroom.py says
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
    """This machine's address in its network, by which way it would send; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)
        except OSError:
            return None
        return str(probe.getsockname()[0])
