"""The Trade-off screen in a real browser."""

import csv
import io
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from pages.ui.sidebar import EPSILON_GRID
from pages.ui.tradeoff import NOISE_DAYS
from rtp import Scenario
from rtp.leakage.budget import BUDGETS, price_of_a_moment
from rtp.scenario import BOUNDS
from rtp.simulation import draw_day
from rtp.sweep.measures import ERROR, MEASURES, shown_over_kept
from rtp.sweep.plan import Plan, make
from rtp.sweep.run import run_plan
from rtp.sweep.whatif import span, values
from rtp.tradeoff import curve, epsilon_for
from rtp.tradeoff.answers import target_rmsre
from rtp.tradeoff.misspecification import candidates, with_assumed_model
from tests.browser.breath import breath
from tests.browser.lab import Lab, drawn, metrics, sees

STREET = Scenario(households=100)
EPSILON, ALPHA = BOUNDS["epsilon"].words, BOUNDS["alpha"].words
CURVE, BELOW = 0, 0  # each tab has one chart
WRONG, MAP = "What if the model is wrong?", "What-if map"
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


def click_point(lab: Lab, page: Page, chart: int, trace: str, point: int) -> None:
    page.evaluate(PLACE, [chart, trace, point])
    page.wait_for_timeout(300)  # scrolling
    x, y = page.evaluate(PLACE, [chart, trace, point])
    page.mouse.move(x, y)
    page.wait_for_timeout(200)  # the point under the mouse is found a little later
    page.mouse.click(x, y)
    lab.settle(page)


def run_map(lab: Lab, page: Page, over: str, days: int) -> None:
    """Run it to its end: the chart's words tell which map and how many days."""
    page.get_by_role("button", name="Run the map").click()
    chart = page.get_by_role(
        "figure", name=f"{MEASURES[ERROR]} over {over}. Every point is the mean of {days} simulated"
    )
    expect(chart).to_be_visible(timeout=60_000)
    expect(page.get_by_test_id("stProgress")).not_to_be_attached(timeout=60_000)
    lab.settle(page)


def epsilon_of(page: Page) -> float:
    return float(page.locator(".st-key-number-epsilon input").input_value())


def test_the_trade_off_from_its_address_to_a_map(walk: Lab) -> None:
    lab, page = walk, walk.open("/Trade-off", "households=100&against=moment&by=alpha")
    a_moment_is_drawn(lab, page)
    best = a_target_gives_a_budget(lab, page)
    a_click_sets_epsilon(lab, page, best)
    lab.tab(page, MAP)
    a_map_over_two(lab, page, STREET.replace(epsilon=EPSILON_GRID[25]))


@pytest.mark.long
def test_a_wrong_model_and_a_map_that_is_stopped_downloaded_and_loaded(
    long_walk: Lab, tmp_path: Path
) -> None:
    lab, page = long_walk, long_walk.open("/Trade-off", "households=100&by=alpha")
    a_wrong_model_is_seen(lab, page)
    lab.tab(page, MAP)
    loaded = a_map_over_two(lab, page, begun := STREET)
    lab.choose(page, "Second parameter", "none")
    a_map_stops(lab, page)
    a_map_is_downloaded(lab, page, line_of(begun, loaded), tmp_path)
    a_point_is_loaded(lab, page, line_of(begun, loaded))


def a_moment_is_drawn(lab: Lab, page: Page) -> None:
    """Until another axis is asked for."""
    line = price_of_a_moment(STREET, BUDGETS[6:8]).lines["blowfish"]
    shown = drawn(page, "Blowfish", CURVE)
    for rmsre in line.rmsre:
        assert min(abs(y / (100 * 96**0.5 * rmsre) - 1) for y in shown) < 1e-9
    click_point(lab, page, CURVE, "Blowfish", 2)
    sees(page, lambda: epsilon_of(page), pytest.approx(BUDGETS[2], rel=1e-5))
    assert "against=moment" in page.url
    page.get_by_role("radio", name="ε per step").click()
    lab.settle(page)
    sees(page, lambda: "against" not in page.url)


def a_target_gives_a_budget(lab: Lab, page: Page) -> float:
    """The best of those that reach it, which a click puts to use."""
    scenario, life = STREET, draw_day(STREET)
    target = target_rmsre(0.5, scenario.steps)
    lab.fill(page, "I can accept this error (%)", "0.5")
    blowfish, filtered = (
        epsilon_for(scenario, name, target, street_day=life).epsilon for name in ("blowfish", "filtered")
    )
    sees(page, lambda: {f"ε = {blowfish:.4g}", f"ε = {filtered:.4g}"} <= {*metrics(page)})
    page.get_by_role("button", name=re.compile("Use Filtered at ε = ")).click()
    lab.settle(page)
    sees(page, lambda: epsilon_of(page), pytest.approx(filtered, rel=1e-2))
    return epsilon_of(page)


