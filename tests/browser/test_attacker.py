"""The Attacker screen in a real browser."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Page, expect

from pages.ui.clock import Clock
from rtp import Scenario, simulate
from rtp.attack.adversary import posterior
from rtp.audit.exact import exact_losses
from rtp.simulation import Day
from tests.browser.breath import breath
from tests.browser.lab import Lab, drawn, metric, sees

SCENARIO = Scenario(households=40, epsilon=0.8)
FIVE = SCENARIO.replace(households=5)


def test_the_attack_from_its_address_to_a_small_street(walk: Lab, tmp_path: Path) -> None:
    lab, page = walk, walk.open("/Attacker", "households=40&epsilon=0.8&rate=calibrated")
    stopped = one_house(lab, page, simulate(SCENARIO), tmp_path / "beliefs.csv")
    shrink(lab, page, stopped)


@pytest.mark.long
def test_many_days_and_the_audit(long_walk: Lab) -> None:
    lab, page = long_walk, long_walk.open("/Attacker", "households=5&epsilon=0.8&rate=calibrated")
    many_days(lab, page)
    lab.check(page)
    audit(lab, page)


def one_house(lab: Lab, page: Page, day: Day, file: Path) -> int:
    """Ends with a play that is stopped, at the step it returns."""
    seen = posterior(day, "calibrated")
    most = int(seen.exposure.argmax())
    sees(page, lambda: drawn(page, "Her belief, calibrated", "belief"), seen.belief[:, most].tolist())
    sees(page, lambda: drawn(page, "The model alone", "belief"), seen.model_only[:, most].tolist())
    unprotected = posterior(day, "optimal").belief[:, most].tolist()
    sees(page, lambda: drawn(page, "Her belief, unprotected", "belief"), unprotected)

    # The strongest attack, one click away, on another house.
    breath(lab, page, ("Let her know what everyone else used", None), ("number-attacker-house", "7"))
    seen = posterior(day, "calibrated", adversary="insider")
    sees(page, lambda: drawn(page, "Her belief, calibrated", "belief"), seen.belief[:, 7].tolist())
    sees(
        page, lambda: drawn(page, "Evidence, calibrated", "belief"), seen.log_likelihood_ratio[:, 7].tolist()
    )
    with page.expect_download() as download:
        page.get_by_role("button", name="Beliefs as CSV").click()
    download.value.save_as(file)
    np.testing.assert_allclose(pd.read_csv(file)["belief"], seen.belief.T.ravel(), rtol=1e-12)

    main = page.get_by_test_id("stMain")
    said = page.get_by_test_id("stMetric").get_by_text("Truth at ")
    main.get_by_role("button", name="Play").click()
    expect(main.get_by_role("button", name="Stop")).to_be_visible(timeout=20_000)
    expect(said).not_to_have_text(re.compile("00:00|23:45"), timeout=30_000)
    main.get_by_role("button", name="Stop").click()
    expect(main.get_by_role("button", name="Play")).to_be_visible(timeout=20_000)
    lab.settle(page)
    stopped = said.inner_text()
    hour, minute = stopped.removeprefix("Truth at ").split(":")
    step = int(hour) * 4 + int(minute) // 15
    sees(page, lambda: drawn(page, "Her belief, calibrated", "belief"), seen.belief[: step + 1, 7].tolist())
    sees(page, lambda: metric(page, "Calibrated: she says"), f"{seen.belief[step, 7]:.1%} occupied")
    page.wait_for_timeout(1500 * Clock.seconds)
    assert said.inner_text() == stopped
    return step


def shrink(lab: Lab, page: Page, step: int) -> None:
    main = page.get_by_test_id("stMain")
    lab.press(page, "Shrink to 5 houses")
    sees(page, lambda: "households=5" in page.url)
    seen = posterior(simulate(FIVE), "optimal", adversary="insider")
    sees(page, lambda: f"House {seen.exposure.argmax()}" in main.inner_text())
    so_far = seen.log_likelihood_ratio[: step + 1, seen.exposure.argmax()]
    proofs = f"{np.isinf(so_far).sum()} proof" if np.isinf(so_far).any() else "no proof"
    sees(page, lambda: f"%, {proofs}" in page.locator(".st-key-belief").inner_text())
    lab.check(page)


def many_days(lab: Lab, page: Page) -> None:
    """They run beside the page."""
    main = page.get_by_test_id("stMain")
    lab.tab(page, "How well does she do?")
    expect(main.get_by_text("Days: 1.")).to_be_visible()
    page.get_by_role("button", name="Attack 20 days").click()
    expect(main.get_by_text("as bands, 95 % intervals over days")).to_be_visible(timeout=30_000)
    expect(main.get_by_role("button", name="Stop")).to_have_count(0, timeout=30_000)
    lab.settle(page)
    # All rates, from several days.
    expect(main.get_by_role("row").filter(has_text="Forecast")).to_be_visible()


def audit(lab: Lab, page: Page) -> None:
    main = page.get_by_test_id("stMain")
    lab.tab(page, "The audit")
    exact = exact_losses(simulate(FIVE))["calibrated"]
    row = main.get_by_role("row").filter(has_text="Calibrated")
    expect(row.first).to_contain_text(f"{exact.spent.max():.3g}")
    expect(row.first).to_contain_text(f"{exact.setter} (")
    page.get_by_role("button", name="Put it to the test").click()
    expect(main.get_by_text("neither exactly nor by experiment")).to_be_visible(timeout=60_000)
    lab.settle(page)
    expect(row.nth(1)).to_contain_text("noise below 96")  # the smallest flaw that 400 days show
    expect(main.get_by_text("What ε·T = 76.8 means.")).to_be_visible()
    lab.check(page)
