"""The address is the view, in a real browser: reload, Back and Forward."""

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page

from tests.browser.lab import COUNT_ENTRIES, Lab, drawn, metrics, sees

Seen = tuple[str, list[str], list[str]]


@pytest.mark.long
def test_a_view_lives_in_its_address(lab: Lab) -> None:
    """To the app a reload is a colleague: a session of its own, with nothing but the address."""
    page = lab.open(query="households=8")
    way = [seen(page)]
    lab.press(page, "Pin this run")
    way.append(seen(page))
    lab.fill(page, "ε", "2")
    way.append(seen(page))
    sees(page, lambda: drawn(page, "8 houses, ε 0.5: Blowfish", "day") != drawn(page, "Blowfish", "day"))
    lab.go(page, "Attacker")
    way.append(seen(page))
    page.get_by_role("slider", name="Time").press("Home")
    lab.settle(page)
    way.append(seen(page))
    lab.tab(page, "The street")
    sees(
        page,
        lambda: parse_qs(urlsplit(page.url).query),
        {
            "households": ["8"],
            "epsilon": ["2.0"],
            "tab": ["The street"],
            "step": ["0"],
            "pin1": ["8 houses, ε 0.5?households=8"],
        },
    )
    way.append(seen(page))
    page.reload()
    lab.settle(page)
    sees(page, lambda: seen(page), way[-1])
    back_the_whole_way_and_forward_again(lab, page, way)
    page.get_by_role("button", name="8 houses, ε 0.5").click()
    lab.press(page, "Unpin")
    sees(page, lambda: "pin1" not in page.url and "step=" in page.url)
    assert page.evaluate("entries") == 1


def seen(page: Page) -> Seen:
    tabs = page.get_by_role("tab", selected=True).all_inner_texts()
    return page.url, metrics(page), tabs


def back_the_whole_way_and_forward_again(lab: Lab, page: Page, way: list[Seen]) -> None:
    """Through the entries made before the reload, too; every one is as it was made and none is made anew, or
    nothing would be left ahead."""
    addresses = [url.removeprefix(lab.server.url) for url, _, _ in way]
    assert [address.partition("?")[0] for address in addresses] == ["/"] * 3 + ["/Attacker"] * 3
    assert len(set(addresses)) == len(addresses)
    page.evaluate(COUNT_ENTRIES)
    for before in reversed(way[:-1]):
        lab.travel(page, "back")
        sees(page, lambda: seen(page), before)
    lab.travel(page, "forward")
    sees(page, lambda: seen(page), way[1])
    leap(lab, page, len(way) - 2)
    sees(page, lambda: seen(page), way[-1])
    assert page.evaluate("entries") == 0


def leap(lab: Lab, page: Page, entries: int) -> None:
    """Over several entries at once."""
    asked = page.evaluate("asked")
    page.evaluate("(entries) => history.go(entries)", entries)
    page.wait_for_function("(before) => asked > before", arg=asked)
    lab.settle(page)
