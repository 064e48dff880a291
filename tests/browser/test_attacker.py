"""The Attack screen in a real browser."""

import io

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Page, expect

from pages.ui.clock import Clock
from rtp import Scenario, simulate
from rtp.attack.adversary import posterior
from rtp.simulation import Day
from tests.browser.lab import LONGEST, Lab, button, drawn, part, sees, slider

SCENARIO = Scenario(households=40, epsilon=0.8)
BELIEF = "Her belief, calibrated"


@pytest.mark.long
def test_the_attack_from_its_address(long_walk: Lab) -> None:
    lab, page = long_walk, long_walk.open("/Attacker", "households=40&epsilon=0.8&rate=calibrated")
    one_house(lab, page, simulate(SCENARIO))
    lab.check(page)


@pytest.mark.long
def test_many_days_and_the_audit(long_walk: Lab) -> None:
    """Both run beside the page, for all rates."""
    lab, page = long_walk, long_walk.open("/Attacker", "households=5&epsilon=0.8&rate=calibrated")
    rows = page.get_by_test_id("stMain").get_by_role("row")
    for tab, job in ((1, "attack"), (4, "audit")):
        lab.tab(page, "attack:tab", tab)
        more = rows.nth(rows.count())
        button(page, f"start:{job}").click()
        expect(more).to_be_visible(timeout=2000 * LONGEST)
        expect(part(page, f"stop:{job}")).to_have_count(0, timeout=2000 * LONGEST)
        lab.settle(page)
        lab.check(page)


def one_house(lab: Lab, page: Page, day: Day) -> None:
    """Ends with a play that is stopped."""
    seen = posterior(day, "calibrated")
    most = int(seen.exposure.argmax())
    sees(page, lambda: drawn(page, BELIEF, "belief"), seen.belief[:, most].tolist())
    optimal = posterior(day, "optimal").belief[:, most].tolist()
    sees(page, lambda: drawn(page, "Her belief, optimal", "belief"), optimal)

    lab.fill(page, "attacker:house", "8")
    sees(page, lambda: drawn(page, BELIEF, "belief"), seen.belief[:, 7].tolist())
    taken = pd.read_csv(io.BytesIO(lab.save(page, "beliefs.csv")))
    np.testing.assert_allclose(taken["belief"], seen.belief.T.ravel(), rtol=1e-12)

    button(page, "attacker:play").click()
    expect(part(page, "attacker:stop")).to_be_visible(timeout=1000 * LONGEST)
    sees(page, lambda: 0 < at(page) < day.scenario.steps - 1)
    button(page, "attacker:stop").click()
    expect(part(page, "attacker:play")).to_be_visible(timeout=1000 * LONGEST)
    lab.settle(page)
    step = at(page)
    sees(page, lambda: drawn(page, BELIEF, "belief"), seen.belief[: step + 1, 7].tolist())
    page.wait_for_timeout(1500 * Clock.seconds)
    assert at(page) == step, "stopped means stopped"


def at(page: Page) -> int:
    return int(slider(page, "Time").input_value())
