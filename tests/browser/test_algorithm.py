"""The Algorithm screen in a real browser: the stage by keyboard alone, on every size of screen."""

import io
import re

import numpy as np
import pandas as pd
from playwright.sync_api import Page, expect

from rtp import PRESETS, Scenario
from rtp.core.time import when
from rtp.output.algorithm import lines
from rtp.teaching.experiments import experiments, reveal
from rtp.teaching.lines import LAST
from rtp.teaching.stage import MAX_STAGE_HOUSES, Stage, open_stage, opening, small_street
from tests.browser.lab import BEAMER, COUNT_ENTRIES, CROWDED, Lab, metrics, sees

CURATOR = PRESETS["unsure curator"]
PLACE = ".st-key-stage-place"
PARTS = (
    ".st-key-stage-bar",
    ".st-key-stage-listing",
    ".st-key-states-0 .js-plotly-plot",
    ".st-key-stage-numbers",
)
# Legends, titles and ticks that stick out of their chart.
CUT = """() => [...document.querySelectorAll('.js-plotly-plot')].flatMap((plot) => {
    const box = plot.getBoundingClientRect();
    const words = '.legendtext, .g-xtitle text, .g-ytitle text, .cbtitle text, .xtick text';
    return [...plot.querySelectorAll(words)]
        .filter((text) => {
            const own = text.getBoundingClientRect();
            return own.left < box.left - 1 || own.right > box.right + 1
                || own.top < box.top - 1 || own.bottom > box.bottom + 1;
        }).map((text) => text.textContent);
})"""


def stage(scenario: Scenario, houses: int = 4) -> Stage:
    small = small_street(scenario, houses)
    return open_stage(small, opening(small))


def place(step: int, line: int) -> str:
    return f"Step {step + 1} of 96 · {when(step)} · line {line} of {LAST}"


def stands(page: Page, step: int, line: int) -> None:
    """The bar, the listing and its scroller."""
    expect(page.locator(PLACE)).to_have_text(place(step, line))
    active = page.locator(".st-key-stage-listing .stMarkdownBadge")
    expect(active).to_have_text(str(line))
    expect(active).to_be_in_viewport()


def press(lab: Lab, page: Page, *keys: str) -> None:
    """Each is answered before the next: presses that arrive together count as one."""
    for key in keys:
        page.keyboard.press(key)
        lab.settle(page)


def check(page: Page, taught: Stage, t: int) -> None:
    """A whole step shows the engine's numbers, in the tiles and in every line."""
    step = taught.at(t)
    sees(
        page,
        lambda: metrics(page)[2:6],
        [
            f"{step.sensitivity:.4g}",
            f"{step.scale:.4g}",
            f"{taught.release.optimal[t]:,.4f}",
            f"{step.published:,.4f}",
        ],
    )
    text = page.locator(".st-key-stage-listing").inner_text()
    for line in lines(taught, t, 0):
        assert line.value in text, line


def test_the_stage_by_keyboard_an_experiment_a_download_and_several_models(walk: Lab) -> None:
    lab = walk
    page, taught = lab.open("/Algorithm", "preset=unsure+curator", theme="dark"), stage(CURATOR)
    assert page.evaluate(CROWDED) == []
    lab.show(page, "dark", BEAMER)
    by_keyboard_alone(lab, page, taught)
    plays_and_stops(lab, page)
    page.get_by_test_id("stMain").evaluate("(main) => { main.scrollTop = 700; }")
    expect(page.locator(".st-key-stage-bar")).to_be_in_viewport(ratio=0.99)
    sees(page, lambda: page.evaluate(CUT), [])
    page.keyboard.press("End")
    try_an_experiment(lab, page, taught, 2)
    download(page, taught, 2)
    five_houses_and_several_models(lab, page, 2)


def by_keyboard_alone(lab: Lab, page: Page, taught: Stage) -> None:
    """To the first line of the third step."""
    stands(page, 0, 1)
    for part in PARTS:
        expect(page.locator(part)).to_be_in_viewport(ratio=0.99)
    sees(page, lambda: page.evaluate(CUT), [])
    press(lab, page, *["ArrowDown"] * 6)
    stands(page, 0, 7)
    press(lab, page, "ArrowUp", "End", "ArrowRight", "ArrowRight", "ArrowLeft")
    stands(page, 1, LAST)
    check(page, taught, 1)
    sees(page, lambda: "step=1" in page.url)
    page.keyboard.press("ArrowDown")
    lab.settle(page)
    stands(page, 2, 1)


def plays_and_stops(lab: Lab, page: Page) -> None:
    address = page.url
    page.evaluate(COUNT_ENTRIES)
    page.keyboard.press("p")
    expect(page.locator(".st-key-stage-stop")).to_be_visible()
    expect(page.locator(PLACE)).to_have_text(re.compile(r"line [3-9] of"), timeout=60_000)
    assert page.url == address, "not an entry of the history for every tick"
    page.keyboard.press("p")
    expect(page.locator(".st-key-stage-play")).to_be_visible()
    lab.settle(page)
    reached = page.locator(PLACE).inner_text()
    page.wait_for_timeout(1500)
    assert page.locator(PLACE).inner_text() == reached, "stopped means stopped"
    sees(page, lambda: page.url != address)
    assert page.evaluate("entries") == 1


def try_an_experiment(lab: Lab, page: Page, taught: Stage, t: int) -> None:
    """It has its own step; undone, it leads back to this one. Ends with the table of its states."""
    known = experiments(taught)[0]
    run = page.locator(f".st-key-run-{known.key} button").first  # a hidden twin carries the help
    expect(run).to_be_disabled()
    lab.pick(page, known.answers[-1])
    run.click()
    lab.settle(page)
    moved = open_stage(taught.scenario, known.changes)
    sees(page, lambda: metrics(page)[3], f"{moved.at(known.step).scale:.4g}")
    expect(page.get_by_text(reveal(known, taught, moved).why)).to_be_visible()
    lab.check(page)
    page.locator(".st-key-undo-stage button").click()
    lab.tab(page, "Every state")
    check(page, taught, t)


def download(page: Page, taught: Stage, t: int) -> None:
    with page.expect_download() as taken:
        page.get_by_role("button", name="This step's table as CSV").click()
    assert taken.value.suggested_filename == f"step_{t + 1:02d}.csv"
    table = pd.read_csv(io.BytesIO(taken.value.path().read_bytes()))
    for model, own in zip(CURATOR.models, taught.at(t).models, strict=True):
        np.testing.assert_allclose(table[f"posterior, {model.name}"], own.posterior, rtol=1e-15)


def five_houses_and_several_models(lab: Lab, page: Page, t: int) -> None:
    taught, t = stage(CURATOR, MAX_STAGE_HOUSES), t + 1
    page.locator("[class*='st-key-slider-houses-'] input:visible").press("End")
    page.locator(".st-key-stage-next button").click()
    names = [model.name for model in CURATOR.models]
    lab.tab(page, names[1])
    sees(page, lambda: metrics(page)[0].endswith(f"of {2**MAX_STAGE_HOUSES}"))
    sees(page, lambda: metrics(page)[5], f"{taught.at(t).published:,.4f}")
    sensitivities = [model.sensitivity for model in taught.at(t).models]
    marked = page.get_by_test_id("stMetric").filter(has_text="the maximum")
    expect(marked).to_have_count(1)
    expect(marked).to_contain_text(names[int(np.argmax(sensitivities))])
    expect(page.get_by_test_id("stDataFrame")).to_be_visible()
    sees(page, lambda: page.evaluate(CUT), [])