def a_click_sets_epsilon(lab: Lab, page: Page, before: float) -> None:
    """The budget of before stands among those of the grid as long as it is in use."""
    click_point(lab, page, CURVE, "Forecast", sorted([*EPSILON_GRID, before]).index(EPSILON_GRID[25]))
    sees(page, lambda: epsilon_of(page), EPSILON_GRID[25])
    sees(page, lambda: f"epsilon={EPSILON_GRID[25]:g}" in page.url)
    right = curve(STREET, EPSILON_GRID, NOISE_DAYS, street_day=draw_day(STREET))
    sees(page, lambda: drawn(page, "Blowfish", CURVE), (100 * right.typical["blowfish"].expected).tolist())


def a_wrong_model_is_seen(lab: Lab, page: Page) -> None:
    scenario, life = STREET, draw_day(STREET)
    lab.tab(page, WRONG)
    words, model = list(candidates(scenario).items())[2]
    lab.choose(page, "Filter and forecast believe", words)
    right = curve(scenario, EPSILON_GRID, NOISE_DAYS, street_day=life)
    wrong = curve(scenario, EPSILON_GRID, NOISE_DAYS, street_day=with_assumed_model(scenario, life, model))
    sees(page, lambda: drawn(page, "Filtered", BELOW), (100 * wrong.typical["filtered"].expected).tolist())
    sees(
        page,
        lambda: drawn(page, "Filtered, true model", BELOW),
        (100 * right.typical["filtered"].expected).tolist(),
    )
    lab.check(page)


def line_of(begun: Scenario, now: Scenario) -> Plan:
    """The range is that of the scenario with which the maps were begun."""
    return make(now, {"epsilon": values(*span(begun, "epsilon"), 8)}, 12)


def a_map_over_two(lab: Lab, page: Page, begun: Scenario) -> Scenario:
    """The address names the second parameter; a click loads a point, which it gives."""
    breath(lab, page, ("number-map-second-count", "3"), ("number-map-days", "12"))
    run_map(lab, page, f"{EPSILON} and {ALPHA}", 12)
    click_point(lab, page, BELOW, "", 4)  # the second of ε, the second of α
    grid = {"epsilon": values(*span(begun, "epsilon"), 8), "alpha": values(*span(begun, "alpha"), 3)}
    loaded = make(begun, grid, 12).at(4)
    sees(page, lambda: epsilon_of(page), loaded.epsilon)
    sees(page, lambda: float(page.get_by_label(ALPHA, exact=True).input_value()), loaded.alpha)
    lab.check(page)
    return loaded


def a_map_stops(lab: Lab, page: Page) -> None:
    lab.fill(page, "Days at every point", "1000")
    page.get_by_role("button", name="Run the map").click()
    sees(page, lambda: len(drawn(page, "Blowfish", BELOW)), 8)  # its own, not the map's of before
    page.locator(".st-key-stop-map button").click()
    expect(page.get_by_text("what was finished is kept")).to_be_visible(timeout=20_000)
    lab.settle(page)
    sees(page, lambda: len(drawn(page, "Blowfish", BELOW)), 8)


def a_map_is_downloaded(lab: Lab, page: Page, plan: Plan, folder: Path) -> None:
    """Run to its end it is the engine's."""
    lab.fill(page, "Days at every point", "12")
    run_map(lab, page, EPSILON, 12)
    parts = {result.point: result.part for result in run_plan(plan)}
    percents = shown_over_kept(ERROR, STREET.steps)
    sees(page, lambda: drawn(page, "Blowfish", BELOW), [percents * parts[p].mean[2, 0] for p in range(8)])
    with page.expect_download() as download:
        page.get_by_role("button", name="Map as CSV").click()
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    rows = [row for row in csv.DictReader(io.StringIO(file.read_text())) if row["mechanism"] == "blowfish"]
    assert [float(row["rmsre"]) for row in rows] == [parts[p].mean[2, 0] for p in range(8)]
    sees(page, lambda: drawn(page, "Blowfish", BELOW), [float(row["error_percent"]) for row in rows])
    assert {row["sampled_days"] for row in rows} == {"12"}


def a_point_is_loaded(lab: Lab, page: Page, plan: Plan) -> None:
    """What cannot be run next takes nothing away."""
    click_point(lab, page, BELOW, "Blowfish", 5)
    sees(page, lambda: epsilon_of(page), plan.at(5).epsilon)
    lab.fill(page, "From", "900")
    expect(page.get_by_text("has an empty range from 900 to")).to_be_visible()
    sees(page, lambda: len(drawn(page, "Blowfish", BELOW)), 8)
