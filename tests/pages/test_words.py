"""The version at the foot, the page's title."""

import pytest
import streamlit

from rtp.version import VERSION
from tests.help.app import glance, opened


def test_the_version_stands_once_at_the_foot_of_the_sidebar() -> None:
    captions = [caption.value for caption in glance("Explore").caption if VERSION in caption.value]
    assert captions == [f"RTP Privacy Lab {VERSION}"]
    assert glance("Explore").sidebar.caption[-1].value == captions[0]


def test_the_browser_is_told_the_title_and_to_use_the_whole_width(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[dict[str, str]] = []
    monkeypatch.setattr(streamlit, "set_page_config", lambda **config: told.append(config))
    opened("Households")
    assert told == [{"page_title": "Households · RTP Privacy Lab", "page_icon": "⚡", "layout": "wide"}]
