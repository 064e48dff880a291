"""The Explore screen in a real browser."""

import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Page, expect

from rtp import PRESETS, Scenario, simulate
from rtp.mechanisms import private
from rtp.notation import percent, plain
from scripts.serve import ROOT
from tests.browser.lab import DESKTOP, PHONE, Lab, drawn, metrics, sees

CARDS = len(private())  # the first ones: an error each

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
    return [percent(r.error) for name, r in simulate(scenario).release.items() if name != "optimal"]


def test_the_day_from_its_address_to_a_million_households(lab: Lab, tmp_path: Path) -> None:
    page = lab.open()
    lab.check(page)
    lab.show(page, "dark", PHONE)
    lab.check(page)
    lab.show(page, "light", DESKTOP)
    a_change_draws_every_curve_once(lab, page)
    bad_fields_are_refused_in_place(lab, page)
    epsilon_by_keyboard_pin_undo_and_views(lab, page)
    visitor = a_link_gives_the_same_numbers_and_two_visitors_never_mix(lab, page)
    lab.choose(visitor, "Preset", "Unsure curator")
    lab.fill(visitor, "ε, typed", "0.3")
    everything_taken_away_opens(visitor, PRESETS["unsure curator"].replace(epsilon=0.3), tmp_path)
    a_scenario_comes_back(lab, visitor, tmp_path / "good.json")
    a_million_households(lab, page)


def a_change_draws_every_curve_once(lab: Lab, page: Page) -> None:
    """And makes nothing anew that only shows other numbers."""
    page.evaluate(COUNT)
    cards = page.get_by_test_id("stMetric").element_handles()
    lab.fill(page, "ε, typed", "0.4")
    assert [card.evaluate("(card) => card.isConnected") for card in cards] == [True] * (CARDS + 1)
    curves = page.locator(".js-plotly-plot .js-line").count()
    sees(page, lambda: page.evaluate(DRAWINGS), [1] * curves)
    lab.fill(page, "ε, typed", "0.5")


def epsilon_by_keyboard_pin_undo_and_views(lab: Lab, page: Page) -> None:
    sees(page, lambda: metrics(page)[:CARDS], errors(Scenario()))
    before = drawn(page, "Blowfish", "day")

    slider = page.get_by_role("slider", name="ε — privacy budget per step")
    slider.focus()
    slider.press("ArrowRight")
    lab.settle(page)
    epsilon = float(page.get_by_label("ε, typed", exact=True).input_value())
    assert epsilon > 0.5
    sees(page, lambda: metrics(page)[:CARDS], errors(Scenario().replace(epsilon=epsilon)))
    sees(page, lambda: drawn(page, "Blowfish", "day") != before)
    sees(page, lambda: f"epsilon={epsilon:g}" in page.url)

    lab.press(page, "Pin this run")
    lab.fill(page, "ε, typed", "0.1")
    sees(
        page, lambda: drawn(page, f"Paper, ε {epsilon:g}: Blowfish", "day") != drawn(page, "Blowfish", "day")
    )
    expect(page.get_by_test_id("stMetricDelta").first).to_contain_text("to pinned")
    page.get_by_role("button", name=f"Paper, ε {epsilon:g}").click()
    lab.press(page, "Unpin")
    lab.press(page, "Undo")
    sees(page, lambda: metrics(page)[:CARDS], errors(Scenario().replace(epsilon=epsilon)))
    lab.press(page, "Undo")
    sees(page, lambda: drawn(page, "Blowfish", "day"), before)

    page.get_by_role("button", name="Calibrated", exact=True).click()
    lab.pick(page, "Error")
    release = simulate(Scenario()).release["calibrated"]
    sees(page, lambda: drawn(page, "Calibrated", "day"), (release.rate - release.optimal).tolist())


