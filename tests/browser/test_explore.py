"""The Explore screen in a real browser."""

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Page, expect

from rtp import PRESETS, Scenario, simulate
from scripts.serve import ROOT
from tests.browser.lab import Lab


def metrics(page: Page) -> list[str]:
    return page.get_by_test_id("stMetricValue").all_inner_texts()


def curve(page: Page, name: str) -> list[float]:
    """The numbers that the browser draws."""
    script = """([name]) => {
        const plot = document.querySelector('.js-plotly-plot');
        return Array.from(plot._fullData.find((trace) => trace.name === name).y);
    }"""
    return list(page.evaluate(script, [name]))


def errors(scenario: Scenario) -> list[str]:
    return [f"{r.rmsre:.3e}" for name, r in simulate(scenario).release.items() if name != "optimal"]


def press(lab: Lab, page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()
    lab.settle(page)


def test_epsilon_by_keyboard_pin_undo_and_views(lab: Lab) -> None:
    page = lab.open()
    assert metrics(page)[:5] == errors(Scenario())
    drawn = curve(page, "Blowfish")

    slider = page.get_by_role("slider", name="ε — privacy budget per step")
    slider.focus()
    slider.press("ArrowRight")
    lab.settle(page)
    epsilon = float(page.get_by_label("ε, typed", exact=True).input_value())
    assert epsilon > 0.5
    assert metrics(page)[:5] == errors(Scenario().replace(epsilon=epsilon))
    assert curve(page, "Blowfish") != drawn
    assert f"epsilon={epsilon:g}" in page.url

    press(lab, page, "Pin this run")
    typed = page.get_by_label("ε, typed", exact=True)
    typed.fill("0.1")
    typed.press("Enter")
    lab.settle(page)
    assert curve(page, "Blowfish, pinned") != curve(page, "Blowfish")
    expect(page.get_by_test_id("stMetricDelta").first).to_contain_text("to pinned")
    press(lab, page, "Unpin")
    press(lab, page, "Undo")
    assert metrics(page)[:5] == errors(Scenario().replace(epsilon=epsilon))
    press(lab, page, "Undo")
    assert curve(page, "Blowfish") == drawn

    page.get_by_role("button", name="Calibrated", exact=True).click()
    page.get_by_role("radio", name="Error").click()
    lab.settle(page)
    day = simulate(Scenario())
    release = day.release["calibrated"]
    assert curve(page, "Calibrated") == (release.rate - release.optimal).tolist()


def test_a_shared_link_gives_the_same_numbers_and_two_visitors_never_mix(lab: Lab) -> None:
    first = lab.open(query="preset=mixed+street")
    first.get_by_label("β — base price", exact=True).fill("20")
    first.get_by_label("β — base price", exact=True).press("Enter")
    lab.settle(first)
    second = lab.open(query=first.url.partition("?")[2], theme="dark")
    assert metrics(second) == metrics(first)
    assert metrics(first)[:5] == errors(PRESETS["mixed street"].replace(beta=20.0))

    second.get_by_label("Seed", exact=True).fill("9")
    second.get_by_label("Seed", exact=True).press("Enter")
    lab.settle(second)
    first.get_by_role("radio", name="Error").click()
    lab.settle(first)
    assert metrics(first)[:5] == errors(PRESETS["mixed street"].replace(beta=20.0))
    assert metrics(second)[:5] == errors(PRESETS["mixed street"].replace(beta=20.0, seed=9))


def test_everything_taken_away_opens_and_a_scenario_comes_back(lab: Lab, tmp_path: Path) -> None:
    page = lab.open(query="preset=unsure+curator&epsilon=0.3")
    scenario = PRESETS["unsure curator"].replace(epsilon=0.3)
    day = simulate(scenario)
    page.get_by_text("Take it away, or bring it back").click()
    files = {}
    for label in ("Day as CSV", "Scenario as JSON", "Python script", "Report"):
        with page.expect_download() as download:
            page.get_by_role("button", name=label).click()
        files[label] = tmp_path / download.value.suggested_filename
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
    assert f"{day.release['naive'].rmsre:.6e}" in printed

    report = page.context.new_page()
    requests: list[str] = []
    report.on("request", lambda request: requests.append(request.url))
    report.goto(files["Report"].as_uri())
    expect(report.locator(".js-plotly-plot .main-svg").first).to_be_attached()
    assert report.locator(".js-plotly-plot").count() == 2
    assert [url for url in requests if not url.startswith(("file:", "data:", "blob:"))] == []
    report.close()

    good = tmp_path / "good.json"
    good.write_text(json.dumps({"epsilon": 0.9, "households": 300}))
    page.get_by_test_id("stFileUploader").locator("input[type=file]").set_input_files(good)
    lab.settle(page)
    assert metrics(page)[:5] == errors(Scenario(epsilon=0.9, households=300))
    page.get_by_test_id("stFileUploader").locator("input[type=file]").set_input_files(
        {"name": "big.json", "mimeType": "application/json", "buffer": b" " * 1_048_577}
    )
    lab.settle(page)
    assert metrics(page)[:5] == errors(Scenario(epsilon=0.9, households=300))
    expect(page.get_by_text("must be 1.0MB or smaller")).to_be_visible()


def test_bad_fields_are_refused_in_place_and_a_million_households_work(lab: Lab) -> None:
    page = lab.open()
    for label, bad in (
        ("ε, typed", "-1"),
        ("ε, typed", "1e308"),
        ("α — price slope", "0"),
        ("β — base price", "-5"),
        ("Households", "99999999999"),
        ("Seed", "-1"),
    ):
        box = page.get_by_label(label, exact=True)
        before = box.input_value()
        box.fill(bad)
        box.press("Enter")
        lab.settle(page)
        expect(page.get_by_text("outside the allowed range")).to_be_visible()
        assert metrics(page)[:5] == errors(Scenario()), (label, bad)
        box.fill(before)
        box.press("Enter")
        lab.settle(page)
    houses = page.get_by_label("Households", exact=True)
    houses.fill("1000000")
    houses.press("Enter")
    expect(page.get_by_text("Drawing the day of 1,000,000 households").first).to_be_visible(timeout=20_000)
    lab.settle(page)
    drawn = curve(page, "Simulated")
    page.get_by_label("ε, typed", exact=True).fill("1")
    page.get_by_label("ε, typed", exact=True).press("Enter")
    lab.settle(page)
    assert curve(page, "Simulated") == drawn
    assert page.get_by_text("Drawing the day of").count() == 0
