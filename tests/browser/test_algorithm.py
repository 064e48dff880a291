"""The Algorithm screen in a real browser."""

import io
import re

import numpy as np
import pandas as pd
from playwright.sync_api import Locator, Page, expect

from pages.ui.algorithm.position import PACE
from rtp import PRESETS, Scenario
from rtp.classroom.consequences import privacy
from rtp.classroom.experiments import experiments
from rtp.classroom.lesson import Lesson, lesson, small_street
from rtp.classroom.lines import LAST, lines
from rtp.clock import when
from tests.browser.lab import DESKTOP, PHONE, Lab, drawn, metrics


def street(scenario: Scenario, houses: int = 4) -> Lesson:
    return lesson(small_street(scenario, houses), {})


def slider(page: Page, name: str) -> Locator:
    return page.locator(f"[class*='st-key-slider-{name}-'] input:visible")


def clock(page: Page) -> str:
    """The step that the slider shows."""
    return str(slider(page, "step").get_attribute("aria-valuetext"))


def check(page: Page, taught: Lesson, t: int) -> None:
    """The page shows the engine's numbers, in the tiles and in every line."""
    step = taught.at(t)
    assert clock(page) == when(t)
    assert metrics(page)[2:6] == [
        f"{step.sensitivity:.4g}",
        f"{step.scale:.4g}",
        f"{taught.release.optimal[t]:,.4f}",
        f"{step.published:,.4f}",
    ]
    text = page.get_by_role("tabpanel").first.inner_text()
    for line in lines(taught, t, 0):
        assert line.value in text, line


def test_the_lesson_from_its_address_to_a_phone(lab: Lab) -> None:
    page = lab.open("/Algorithm")
    lab.check(page)
    lab.show(page, "dark", PHONE)
    lab.check(page)
    lab.show(page, "light", DESKTOP)

    lab.fill(page, "Seed", "2")
    t = play_and_stop(lab, page, street(Scenario(seed=2)))
    lines_and_download(lab, page, street(Scenario(seed=2)), t)
    lab.press(page, "Reset")
    lab.show(page, "dark", DESKTOP)
    try_experiments(lab, page, street(Scenario()))
    make_moves(lab, page, street(Scenario()))
    lab.press(page, "Take all moves back")
    lab.tab(page, "Algorithm 1")
    lab.choose(page, "Preset", "Unsure curator")
    eight_houses_and_several_models(lab, page, PRESETS["unsure curator"])


def play_and_stop(lab: Lab, page: Page, taught: Lesson) -> int:
    """Gives the step at which it stood still."""
    check(page, taught, 0)
    assert drawn(page, f"Published {taught.at(0).published:,.4f}", 2, "x")[0] == taught.at(0).published
    page.get_by_role("button", name="Play", exact=True).click()
    stop = page.get_by_role("button", name="Stop", exact=True)
    expect(stop).to_be_visible()
    expect(slider(page, "step")).to_have_attribute(
        "aria-valuetext", re.compile("00:30|00:45|01:.*"), timeout=60_000
    )
    stop.click()
    lab.settle(page)
    reached = clock(page)
    page.wait_for_timeout(2000 * PACE.tick)
    assert clock(page) == reached, "stopped means stopped"
    t = [when(step) for step in range(96)].index(reached)
    check(page, taught, t)
    return t


def lines_and_download(lab: Lab, page: Page, taught: Lesson, t: int) -> None:
    lab.press(page, "Previous")
    check(page, taught, t - 1)
    lab.press(page, "Next line")
    expect(page.get_by_test_id("stMetricValue").first).to_have_text("…")
    lab.press(page, "Whole step")
    check(page, taught, t)

    with page.expect_download() as download:
        page.get_by_role("button", name="This step's table as CSV").click()
    assert download.value.suggested_filename == f"step_{t + 1:02d}.csv"
    table = pd.read_csv(io.BytesIO(download.value.path().read_bytes()))
    own = taught.at(t).models[0]
    np.testing.assert_allclose(table["prior"], own.prior, rtol=1e-15)
    np.testing.assert_allclose(table["Pr[r̂|state]"], taught.at(t).likelihood, rtol=1e-15)
    np.testing.assert_allclose(table["posterior"], own.posterior, rtol=1e-15)


def try_experiments(lab: Lab, page: Page, base: Lesson) -> None:
    lab.tab(page, "Try this")
    known, nobody, giant = experiments(base)
    for experiment in (known, nobody, giant):
        lab.press(page, experiment.title)
        moved = lesson(base.scenario, experiment.moves)
        assert metrics(page)[3] == f"{moved.at(experiment.step).scale:.4g}"
        told = page.get_by_test_id("stAlert").inner_text()
        assert privacy(moved, experiment.step) in told
        assert ("exact rate" in told) == (experiment is nobody)
        if experiment is nobody:
            lab.check(page)


def make_moves(lab: Lab, page: Page, base: Lesson) -> None:
    known = experiments(base)[0]
    lab.tab(page, "Make a move")
    lab.press(page, "Take all moves back")
    assert metrics(page)[3] == f"{base.at(known.step).scale:.4g}"
    (house,) = known.moves
    lab.pick(page, str(house))
    lab.pick(page, "surely empty")
    lab.press(page, "arrive")
    assert metrics(page)[1] == "3 of 4"
    lab.fill(page, "Its bound: the most it can use", "0")
    expect(page.get_by_text("it must be a number from 1e-06 to 1,000,000")).to_be_visible()
    assert metrics(page)[1] == "3 of 4"
    lab.fill(page, "Its bound: the most it can use", "7")
    lab.pick(page, "as the model says")
    assert metrics(page)[2] == "7"
    lab.check(page)


def eight_houses_and_several_models(lab: Lab, page: Page, scenario: Scenario) -> None:
    taught = street(scenario, 8)
    lab.show(page, "light", PHONE)
    slider(page, "houses").press("End")
    lab.settle(page)
    slider(page, "step").press("Home")
    lab.settle(page)
    assert metrics(page)[0].endswith("of 256")
    lab.press(page, "Next")
    assert metrics(page)[5] == f"{taught.at(1).published:,.4f}"
    sensitivities = [model.sensitivity for model in taught.at(1).models]
    names = [model.name for model in scenario.models]
    marked = page.get_by_test_id("stMetric").filter(has_text="the maximum")
    expect(marked).to_have_count(1)
    expect(marked).to_contain_text(names[int(np.argmax(sensitivities))])
    lab.tab(page, names[1])
    text = page.get_by_role("tabpanel").first.inner_text()
    assert lines(taught, 1, 1)[4].value in text
    assert lines(taught, 1, 1)[LAST - 2].value in text
    page.get_by_text("Every state of this step").click()
    lab.settle(page)
    expect(page.get_by_test_id("stDataFrame")).to_be_visible()
    lab.check(page)
