"""The Explore screen in a real browser: every knob beside what it moves, and files to take away."""

import csv
import io
import json
import re
from functools import partial
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from playwright.sync_api import Page, expect

from benchmarks.screens import COUNT_BLANK
from pages.ui.explore.screen import FILES
from pages.ui.params import SHOWN_FIRST
from rtp import Scenario, simulate
from rtp.core.formatting import percent
from rtp.mechanisms import YARDSTICK, private
from rtp.metrics import ERROR_DIGITS
from rtp.scenario.share import to_link
from rtp.tradeoff import cost
from tests.browser.lab import BEAMER, DESKTOP, LONGEST, Lab, addressed, drawn, field, part, sees, slider
from tests.browser.printed import charts_are_whole_on_paper

STREET = Scenario(households=30)
HOURLY = STREET.replace(step_minutes=60)  # where what is found is found sooner
SHOWN = [name for name in private() if name in SHOWN_FIRST and name != YARDSTICK]
TAKEN = ("day.csv", "scenario.json", "run_day.py", "run_day.ipynb", "report.html")
CELL = "cell:0:0:1:0:1"  # arriving at noon
# Every chart and field of the window: where it stands, and what it shows.
SEEN = """(height) => Object.fromEntries(['bend', 'rates', 'Mean-occupancy', 'Mean-consumption']
    .map((key) => document.querySelector(`.st-key-${key} .js-plotly-plot`))
    .filter((plot) => plot?.getBoundingClientRect().bottom <= height)
    .map((plot) => [plot.closest('[class*="st-key-"]').className.match(/st-key-([\\w-]+)/)[1],
        plot._fullData.filter((trace) => !trace.name.endsWith(' before')).map((trace) => [
            trace.name, trace.yaxis ?? '', [...trace.x].join(), [...trace.y].join()].join(' '))]))"""

# Where on the screen a point of the private rate's curve is, and its ε; nothing until it is drawn.
POINT = """() => {
    const plot = document.querySelector('.st-key-bend .js-plotly-plot');
    const curve = plot?._fullData?.find((trace) => trace.name === 'private, insider');
    if (!curve) return [];
    const {left, top} = plot.getBoundingClientRect(), {xaxis, yaxis, _size} = plot._fullLayout;
    const [x, y, epsilon] = [curve.x[8], curve.y[8], curve.customdata[8][0]];
    return [left + _size.l + xaxis.d2p(x), top + _size.t + yaxis.d2p(y), epsilon];
}"""
# How often each curve on the page has been drawn from now on: every drawing gives it its path anew.
COUNT = """() => {
    window.drawings = new Map();
    new MutationObserver((changes) => changes.map((change) => change.target)
        .filter((part) => part.classList.contains('js-line'))
        .forEach((line) => window.drawings.set(line, (window.drawings.get(line) ?? 0) + 1)))
        .observe(document.body, {subtree: true, attributeFilter: ['d']});
}"""
SPAN = "document.querySelector('.st-key-rates .js-plotly-plot')._fullLayout.xaxis.range"
DRAWINGS = "[...window.drawings].filter(([line]) => line.isConnected).map(([line, times]) => times)"


def errors(scenario: Scenario) -> list[str]:
    """Of the private and the filtered rate: the naive one may stand in a line with the private one."""
    return [percent(own.value, ERROR_DIGITS) for own in cost(simulate(scenario), SHOWN).values()]


def legend(page: Page) -> list[str]:
    """What the picture of the trade-off says of their errors."""
    texts = part(page, "bend").locator(".annotation-text").all_text_contents()
    return re.findall(r"([\d.,]+ %) \(", " ".join(texts).replace("\u00a0", " "))[-len(SHOWN) :]


def test_every_knob_beside_what_it_moves(lab: Lab) -> None:
    """Explore by day, at a desk, is checked in `test_present.py`."""
    page = lab.open("/Algorithm", urlencode(to_link(HOURLY)))
    an_address_that_is_not_known_opens_explore_and_says_so(lab, page)
    a_key_moves_epsilon_and_draws_every_curve_once(lab, page)
    a_click_on_the_trade_off_sets_epsilon(lab, page)
    charts_never_blink_and_keep_their_zoom(lab, page)
    every_knob_moves_what_it_is_about_in_one_window(lab, page)


