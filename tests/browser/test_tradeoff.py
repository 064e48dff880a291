"""The Trade-off screen in a real browser."""

import csv
import io
import re
from pathlib import Path

from playwright.sync_api import Page, expect

from pages.ui.sidebar import EPSILON_GRID
from pages.ui.tradeoff import NOISE_DAYS
from rtp import Scenario
from rtp.scenario import BOUNDS
from rtp.simulation import live
from rtp.sweep.plan import make
from rtp.sweep.runs import run
from rtp.sweep.whatif import span, values
from rtp.tradeoff import curve, epsilon_for
from rtp.tradeoff.misbelief import candidates, live_believing
from tests.browser.lab import Lab

EPSILON, ALPHA = BOUNDS["epsilon"].words, BOUNDS["alpha"].words
CURVE, BELOW = 0, 1  # the charts of the page, top to bottom
WIDER_THAN_THE_WINDOW = "document.scrollingElement.scrollWidth > window.innerWidth"
# Where a point of a chart is on the screen, once the chart is in the middle of it.
PLACE = """([chart, trace, point]) => {
    const plot = document.querySelectorAll('.js-plotly-plot')[chart];
    plot.scrollIntoView({block: 'center'});
    const {xaxis, yaxis} = plot._fullLayout, box = plot.getBoundingClientRect();
    const data = plot._fullData.find((one) => one.name === trace) ?? plot._fullData.at(-1);
    const along = (axis, value) => axis._offset + axis.c2p(
        axis.type === 'category' ? axis._categories.indexOf(value) : axis.d2c(value));
    return [box.left + along(xaxis, data.x[point]), box.top + along(yaxis, data.y[point])];
}"""


def drawn(page: Page, chart: int, name: str) -> list[float]:
    """The numbers that the browser draws."""
    script = """([chart, name]) => Array.from(
        document.querySelectorAll('.js-plotly-plot')[chart]._fullData.find((t) => t.name === name).y)"""
    return list(page.evaluate(script, [chart, name]))


def click_point(lab: Lab, page: Page, chart: int, trace: str, point: int) -> None:
    page.evaluate(PLACE, [chart, trace, point])
    page.wait_for_timeout(300)  # scrolling
    x, y = page.evaluate(PLACE, [chart, trace, point])
    page.mouse.move(x, y)
    page.wait_for_timeout(200)  # the point under the mouse is found a little later
    page.mouse.click(x, y)
    lab.settle(page)


def fill(lab: Lab, page: Page, label: str, value: str, nth: int = 0) -> None:
    box = page.get_by_label(label, exact=True).nth(nth)
    box.fill(value)
    box.press("Enter")
    lab.settle(page)


def tab(lab: Lab, page: Page, name: str) -> None:
    page.get_by_role("tab", name=name).click()
    lab.settle(page)


def choose(lab: Lab, page: Page, label: str, option: str) -> None:
    box = page.get_by_role("combobox", name=label)
    box.click()
    box.press_sequentially(option)  # opens the list again, should scrolling have closed it
    page.get_by_role("option", name=option, exact=True).click()
    lab.settle(page)


def run_map(lab: Lab, page: Page, over: str, days: int) -> None:
    """Run it to its end: the chart's words tell which map and how many days."""
    page.get_by_role("button", name="Run the map").click()
    chart = page.get_by_role("figure", name=f"RMSRE over {over}. Every point is the mean of {days} simulated")
    expect(chart).to_be_visible(timeout=60_000)
    expect(page.get_by_test_id("stProgress")).not_to_be_attached(timeout=60_000)
    lab.settle(page)


def epsilon_of(page: Page) -> float:
    return float(page.get_by_label("ε, typed", exact=True).input_value())


