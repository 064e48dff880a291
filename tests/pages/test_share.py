"""Sharing a view, and the address that others can use."""

from urllib.parse import parse_qsl, urlsplit

import pytest
import segno

from pages.ui import share
from tests.help.app import lab_of, link_of, opened, press

FRONT = {"browser.serverAddress": "0.0.0.0", "browser.serverPort": 8600}
LOCAL = "http://localhost:8501/Attacker?epsilon=0.1"


@pytest.mark.parametrize(
    ("url", "listens", "own", "wanted"),
    [
        (LOCAL, "127.0.0.1", "192.168.1.7", None),
        (LOCAL, "::1", "192.168.1.7", None),
        (LOCAL, "", "192.168.1.7", "http://192.168.1.7:8600/Attacker?epsilon=0.1"),
        (LOCAL, "0.0.0.0", "127.0.0.1", None),  # a machine without a network
        (LOCAL, "0.0.0.0", None, None),
        (LOCAL, "fd00::7", "192.168.1.7", "http://[fd00::7]:8600/Attacker?epsilon=0.1"),
        ("https://lab.example/Paper", "localhost", None, "https://lab.example/Paper"),
    ],
)
def test_others_are_given_an_address_only_where_it_reaches_them(
    url: str, listens: str, own: str | None, wanted: str | None
) -> None:
    assert share.reachable(url, listens, 8600, own) == wanted


@pytest.mark.parametrize(("front", "wanted"), [({}, None), (FRONT, "http://192.168.1.7:8600/")])
def test_behind_a_front_others_are_given_the_address_of_the_front(
    front: dict[str, object], wanted: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"server.address": "127.0.0.1", "browser.serverPort": 45001} | front
    monkeypatch.setattr("streamlit.get_option", options.__getitem__)
    monkeypatch.setattr("streamlit.config.is_manually_set", front.__contains__)
    monkeypatch.setattr(share, "own_address", lambda: "192.168.1.7")
    assert share.for_others("http://localhost:8600/") == wanted


def test_the_whole_address_is_shown_and_as_a_code_where_phones_can_open_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = opened("Attacker", households="20", knows="others")
    press(app, "Share")
    (own,) = (code.value for code in app.code)
    assert dict(parse_qsl(urlsplit(own).query)) == {"households": "20", "knows": "others"}
    assert not [html for html in app.get("html") if "QR code" in html.proto.body], "no phone could open it"
    monkeypatch.setattr(share, "for_others", lambda url: url.replace("localhost", "192.168.1.7"))
    press(app, "Share")
    others, again = (code.value for code in app.code)
    assert (others, again) == (own.replace("localhost", "192.168.1.7"), own)
    picture = segno.make(others, micro=False, boost_error=False, error="l").svg_data_uri(
        border=4, dark=share.DARK, light=share.LIGHT
    )
    assert any(picture in html.proto.body for html in app.get("html"))


def test_a_changed_stop_is_shared_as_it_is_seen() -> None:
    app = opened(story="4", epsilon="0.3", present="true")
    assert lab_of(app).shared_link() == link_of(app), "as it was set"
    lab_of(app).set("epsilon", 2.0)
    assert lab_of(app).shared_link() == {"epsilon": "2.0", "present": "true"}
    assert lab_of(app).link()["story"] == "4", "the visitor's own tour goes on"
