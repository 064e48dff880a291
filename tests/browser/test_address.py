"""The address is the view, in a real browser: reload, Back, Forward, another visitor, sharing and saving."""

from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect

from tests.browser.lab import PHONE, Lab, drawn, metrics, sees

STREET = "?households=40"


def test_a_view_lives_in_its_address(lab: Lab) -> None:
    page = lab.open(query=STREET[1:])
    first = seen(page)
    lab.press(page, "Pin this run")
    lab.fill(page, "ε, typed", "2")
    lab.pick(page, "Error")
    sees(page, lambda: drawn(page, "Paper, ε 0.5: Blowfish", "day") != drawn(page, "Blowfish", "day"))
    lab.go(page, "Attacker")
    time = page.get_by_role("slider", name="Time")
    time.focus()
    time.press("ArrowLeft")
    lab.settle(page)
    lab.tab(page, "The street")
    sees(
        page,
        lambda: parse_qs(urlsplit(page.url).query),
        {
            "households": ["40"],
            "epsilon": ["2.0"],
            "tab": ["The street"],
            "step": ["94"],
            "pin1": ["Paper, ε 0.5?households=40"],
        },
    )
    the_same_on_reload_and_at_a_colleagues(lab, page)
    assert back_the_whole_way_and_forward_again(lab, page) == first
    lab.tab(page, "One house")
    playing_is_no_history(lab, page)
    share_and_save(lab, page)


Seen = tuple[str, list[str], list[str]]


def seen(page: Page) -> Seen:
    tabs = page.get_by_role("tab", selected=True).all_inner_texts()
    return page.url, metrics(page), tabs


def the_same_on_reload_and_at_a_colleagues(lab: Lab, page: Page) -> None:
    here = seen(page)
    page.reload()
    lab.settle(page)
    sees(page, lambda: seen(page), here)
    path, _, query = page.url.removeprefix(lab.server.url).partition("?")
    assert seen(lab.open(path, query, theme="dark")) == here


def back_the_whole_way_and_forward_again(lab: Lab, page: Page) -> Seen:
    """Through the entries made before the reload, too; every one is as it was and none is made anew. Gives
    what the first shows."""
    entries, way = page.evaluate("history.length"), [seen(page)]
    for _ in range(6):
        lab.travel(page, "back")
        way.append(seen(page))
    addresses = [url.removeprefix(lab.server.url) for url, _, _ in way]
    assert [address.partition("?")[0] for address in addresses] == ["/Attacker"] * 3 + ["/"] * 4
    assert ["view=Error" in address for address in addresses] == [False] * 3 + [True] + [False] * 3
    assert len(set(addresses)) == len(addresses)
    for before in reversed(way[:-1]):
        lab.travel(page, "forward")
        sees(page, lambda: seen(page), before)
    assert page.evaluate("history.length") == entries
    return way[-1]


def playing_is_no_history(lab: Lab, page: Page) -> None:
    clock = page.get_by_role("slider", name="Time")
    clock.focus()
    clock.press("Home")
    lab.settle(page)
    entries = page.evaluate("history.length")
    page.get_by_role("button", name="Play").click()
    expect(clock).not_to_have_js_property("value", "0", timeout=20_000)
    expect(clock).not_to_have_js_property("value", "2", timeout=20_000)  # two ticks at least
    page.get_by_role("button", name="Stop").click()
    lab.settle(page)
    assert page.evaluate("history.length") == entries + 1  # where it stopped
    sees(page, lambda: f"step={clock.input_value()}" in page.url)


def share_and_save(lab: Lab, page: Page) -> None:
    lab.press(page, "Share")
    shared = page.get_by_role("dialog")
    sees(page, lambda: shared.get_by_test_id("stCode").inner_text().strip() == page.url)
    expect(shared.get_by_alt_text("QR code of this address")).to_be_visible()
    lab.check(page)
    page.keyboard.press("Escape")
    lab.settle(page)
    lab.press(page, "Saved")
    lab.fill(page, "Name for the scenario in use", "Loose budget")
    lab.press(page, "Save")
    expect(page.get_by_role("dialog").get_by_text("Loose budget")).to_be_visible()
    lab.take(page, "scenarios.json")
    lab.check(page)
    tomorrow = lab.open()
    tomorrow.get_by_role("button", name="Loose budget").click()
    lab.settle(tomorrow)
    sees(tomorrow, lambda: tomorrow.url == f"{lab.server.url}/{STREET}&epsilon=2.0")
    lab.show(tomorrow, "dark", PHONE)
    lab.check(tomorrow)