def test_a_click_sets_epsilon_a_target_gives_budgets_and_a_wrong_model_is_seen(lab: Lab) -> None:
    page = lab.open("/Trade-off")
    scenario, life = Scenario(), live(Scenario())
    right = curve(scenario, EPSILON_GRID, NOISE_DAYS, life=life)
    assert drawn(page, CURVE, "Blowfish") == right.lines["blowfish"].expected.tolist()

    click_point(lab, page, CURVE, "Blowfish", 10)
    assert epsilon_of(page) == EPSILON_GRID[10] != scenario.epsilon
    assert f"epsilon={EPSILON_GRID[10]:g}" in page.url
    click_point(lab, page, CURVE, "Forecast", 25)
    assert epsilon_of(page) == EPSILON_GRID[25]

    fill(lab, page, "I can accept this error (RMSRE)", "0.0005")
    for name in ("blowfish", "filtered"):
        needed = f"ε = {epsilon_for(scenario, name, 0.0005, life=life).epsilon:.4g}"
        assert needed in page.get_by_test_id("stMetricValue").all_inner_texts()
    box = page.get_by_label("I can accept this error (RMSRE)", exact=True)
    box.fill("-1")
    box.press("Enter")
    expect(page.get_by_text("outside the allowed range")).to_be_visible()
    box.fill("0.0005")
    page.get_by_role("button", name=re.compile("Set ε = ")).click()
    lab.settle(page)
    assert epsilon_of(page) == epsilon_for(scenario, "filtered", 0.0005, life=life).epsilon
    page.get_by_role("button", name="Undo", exact=True).click()
    lab.settle(page)

    tab(lab, page, "What if the model is wrong?")
    words, model = list(candidates(scenario).items())[2]
    choose(lab, page, "Filter and forecast believe", words)
    wrong = curve(scenario, EPSILON_GRID, NOISE_DAYS, life=live_believing(scenario, life, model))
    assert drawn(page, BELOW, "Filtered") == wrong.lines["filtered"].expected.tolist()
    assert drawn(page, BELOW, "Filtered, true model") == right.lines["filtered"].expected.tolist()
    assert lab.axe(page) == []


def test_a_map_runs_stops_loads_a_point_and_is_downloaded(lab: Lab, tmp_path: Path) -> None:
    page = lab.open("/Trade-off", query="households=100")
    scenario = Scenario(households=100)
    tab(lab, page, "What-if map")
    fill(lab, page, "Days at every point", "1000")
    page.get_by_role("button", name="Run the map").click()
    expect(page.get_by_text("Every point is the mean of")).to_be_visible(timeout=30_000)
    page.locator(".st-key-stop-map button").click()
    expect(page.get_by_text("what was finished is kept")).to_be_visible(timeout=20_000)
    lab.settle(page)
    assert len(drawn(page, BELOW, "Blowfish")) == 8

    fill(lab, page, "Days at every point", "12")
    run_map(lab, page, EPSILON, 12)
    plan = make(scenario, {"epsilon": values(*span(scenario, "epsilon"), 8)}, 12)
    parts = {result.point: result.part for result in run(plan)}
    assert drawn(page, BELOW, "Blowfish") == [parts[p].mean[2, 0] for p in range(8)]
    with page.expect_download() as download:
        page.get_by_role("button", name="Map as CSV").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    rows = [row for row in csv.DictReader(io.StringIO(file.read_text())) if row["mechanism"] == "blowfish"]
    assert [float(row["rmsre"]) for row in rows] == [parts[p].mean[2, 0] for p in range(8)]
    assert {row["days"] for row in rows} == {"12"}

    click_point(lab, page, BELOW, "Blowfish", 5)
    assert epsilon_of(page) == plan.at(5).epsilon
    fill(lab, page, "From", "9")
    expect(page.get_by_text("has an empty range from 9 to 2")).to_be_visible()
    assert len(drawn(page, BELOW, "Blowfish")) == 8
    fill(lab, page, "From", "0.125")

    choose(lab, page, "Second parameter", ALPHA)
    fill(lab, page, "Values", "3", nth=1)
    run_map(lab, page, f"{EPSILON} and {ALPHA}", 12)
    click_point(lab, page, BELOW, "", 4)  # the second of ε, the second of α
    loaded = make(scenario, {"epsilon": [*plan.grid["epsilon"]], "alpha": values(0.25, 4.0, 3)}, 12).at(4)
    assert epsilon_of(page) == loaded.epsilon
    assert float(page.get_by_label(ALPHA, exact=True).input_value()) == loaded.alpha
    assert lab.axe(page) == []


def test_every_part_fits_a_phone_in_the_dark(lab: Lab) -> None:
    page = lab.open("/Trade-off", query="households=50", theme="dark", width=390, height=844)
    for name in ("What if the model is wrong?", "What-if map"):
        tab(lab, page, name)
        assert lab.axe(page) == []
        assert not page.evaluate(WIDER_THAN_THE_WINDOW)
    fill(lab, page, "Days at every point", "2")
    run_map(lab, page, EPSILON, 2)
    page.wait_for_timeout(500)  # buttons fade back in, and half faded words have no contrast
    assert lab.axe(page) == []
    assert not page.evaluate(WIDER_THAN_THE_WINDOW)
