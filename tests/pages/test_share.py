"""Sharing a view, and the address that others can use."""

from urllib.parse import parse_qsl, urlsplit

import pytest
import segno
from streamlit.testing.v1 import AppTest

from pages.ui import share
from pages.ui.share import own_address, reachable
from tests.help.app import lab_of, link_of, opened, press

FRONT = {"browser.serverAddress": "0.0.0.0", "browser.serverPort": 8600}
LOCAL = "http://localhost:8501/Attacker?epsilon=0.1"


@pytest.mark.parametrize(
    ("url", "listens", "own", "wanted"),
    [
        (LOCAL, "localhost", "192.168.1.7", None),
        (LOCAL, "127.0.0.1", "192.168.1.7", None),
        (LOCAL, "::1", "192.168.1.7", None),
        (LOCAL, "", "192.168.1.7", "http://192.168.1.7:8600/Attacker?epsilon=0.1"),
        (LOCAL, "0.0.0.0", "192.168.1.7", "http://192.168.1.7:8600/Attacker?epsilon=0.1"),
        (LOCAL, "0.0.0.0", "127.0.0.1", None),  # a machine without a network
        (LOCAL, "0.0.0.0", None, None),
        (LOCAL, "fd00::7", "192.168.1.7", "http://[fd00::7]:8600/Attacker?epsilon=0.1"),
        ("https://lab.example/Paper", "localhost", None, "https://lab.example/Paper"),
        ("http://192.168.1.7:8501/", "0.0.0.0", "192.168.1.7", "http://192.168.1.7:8501/"),
    ],
)
def test_others_are_given_an_address_only_where_it_reaches_them(
    url: str, listens: str, own: str | None, wanted: str | None
) -> None:
    assert reachable(url, listens, 8600, own) == wanted


@pytest.mark.parametrize(("front", "wanted"), [({}, None), (FRONT, "http://192.168.1.7:8600/")])
def test_behind_a_front_others_are_given_the_address_of_the_front(
    front: dict[str, object], wanted: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"server.address": "127.0.0.1", "server.port": 45001, "browser.serverPort": 45001} | front
    monkeypatch.setattr("streamlit.get_option", options.__getitem__)
    monkeypatch.setattr("streamlit.config.is_manually_set", front.__contains__)
    monkeypatch.setattr(share, "own_address", lambda: "192.168.1.7")
    assert share.for_others("http://localhost:8600/") == wanted


def test_the_machines_own_address_is_one_or_none(monkeypatch: pytest.MonkeyPatch) -> None:
    own = own_address()
    assert own is None or own.count(".") == 3
    monkeypatch.setattr(share, "ELSEWHERE", ("256.0.0.1", 9))
    assert own_address() is None


def shared(app: AppTest) -> AppTest:
    press(app, "Share")
    assert not app.exception
    return app


def code_in(app: AppTest) -> str:
    """The picture of the QR code, if there is one."""
    return next((h.proto.body for h in app.get("html") if "QR code" in h.proto.body), "")


def test_the_whole_address_is_shown_and_how_to_let_others_in() -> None:
    app = shared(opened("Attacker", households="20", knows="others"))
    (own,) = (urlsplit(code.value) for code in app.code)
    assert dict(parse_qsl(own.query)) == {"households": "20", "knows": "others"}
    (told,) = app.info
    assert share.OPEN_IT in told.value
    assert not code_in(app), "no phone could open it"


def test_a_changed_stop_is_shared_as_it_is_seen() -> None:
    app = opened(story="4", epsilon="0.3", present="true")
    assert lab_of(app).shared_link() == link_of(app), "as it was set"
    lab_of(app).set("epsilon", 2.0)
    assert lab_of(app).shared_link() == {"epsilon": "2.0", "present": "true"}
    assert lab_of(app).link()["story"] == "4", "the visitor's own tour goes on"


def test_where_the_server_listens_others_are_told_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(share, "for_others", lambda url: url.replace("localhost", "192.168.1.7"))
    app = shared(opened(households="20"))
    others, own = (code.value for code in app.code if code.value.startswith("http"))
    assert others.startswith("http://192.168.1.7:8501/?")
    assert own.startswith("http://localhost:8501/?")
    assert not app.info
    wanted = segno.make(others, micro=False, boost_error=False, error="l")
    assert wanted.svg_data_uri(border=4, dark=share.DARK, light=share.LIGHT) in code_in(app)


def test_what_is_too_long_for_a_code_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(share, "AT_HOME", f"http://lab.example/{'x' * 3000}")
    app = shared(opened(households="20"))
    assert "It is too long for a QR code: copy it instead." in [c.value for c in app.caption]
