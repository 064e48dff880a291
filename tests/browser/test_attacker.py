"""The Attacker screen in a real browser."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
from playwright.sync_api import Page, expect

from rtp import Scenario, simulate
from rtp.attacker.observer import posterior
from rtp.audit.exact import accounts
from tests.browser.lab import Lab

TABS = ("How well does she do?", "The street", "The audit", "One house")
DRAWN = """([key, name]) => {
    const chart = document.querySelector(`.st-key-${key} .js-plotly-plot`);
    return Array.from(chart._fullData.find((trace) => trace.name === name).y);
}"""
SCENARIO = Scenario().replace(households=40, epsilon=0.8)
LINK = "households=40&epsilon=0.8"


def metric(page: Page, label: str) -> str:
    box = page.get_by_test_id("stMetric").filter(has=page.get_by_text(label, exact=True))
    return box.get_by_test_id("stMetricValue").inner_text()


def test_every_control_acts_and_the_numbers_are_the_engines(lab: Lab, tmp_path: Path) -> None:
    page = lab.open("/Attacker", LINK)
    main, day = page.get_by_test_id("stMain"), simulate(SCENARIO)
    assert lab.axe(page) == []
    seen = posterior(day, "blowfish")
    most = int(seen.exposure.argmax())
    assert page.evaluate(DRAWN, ["belief", "Her belief"]) == seen.belief[:, most].tolist()
    assert page.evaluate(DRAWN, ["belief", "The model alone"]) == seen.model_only[:, most].tolist()

    page.get_by_role("combobox", name="The rate she sees").click()
    page.get_by_role("option", name="Calibrated").click()
    lab.settle(page)
    page.get_by_role("radio", name="everyone else's consumption").click()
    lab.settle(page)
    page.get_by_label("House", exact=True).fill("7")
    page.get_by_label("House", exact=True).press("Enter")
    lab.settle(page)
    seen = posterior(day, "calibrated", knows="others")
    assert page.evaluate(DRAWN, ["belief", "Her belief"]) == seen.belief[:, 7].tolist()
    assert page.evaluate(DRAWN, ["belief", "Evidence of the step"]) == seen.log_evidence[:, 7].tolist()
    assert metric(page, "Largest evidence") == f"{np.abs(seen.log_evidence[:, 7]).max():.3f}"
    with page.expect_download() as download:
        page.get_by_role("button", name="Beliefs as CSV").click()
    download.value.save_as(tmp_path / "beliefs.csv")
    frame = pd.read_csv(tmp_path / "beliefs.csv")
    np.testing.assert_allclose(frame["belief"], seen.belief.T.ravel(), rtol=1e-12)

    said = page.get_by_test_id("stMetric").filter(has_text="Truth").get_by_text("at ")
    main.get_by_role("button", name="Play").click()
    expect(main.get_by_role("button", name="Stop")).to_be_visible(timeout=20_000)
    expect(said).not_to_have_text(re.compile("00:00|23:45"), timeout=30_000)
    main.get_by_role("button", name="Stop").click()
    expect(main.get_by_role("button", name="Play")).to_be_visible(timeout=20_000)
    lab.settle(page)
    stopped = said.inner_text()
    hour, minute = stopped.removeprefix("at ").split(":")
    step = int(hour) * 4 + int(minute) // 15
    assert page.evaluate(DRAWN, ["belief", "Her belief"]) == seen.belief[: step + 1, 7].tolist()
    assert metric(page, "She says") == f"{seen.belief[step, 7]:.1%} occupied"
    page.wait_for_timeout(1500)
    assert said.inner_text() == stopped

    page.get_by_role("button", name="Shrink to 5 houses").click()
    lab.settle(page)
    assert "households=5" in page.url
    five = simulate(SCENARIO.replace(households=5))
    seen = posterior(five, "optimal", knows="others")
    assert f"House {seen.exposure.argmax()}" in main.inner_text()
    assert "the rate is proof" in main.inner_text()
    page.get_by_role("button", name="Back to 40 houses").click()
    lab.settle(page)
    assert "households=40" in page.url


def test_many_days_and_the_experiment_run_beside_the_page_until_stopped(lab: Lab) -> None:
    page = lab.open("/Attacker", LINK)
    main = page.get_by_test_id("stMain")
    page.get_by_role("tab", name="How well does she do?").click()
    lab.settle(page)
    expect(main.get_by_text("Days: 1.")).to_be_visible()
    page.get_by_role("radio", name="everyone else's consumption").click()
    lab.settle(page)
    page.get_by_label("Days to attack", exact=True).fill("1000")
    page.get_by_label("Days to attack", exact=True).press("Enter")
    lab.settle(page)
    page.get_by_role("button", name="Attack 1,000 days").click()
    expect(page.get_by_test_id("stProgress")).to_be_visible(timeout=20_000)
    expect(main.get_by_text("intervals over days")).to_be_visible(timeout=30_000)
    main.get_by_role("button", name="Stop").click()
    expect(main.get_by_text("what was finished is kept")).to_be_visible(timeout=30_000)
    lab.settle(page)
    expect(
        main.get_by_role("row").filter(has_text="Forecast")
    ).to_be_visible()  # all rates, from several days
    page.get_by_role("radio", name="Her belief, habits included").click()
    lab.settle(page)
    expect(page.locator(".st-key-roc").get_by_text("The model alone, area")).to_be_visible()

    page.get_by_role("tab", name="The audit").click()
    lab.settle(page)
    exact = accounts(simulate(SCENARIO))["calibrated"]
    row = main.get_by_role("row").filter(has_text="Calibrated")
    expect(row.first).to_contain_text(f"{exact.spent.max():.3f}")
    expect(row.first).to_contain_text(f"{exact.setter} (")
    page.get_by_role("button", name="Put it to the test").click()
    expect(main.get_by_text("neither exactly nor by experiment")).to_be_visible(timeout=60_000)
    lab.settle(page)
    expect(row.nth(1)).to_contain_text("at least 0.7")  # of 0.8, from a million releases
    expect(main.get_by_text("What ε·T = 76.8 means.")).to_be_visible()


def test_every_tab_is_accessible_and_fits_a_phone(lab: Lab) -> None:
    phone = lab.open("/Attacker", LINK, theme="dark", width=390, height=844)
    for tab in TABS:
        phone.get_by_role("tab", name=tab).click()
        lab.settle(phone)
        assert phone.get_by_test_id("stPlotlyChart").count() == 1
        assert lab.axe(phone) == []
        assert phone.evaluate("document.scrollingElement.scrollWidth") <= 390