def an_address_that_is_not_known_opens_explore_and_says_so(lab: Lab, page: Page) -> None:
    expect(page.get_by_role("dialog")).to_contain_text("does not seem to exist")
    expect(page).to_have_title(re.compile("Explore"))
    assert addressed(page) == HOURLY
    page.keyboard.press("Escape")
    lab.settle(page)


def every_knob_moves_what_it_is_about_in_one_window(lab: Lab, page: Page) -> None:
    """Nothing is scrolled: ε, α, β and a cell are in the window with all that they move."""
    for knob in ("epsilon", "alpha", "beta", CELL):
        box = field(page, knob).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= DESKTOP["height"], knob
    moves = {
        ("epsilon", "0.1"): {"bend", "rates"},
        ("alpha", "2"): {"bend", "rates"},
        ("beta", "5"): {"bend", "rates"},
        (CELL, "0.6"): {"bend", "rates", "Mean-occupancy", "Mean-consumption"},
    }
    for (knob, value), wanted in moves.items():
        before = page.evaluate(SEEN, DESKTOP["height"])
        assert len(before) == 4
        lab.fill(page, knob, value)
        sees(page, partial(moved, page, before), wanted)
        assert page.evaluate("document.querySelector('.stMain').scrollTop") == 0
    lab.show(page, "dark", BEAMER)
    sees(page, lambda: len(page.evaluate(SEEN, BEAMER["height"])), 4)
    cells = [field(page, f"cell:0:0:{period}:0:1").bounding_box() for period in range(4)]
    places = [(box["x"], box["y"] + box["height"]) for box in cells if box]
    assert len({y for _, y in places}) == 1, "all periods side by side"
    assert len(places) == 4
    assert all(x > 0 and y <= BEAMER["height"] for x, y in places)


def moved(page: Page, before: dict[str, object]) -> set[str]:
    after = page.evaluate(SEEN, DESKTOP["height"])
    return {key for key in before if after.get(key) != before[key]}


@pytest.mark.long
def test_what_is_saved_taken_away_and_uploaded(long_walk: Lab, tmp_path: Path) -> None:
    lab, page, now = long_walk, long_walk.open(query="households=30&epsilon=0.9"), STREET.replace(epsilon=0.9)
    tomorrow = what_is_saved_is_there_tomorrow_and_two_visitors_never_mix(lab, page, now)
    lab.unfold(tomorrow, FILES)
    everything_taken_away_opens(lab, tomorrow, now.replace(seed=9), tmp_path)
    a_file_comes_back(lab, tomorrow, 40)
    a_file_comes_back(lab, tomorrow, 1_000_000)


def a_click_on_the_trade_off_sets_epsilon(lab: Lab, page: Page) -> None:
    """A point of the private rate's curve; then back to where it was."""
    sees(page, lambda: len(page.evaluate(POINT)), 3)
    x, y, epsilon = page.evaluate(POINT)
    page.mouse.move(x, y)
    page.mouse.click(x, y)
    sees(page, lambda: f"epsilon={epsilon:g}" in page.url)
    sees(page, lambda: legend(page), errors(HOURLY.replace(epsilon=epsilon)))
    lab.press(page, "action:undo")


def a_key_moves_epsilon_and_draws_every_curve_once(lab: Lab, page: Page) -> None:
    """And makes nothing anew that only shows other numbers; not even the first change moves a chart."""
    sees(page, lambda: legend(page), errors(HOURLY))
    place = part(page, "rates").bounding_box()
    slider(page, "epsilon").press("ArrowLeft")  # from now on there is something that stood there before
    lab.settle(page)
    sees(page, lambda: part(page, "rates").bounding_box(), place)
    before = drawn(page, "Private", "rates")
    page.evaluate(COUNT)
    slider(page, "epsilon").press("ArrowRight")
    lab.settle(page)
    slider(page, "epsilon").press("ArrowRight")
    lab.settle(page)
    sees(page, lambda: set(page.evaluate(DRAWINGS)) <= {1, 2})

    epsilon = float(field(page, "epsilon").input_value())
    assert epsilon > HOURLY.epsilon
    sees(page, lambda: legend(page), errors(HOURLY.replace(epsilon=epsilon)))
    sees(page, lambda: drawn(page, "Private", "rates") != before)
    sees(page, lambda: f"epsilon={epsilon:g}" in page.url)