def bad_fields_are_refused_in_place(lab: Lab, page: Page) -> None:
    for label, bad, why in (
        ("ε, typed", "-1", "it must be a number from 0.0001 to 10,000"),
        ("ε, typed", "1e308", "it must be a number from 0.0001 to 10,000"),
        ("α — price slope", "0", "it must be a number from 1e-06"),
        ("β — base price", "-5", "it must be a number from 0"),
        ("Households", "99999999999", "it must be a whole number from 1 to 10,000,000"),
        ("Households", "10.000", "“10.000” has a point or comma"),
        ("Seed", "-1", "it must be a whole number from 0"),
    ):
        field = page.get_by_label(label, exact=True)
        before = field.input_value()
        lab.fill(page, label, bad)
        expect(page.locator(".lab-number", has=field).get_by_role("alert")).to_contain_text(why)
        expect(field).to_have_value(before)
        sees(page, lambda: metrics(page)[:CARDS], errors(Scenario()))
        lab.fill(page, label, "")
        expect(field).to_have_value(before)  # an emptied field keeps its value


def a_link_gives_the_same_numbers_and_two_visitors_never_mix(lab: Lab, first: Page) -> Page:
    """Gives the second visitor's page."""
    lab.choose(first, "Preset", "Mixed street")
    lab.fill(first, "β — base price", "20")
    second = lab.open(query=first.url.partition("?")[2], theme="dark")
    sees(second, lambda: metrics(second) == metrics(first))
    sees(first, lambda: metrics(first)[:CARDS], errors(PRESETS["mixed street"].replace(beta=20.0)))

    lab.fill(second, "Seed", "9")
    lab.pick(first, "Rates")
    sees(first, lambda: metrics(first)[:CARDS], errors(PRESETS["mixed street"].replace(beta=20.0)))
    sees(second, lambda: metrics(second)[:CARDS], errors(PRESETS["mixed street"].replace(beta=20.0, seed=9)))
    return second


def a_million_households(lab: Lab, page: Page) -> None:
    """A new ε does not draw them again."""
    lab.fill(page, "Households", "1000000")
    sees(page, lambda: len(drawn(page, "Simulated", "day")) == 96 and "households=1000000" in page.url)
    before = drawn(page, "Simulated", "day")
    lab.fill(page, "ε, typed", "1")
    sees(page, lambda: drawn(page, "Simulated", "day"), before)
    expect(page.get_by_text("Drawing the day of")).to_have_count(0)


def everything_taken_away_opens(page: Page, scenario: Scenario, folder: Path) -> None:
    day = simulate(scenario)
    page.get_by_text("Take it away, or bring it back").click()
    files = {}
    for label in ("Day as CSV", "Scenario as JSON", "Python script", "Jupyter notebook", "Report"):
        with page.expect_download() as download:
            page.get_by_role("button", name=label).click()
        files[label] = folder / download.value.suggested_filename
        download.value.save_as(files[label])

    rows = list(csv.DictReader(io.StringIO(files["Day as CSV"].read_text())))
    assert [float(row["blowfish_rate"]) for row in rows] == day.release["blowfish"].rate.tolist()
    assert Scenario.from_json(files["Scenario as JSON"].read_bytes()) == scenario
    printed = subprocess.run(
        [sys.executable, files["Python script"]],
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert plain(day.release["naive"].rmsre, 7) in printed
    assert json.loads(files["Jupyter notebook"].read_bytes())["nbformat"] == 4

    report = page.context.new_page()
    requests: list[str] = []
    report.on("request", lambda request: requests.append(request.url))
    report.goto(files["Report"].as_uri())
    expect(report.locator(".js-plotly-plot .main-svg").first).to_be_attached()
    sees(report, lambda: report.locator(".js-plotly-plot").count(), 2)
    assert [url for url in requests if not url.startswith(("file:", "data:", "blob:"))] == []
    report.close()


def a_scenario_comes_back(lab: Lab, page: Page, good: Path) -> None:
    upload = page.get_by_test_id("stFileUploader").locator("input[type=file]")
    good.write_text(json.dumps({"epsilon": 0.9, "households": 300}))
    upload.set_input_files(good)
    expect(page).to_have_url(re.compile("epsilon=0.9"))  # it is uploaded beside the page's own talk
    lab.settle(page)
    sees(page, lambda: metrics(page)[:CARDS], errors(Scenario(epsilon=0.9, households=300)))
    upload.set_input_files({"name": "big.json", "mimeType": "application/json", "buffer": b" " * 1_048_577})
    lab.settle(page)
    sees(page, lambda: metrics(page)[:CARDS], errors(Scenario(epsilon=0.9, households=300)))
    expect(page.get_by_text("must be 1.0MB or smaller")).to_be_visible()
