"""The Explore screen in a real browser, and Over time, to which one of its cards leads."""

import csv
import io
import json
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from pages.ui.explore.below import FILES
from pages.ui.params import SHOWN_FIRST
from rtp import Scenario, simulate
from rtp.core.formatting import percent
from rtp.mechanisms import REGISTRY, private
from tests.browser.lab import DESKTOP, LONGEST, Lab, drawn, field, metrics, part, sees, slider
from tests.browser.printed import charts_are_whole_on_paper
from tests.browser.test_over_time import from_explores_card_to_a_moment

STREET = Scenario(households=30)
SHOWN = [name for name in private() if name in SHOWN_FIRST]
CARDS = len(SHOWN)  # the first ones: an error each
TAKEN = ("day.csv", "scenario.json", "run_day.py", "run_day.ipynb", "report.html")

# How often each curve on the page has been drawn from now on: every drawing gives it its path anew.
COUNT = """() => {
    window.drawings = new Map();
    new MutationObserver((changes) => changes.map((change) => change.target)
        .filter((part) => part.classList.contains('js-line'))
        .forEach((line) => window.drawings.set(line, (window.drawings.get(line) ?? 0) + 1)))
        .observe(document.body, {subtree: true, attributeFilter: ['d']});
}"""
DRAWINGS = "[...window.drawings].filter(([line]) => line.isConnected).map(([line, times]) => times)"


def errors(scenario: Scenario) -> list[str]:
    """Of the rates that are shown at first."""
    release = simulate(scenario).release
    return [percent(release[name].error) for name in SHOWN]


def test_the_day_from_its_address_to_over_time(walk: Lab) -> None:
    """Explore by day, at a desk, is checked in `test_present.py`."""
    lab, page = walk, walk.open(query="households=30")
    now = a_key_moves_epsilon_and_draws_every_curve_once(lab, page)
    a_bad_number_is_refused_in_place(lab, page, now)
    rates_are_chosen_and_their_errors_seen(lab, page, now)
    from_explores_card_to_a_moment(lab, page, now)


@pytest.mark.long
def test_what_is_saved_taken_away_and_uploaded(long_walk: Lab, tmp_path: Path) -> None:
    lab, page, now = long_walk, long_walk.open(query="households=30&epsilon=0.9"), STREET.replace(epsilon=0.9)
    tomorrow = what_is_saved_is_there_tomorrow_and_two_visitors_never_mix(lab, page, now)
    lab.unfold(tomorrow, FILES)
    everything_taken_away_opens(lab, tomorrow, now.replace(seed=9), tmp_path)
    a_file_comes_back(lab, tomorrow, 40)
    a_file_comes_back(lab, tomorrow, 1_000_000)


def a_key_moves_epsilon_and_draws_every_curve_once(lab: Lab, page: Page) -> Scenario:
    """And makes nothing anew that only shows other numbers. Gives the scenario that it leads to."""
    sees(page, lambda: metrics(page)[:CARDS], errors(STREET))
    for key in ("ArrowRight", "ArrowLeft"):  # both are counted beside the page: then nothing moves
        slider(page, "epsilon").press(key)
        lab.settle(page)
        expect(part(page, "headline").get_by_role("heading")).not_to_contain_text("…", timeout=1000 * LONGEST)
        lab.settle(page)
    before, cards = drawn(page, "Blowfish", "day"), page.get_by_test_id("stMetric").element_handles()
    page.evaluate(COUNT)
    slider(page, "epsilon").press("ArrowRight")
    lab.settle(page)
    assert [card.evaluate("(card) => card.isConnected") for card in cards] == [True] * (CARDS + 1)
    curves = page.locator(".js-plotly-plot .js-line").count()
    sees(page, lambda: page.evaluate(DRAWINGS), [1] * curves)

    epsilon = float(field(page, "epsilon").input_value())
    assert epsilon > STREET.epsilon
    now = STREET.replace(epsilon=epsilon)
    sees(page, lambda: metrics(page)[:CARDS], errors(now))
    sees(page, lambda: drawn(page, "Blowfish", "day") != before)
    sees(page, lambda: f"epsilon={epsilon:g}" in page.url)
    return now


def a_bad_number_is_refused_in_place(lab: Lab, page: Page, now: Scenario) -> None:
    """All fields: `tests/pages/test_number.py`; all fields, in haste: the long session."""
    before = field(page, "epsilon").input_value()
    lab.fill(page, "epsilon", "-1")
    expect(part(page, "number:epsilon").get_by_role("alert").first).to_be_visible()
    expect(field(page, "epsilon")).to_have_value("-1")  # to be corrected
    sees(page, lambda: metrics(page)[:CARDS], errors(now))
    lab.fill(page, "epsilon", "")
    expect(field(page, "epsilon")).to_have_value(before)  # an emptied field keeps its value


def rates_are_chosen_and_their_errors_seen(lab: Lab, page: Page, now: Scenario) -> None:
    calibrated = REGISTRY["calibrated"].label
    part(page, "shown").get_by_role("button", name=calibrated).click()
    lab.pick(page, "view", 1)
    release = simulate(now).release["calibrated"]
    sees(page, lambda: drawn(page, calibrated, "day"), (release.rate - release.optimal).tolist())
    sees(page, lambda: len(metrics(page)), CARDS + 2)  # it has a card, too


def what_is_saved_is_there_tomorrow_and_two_visitors_never_mix(lab: Lab, page: Page, now: Scenario) -> Page:
    """Gives the page of tomorrow."""
    lab.press(page, "action:saved")
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
    sees(tomorrow, lambda: metrics(tomorrow)[:CARDS], errors(now))

    lab.fill(tomorrow, "seed", "9")
    lab.pick(page, "view", 1)
    sees(page, lambda: metrics(page)[:CARDS], errors(now))
    sees(tomorrow, lambda: metrics(tomorrow)[:CARDS], errors(now.replace(seed=9)))
    return tomorrow


def everything_taken_away_opens(lab: Lab, page: Page, scenario: Scenario, folder: Path) -> None:
    """That the script runs, and gives this day: `tests/unit/scenario/test_describe.py`."""
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
    sees(report, lambda: report.locator(".js-plotly-plot").count(), 2)
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
    sees(page, lambda: len(drawn(page, "Simulated", "day")), 96)
    sees(page, lambda: {*urlsplit(page.url).query.split("&")}, {"epsilon=0.9", f"households={households}"})