def charts_never_blink_and_keep_their_zoom(lab: Lab, page: Page) -> None:
    whole, box = page.evaluate(SPAN), page.locator(".st-key-rates .nsewdrag").first.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 0.4 * box["width"], box["y"] + 60)  # away from the periods' names
    page.mouse.down()
    page.mouse.move(box["x"] + 0.7 * box["width"], box["y"] + 62, steps=4)
    page.mouse.up()
    sees(page, lambda: page.evaluate(SPAN) != whole)
    zoomed = page.evaluate(SPAN)
    page.evaluate(COUNT_BLANK, ["bend", "rates"])
    slider(page, "epsilon").focus()
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
        lab.settle(page)
    assert page.evaluate("window.frames") > 4
    assert page.evaluate("window.blank") == 0
    assert page.evaluate(SPAN) == zoomed


def what_is_saved_is_there_tomorrow_and_two_visitors_never_mix(lab: Lab, page: Page, now: Scenario) -> Page:
    """Gives the page of tomorrow."""
    lab.press_in_menu(page, "action:saved")
    name = part(page, "text:saved:name").locator("input")
    name.fill("Loose budget")
    name.press("Enter")
    lab.settle(page)
    lab.press(page, "saved:save")
    lab.take(page, "scenarios.json")
    lab.check(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    tomorrow = lab.open(theme="dark")
    lab.press(tomorrow, "saved:offer:Loose budget")
    sees(tomorrow, lambda: tomorrow.url == f"{lab.server.url}/?households=30&epsilon={now.epsilon}")
    sees(tomorrow, lambda: legend(tomorrow), errors(now))

    lab.fill(tomorrow, "seed", "9")
    sees(page, lambda: legend(page), errors(now))
    sees(tomorrow, lambda: legend(tomorrow), errors(now.replace(seed=9)))
    return tomorrow


def everything_taken_away_opens(lab: Lab, page: Page, scenario: Scenario, folder: Path) -> None:
    """That the script runs, and gives this day: `tests/package/test_install.py`."""
    files = lab.take(page, *TAKEN)
    rows = list(csv.DictReader(io.StringIO(files["day.csv"].decode())))
    rate = simulate(scenario).release["blowfish"].rate
    assert [float(row["blowfish_rate"]) for row in rows] == rate.tolist()
    assert Scenario.from_json(files["scenario.json"]) == scenario

    (folder / "report.html").write_bytes(files["report.html"])
    report = page.context.new_page()
    report.set_viewport_size(DESKTOP)
    requests: list[str] = []
    report.on("request", lambda request: requests.append(request.url))
    report.goto((folder / "report.html").as_uri())
    expect(report.locator(".js-plotly-plot .main-svg").first).to_be_attached()
    sees(report, lambda: report.locator(".js-plotly-plot").count(), 3)
    assert [url for url in requests if not url.startswith(("file:", "data:", "blob:"))] == []
    charts_are_whole_on_paper(report, "figure >> nth=0")
    report.close()


def a_file_comes_back(lab: Lab, page: Page, households: int) -> None:
    """And one that is too large changes nothing. The numbers of a file: `tests/pages/test_explore.py`."""
    upload = part(page, "upload:scenario").locator("input[type=file]")
    good = json.dumps({"epsilon": 0.9, "households": households}).encode()
    upload.set_input_files({"name": "good.json", "mimeType": "application/json", "buffer": good})
    arrived = re.compile(f"households={households}")  # it is uploaded beside the page's own talk
    expect(page).to_have_url(arrived, timeout=1000 * LONGEST)
    lab.settle(page)
    the_file_is_seen(page, households)
    upload.set_input_files({"name": "big.json", "mimeType": "application/json", "buffer": b" " * 1_048_577})
    lab.settle(page)
    the_file_is_seen(page, households)


def the_file_is_seen(page: Page, households: int) -> None:
    sees(page, lambda: len(drawn(page, "Simulated", "Mean-occupancy")), 96)
    sees(page, lambda: {*urlsplit(page.url).query.split("&")}, {"epsilon=0.9", f"households={households}"})
