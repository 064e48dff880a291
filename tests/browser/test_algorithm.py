"""The Algorithm screen in a real browser."""

import io
import re

import numpy as np
import pandas as pd
from playwright.sync_api import Locator, Page, expect

from rtp import PRESETS, Scenario
from rtp.classroom.consequences import privacy
from rtp.classroom.experiments import experiments
from rtp.classroom.lesson import Lesson, lesson, small_street
from rtp.classroom.lines import LAST, lines
from rtp.clock import when
from scripts.serve import Server
from tests.browser.lab import Lab

WIDER_THAN_THE_WINDOW = "document.scrollingElement.scrollWidth > window.innerWidth"


def street(scenario: Scenario, houses: int = 4) -> Lesson:
    return lesson(small_street(scenario, houses), {})


def press(lab: Lab, page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()
    lab.settle(page)


def slider(page: Page, name: str) -> Locator:
    return page.locator(f".st-key-slider-{name} input")


def clock(page: Page) -> str:
    """The step that the slider shows."""
    return str(slider(page, "step").get_attribute("aria-valuetext"))


def values(page: Page) -> list[str]:
    return page.get_by_test_id("stMetricValue").all_inner_texts()


def check(page: Page, taught: Lesson, t: int) -> None:
    """The page shows the engine's numbers, in the tiles and in every line."""
    step = taught.at(t)
    assert clock(page) == when(t)
    assert values(page)[2:6] == [
        f"{step.sensitivity:.4g}",
        f"{step.scale:.4g}",
        f"{taught.release.optimal[t]:,.4f}",
        f"{step.published:,.4f}",
    ]
    text = page.get_by_role("tabpanel").first.inner_text()
    for line in lines(taught, t, 0):
        assert line.value in text, line


def curve(page: Page, chart: int, name: str, axis: str) -> list[float]:
    """The numbers that the browser draws."""
    script = """([chart, name, axis]) => {
        const plot = document.querySelectorAll('.js-plotly-plot')[chart];
        return Array.from(plot._fullData.find((trace) => trace.name === name)[axis]);
    }"""
    return list(page.evaluate(script, [chart, name, axis]))


def test_play_stop_lines_pictures_and_download(lab: Lab) -> None:
    taught = street(Scenario(seed=2))
    page = lab.open("/Algorithm", query="seed=2")
    check(page, taught, 0)
    assert curve(page, 2, f"Published {taught.at(0).published:,.4f}", "x")[0] == taught.at(0).published

    page.get_by_role("button", name="Play", exact=True).click()
    stop = page.get_by_role("button", name="Stop", exact=True)
    expect(stop).to_be_visible()
    expect(slider(page, "step")).to_have_attribute(
        "aria-valuetext", re.compile("00:30|00:45|01:.*"), timeout=60_000
    )
    stop.click()
    lab.settle(page)
    reached = clock(page)
    page.wait_for_timeout(3000)
    assert clock(page) == reached, "stopped means stopped"
    t = [when(step) for step in range(96)].index(reached)
    check(page, taught, t)

    press(lab, page, "Previous")
    check(page, taught, t - 1)
    press(lab, page, "Next line")
    expect(page.get_by_test_id("stMetricValue").first).to_have_text("…")
    press(lab, page, "Whole step")
    check(page, taught, t)

    with page.expect_download() as download:
        page.get_by_role("button", name="This step's table as CSV").click()
    assert download.value.suggested_filename == f"step_{t + 1:02d}.csv"
    table = pd.read_csv(io.BytesIO(download.value.path().read_bytes()))
    own = taught.at(t).models[0]
    np.testing.assert_allclose(table["prior"], own.prior, rtol=1e-15)
    np.testing.assert_allclose(table["Pr[r̂|state]"], taught.at(t).likelihood, rtol=1e-15)
    np.testing.assert_allclose(table["posterior"], own.posterior, rtol=1e-15)


def test_moves_and_experiments_on_the_page(lab: Lab, fresh_server: Server) -> None:
    base = street(Scenario())
    page = lab.open("/Algorithm", theme="dark")
    page.get_by_role("tab", name="Try this").click()
    known, nobody, giant = experiments(base)
    for experiment in (known, nobody, giant):
        press(lab, page, experiment.title)
        moved = lesson(base.scenario, experiment.moves)
        step = moved.at(experiment.step)
        assert values(page)[3] == f"{step.scale:.4g}"
        told = page.locator('[data-testid="stAlert"]').inner_text()
        assert privacy(moved, experiment.step) in told
        assert ("exact rate" in told) == (experiment is nobody)
        if experiment is nobody:
            assert lab.axe(page) == []
    page.get_by_role("tab", name="Make a move").click()
    press(lab, page, "Take all moves back")
    assert values(page)[3] == f"{base.at(known.step).scale:.4g}"
    (house,) = known.moves
    page.get_by_role("radio", name=str(house), exact=True).click()
    lab.settle(page)
    page.get_by_role("radio", name="surely empty").click()
    lab.settle(page)
    page.get_by_role("button", name="arrive", exact=True).click()
    lab.settle(page)
    assert values(page)[1] == "3 of 4"
    bound = page.get_by_label("Its bound: the most it can use")
    bound.fill("0")
    bound.press("Enter")
    lab.settle(page)
    expect(page.get_by_text("Number is outside the allowed range").first).to_be_visible()
    assert values(page)[1] == "3 of 4"
    bound.fill("7")
    bound.press("Enter")
    lab.settle(page)
    page.get_by_role("radio", name="as the model says").click()
    lab.settle(page)
    assert values(page)[2] == "7"
    assert lab.axe(page) == []
    assert "Traceback" not in fresh_server.log()


def test_eight_houses_and_several_models_on_a_phone(lab: Lab) -> None:
    scenario = PRESETS["unsure curator"]
    taught = street(scenario, 8)
    page = lab.open("/Algorithm", query="preset=unsure+curator", width=390, height=844)
    slider(page, "houses").press("End")
    lab.settle(page)
    assert values(page)[0].endswith("of 256")
    press(lab, page, "Next")
    assert values(page)[5] == f"{taught.at(1).published:,.4f}"
    loud = [m.sensitivity for m in taught.at(1).models]
    names = [model.name for model in scenario.models]
    marked = page.get_by_test_id("stMetric").filter(has_text="the maximum")
    expect(marked).to_have_count(1)
    expect(marked).to_contain_text(names[int(np.argmax(loud))])
    page.get_by_role("tab", name=names[1]).click()
    lab.settle(page)
    assert lines(taught, 1, 1)[4].value in page.get_by_role("tabpanel").first.inner_text()
    assert lines(taught, 1, 1)[LAST - 2].value in page.get_by_role("tabpanel").first.inner_text()
    assert not page.evaluate(WIDER_THAN_THE_WINDOW)
    page.get_by_text("Every state of this step").click()
    lab.settle(page)
    expect(page.get_by_test_id("stDataFrame")).to_be_visible()
    assert not page.evaluate(WIDER_THAN_THE_WINDOW)
    assert lab.axe(page) == []
