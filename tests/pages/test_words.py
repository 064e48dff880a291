"""The sidebar word for word, the menu, the page's title."""

import pytest
import streamlit

from rtp.version import VERSION
from tests.help.app import glance, opened
from tests.help.outline import KEPT, RENEW, sidebar

MENU = [
    ("Explore", ":material/monitoring:", ""),
    ("Households", ":material/home_work:", "Households"),
    ("Algorithm", ":material/function:", "Algorithm"),
    ("Paper", ":material/menu_book:", "Paper"),
    ("Trade-off", ":material/balance:", "Trade-off"),
    ("Answer", ":material/task_alt:", "Answer"),
    ("Attacker", ":material/visibility:", "Attacker"),
    ("Over time", ":material/calendar_month:", "Over_time"),
    ("Your street", ":material/electric_meter:", "Your_street"),
    ("Lesson", ":material/school:", "Lesson"),
    ("Play", ":material/groups:", "Play"),
]


def test_the_sidebar_says_what_it_is_known_to_say() -> None:
    kept = (KEPT / "sidebar.txt").read_text(encoding="utf-8")
    assert sidebar().splitlines() == kept.splitlines(), RENEW


def test_the_version_stands_once_at_the_foot_of_the_sidebar() -> None:
    captions = [caption.value for caption in glance("Explore").caption if VERSION in caption.value]
    assert captions == [f"RTP Privacy Lab {VERSION}"]
    assert glance("Explore").sidebar.caption[-1].value == captions[0]


@pytest.mark.parametrize("page", ["Explore", "Paper"])
def test_the_menu_leads_to_every_screen_from_every_screen(page: str) -> None:
    links = [element.proto for element in glance(page).sidebar.get("page_link")]
    assert [(link.label, link.icon, link.page) for link in links] == MENU


def test_the_browser_is_told_the_title_and_to_use_the_whole_width(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[dict[str, str]] = []
    monkeypatch.setattr(streamlit, "set_page_config", lambda **config: told.append(config))
    opened("Households")
    assert told == [{"page_title": "Households · RTP Privacy Lab", "page_icon": "⚡", "layout": "wide"}]
