"""The address is the view, in a real browser: reload, Back and Forward."""

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page

from pages.ui.explore.screen import COMPARE
from tests.browser.lab import COUNT_ENTRIES, Lab, drawn, metrics, sees

Seen = tuple[str, list[str], list[str]]


@pytest.mark.long
def test_a_view_lives_in_its_address(lab: Lab) -> None:
    """To the app a reload is a colleague: a session of its own, with nothing but the address."""
    page = lab.open(query="households=8")
    way = [seen(page)]
    lab.unfold(page, COMPARE)
    lab.press(page, "pin:now")
    way.append(seen(page))
    (pinned,) = parse_qs(urlsplit(page.url).query)["pin1"]
    lab.fill(page, "epsilon", "2")
    way.append(seen(page))
    name = pinned.partition("?")[0]
    sees(page, lambda: drawn(page, f"{name}: Private", "rates") != drawn(page, "Private", "rates"))
    lab.go(page, "Attack")
    way.append(seen(page))
    lab.tab(page, "attack:tab", 1)
    (opened,) = seen(page)[2]
    way.append(seen(page))
    lab.fill(page, "attacker:house", "3")
    said = {"households": "8", "epsilon": "2.0", "tab": opened, "house": "2", "pin1": pinned}
    sees(page, lambda: parse_qs(urlsplit(page.url).query), {key: [value] for key, value in said.items()})
    way.append(seen(page))
    page.reload()
    lab.settle(page)
    sees(page, lambda: seen(page), way[-1])
    back_the_whole_way_and_forward_again(lab, page, way)


def seen(page: Page) -> Seen:
    tabs = page.get_by_role("tab", selected=True).all_inner_texts()
    return page.url, metrics(page), tabs


def back_the_whole_way_and_forward_again(lab: Lab, page: Page, way: list[Seen]) -> None:
    """Through the entries made before the reload, too; every one is as it was made and none is made anew, or
    nothing would be left ahead."""
    addresses = [url.removeprefix(lab.server.url) for url, _, _ in way]
    assert [address.partition("?")[0] for address in addresses] == ["/"] * 3 + ["/Attack"] * 3
    assert len(set(addresses)) == len(addresses)
    page.evaluate(COUNT_ENTRIES)
    for before in reversed(way[:-1]):
        lab.travel(page, "back")
        sees(page, lambda: seen(page), before)
    for after in way[1:]:
        lab.travel(page, "forward")
        sees(page, lambda: seen(page), after)
    assert page.evaluate("entries") == 0
