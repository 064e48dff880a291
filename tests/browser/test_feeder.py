"""An analyst's question in a real browser, from a table of groups to the answer, with every action counted.

If we publish a price every 15 minutes for our feeder, which noise do we need, what does it cost, and can a
neighbour still tell who is away? Money and errors are then worked out again with plain pandas.
"""

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Page, expect

from rtp import PRESETS, Group, Scenario
from rtp.core.formatting import percent, plain
from rtp.decision import Decision, decide
from rtp.output.decision import answer_sentence, warnings
from rtp.scenario.share import read_link
from rtp.scenario.units import amount
from tests.browser.lab import Lab, sees

DESCRIBED, ANSWERED = 20, 30  # actions at most
ACCEPTED, RATE = 3.0, "calibrated"
# One line per group, as it is copied from a spreadsheet: what a house can use at most, in kilowatts.
TABLE = "group\thouses\toccupied_max\tempty_max\nFlats\t120\t3\t0.2\nHouses\t50\t5\t0.4\nShops\t10\t12\t0.6\n"


def addressed(page: Page) -> Scenario:
    return read_link(dict(parse_qsl(urlsplit(page.url).query))).scenario


def feeder() -> Scenario:
    """The same by hand: houses vary from half to all of the peak, and every group has the flats' weekend."""
    bounds = {"Flats": (120, 3.0, 0.2), "Houses": (50, 5.0, 0.4), "Shops": (10, 12.0, 0.6)}
    groups = tuple(
        Group(
            name=name,
            share=houses / 180,
            occupied_min=peak / 2,
            occupied_max=peak,
            empty_min=standby / 2,
            empty_max=standby,
        )
        for name, (houses, peak, standby) in bounds.items()
    )
    plain = PRESETS["feeder"].replace(groups=groups, alpha=0.0007, beta=0.12)
    flats = plain.models[0].habits[0]
    morning, *rest = flats.weekend or ()
    weekend = (morning.replace(matrix=((0.8, 0.2), (0.4, 0.6))), *rest)
    habits = tuple(each.replace(weekend=weekend) for each in plain.models[0].habits)
    return plain.replace(models=(plain.models[0].replace(habits=habits),))


@pytest.mark.long
def test_a_feeder_is_answered_in_thirty_actions(lab: Lab, tmp_path: Path) -> None:
    page = lab.open()
    described = _describe(lab, page)
    assert len(described) <= DESCRIBED
    for act in described:
        act()
    sees(page, lambda: addressed(page), feeder())
    lab.check(page)

    asked = _ask(lab, page)
    for act in asked:
        act()
    found = decide(feeder(), RATE, ACCEPTED)
    expect(page.get_by_text(re.sub(r"\*\*", "", answer_sentence(found)))).to_be_visible(timeout=120_000)
    for line in warnings(found):
        expect(page.get_by_text(line.split("**")[1]).first).to_be_visible()
    lab.check(page)

    taken = _take_away(lab, page, found.scenario.epsilon, tmp_path)
    assert len(described) + len(asked) + len(taken) <= ANSWERED
    money, *rest = taken
    money()
    money_is_the_mean_of_its_months(page, found, tmp_path / "months.csv")
    for act in rest:
        act()
    errors_follow_from_the_day(page, found, tmp_path / "day.csv")
    page.goto((tmp_path / "answer.html").as_uri())
    assert len(re.findall(rb"/Type /Page\b", page.pdf(prefer_css_page_size=True))) == 2, "sheets of paper"


def _describe(lab: Lab, page: Page) -> list[Callable[[], None]]:
    def paste() -> None:
        page.get_by_label("Pasted table").fill(TABLE)
        page.get_by_label("Pasted table").press("Control+Enter")
        lab.settle(page)

    def leave() -> None:
        box = page.get_by_test_id("stMain").get_by_label("Leave", exact=True).first
        box.fill("0.4")
        box.press("Enter")
        lab.settle(page)

    return [
        lambda: lab.choose(page, "Preset", "Feeder"),
        lambda: lab.go(page, "Households"),
        lambda: _open(lab, page, "Paste or upload a table"),
        paste,
        lambda: lab.press(page, "Use the pasted table"),
        lambda: lab.fill(page, "α (EUR/kWh per kW)", "0.0007"),
        lambda: lab.fill(page, "β (EUR/kWh)", "0.12"),
        lambda: lab.pick(page, "Weekend"),
        leave,
        lambda: lab.press(page, "Copy this weekend to all groups"),
    ]


def _ask(lab: Lab, page: Page) -> list[Callable[[], None]]:
    return [
        lambda: lab.go(page, "Answer"),
        lambda: lab.fill(page, "I can accept this error (%)", f"{ACCEPTED:g}"),
        lambda: lab.pick(page, "Calibrated"),
    ]


def _take_away(lab: Lab, page: Page, epsilon: float, folder: Path) -> list[Callable[[], None]]:
    return [
        lambda: _save(page, "Money as CSV", folder / "months.csv"),
        lambda: _save(page, "Report", folder / "answer.html"),
        lambda: lab.press(page, f"Use ε = {plain(epsilon)} on every screen"),
        lambda: lab.go(page, "Explore"),
        lambda: _open(lab, page, "Download or upload"),
        lambda: _save(page, "Day as CSV", folder / "day.csv"),
    ]


def _open(lab: Lab, page: Page, section: str) -> None:
    page.get_by_text(section, exact=True).first.click()
    lab.settle(page)


def _save(page: Page, button: str, target: Path) -> None:
    with page.expect_download() as taken:
        page.get_by_role("button", name=button, exact=True).click()
    taken.value.save_as(target)


def money_is_the_mean_of_its_months(page: Page, found: Decision, file: Path) -> None:
    months = pd.read_csv(file)
    assert months.lab_units.unique().tolist() == ["kW and EUR"]
    assert months.lab_step_minutes.unique().tolist() == [15]
    earned = months.groupby("repetition").utility_earns_EUR.first().mean()
    change = np.average(months.bill_change_EUR, weights=months.stands_for)
    assert earned == pytest.approx(-found.money.loss.value, rel=1e-9)
    assert change == pytest.approx(found.money.bills.mean.value, rel=1e-9)
    every = months[months.group == "Shops"].groupby("household").bill_change_EUR.mean()
    assert every.mean() == pytest.approx(found.money.groups["Shops"].mean.value, rel=1e-9)
    worst = [  # 180 houses, each followed and standing for itself: the 18 whose bill rises most
        month.bill_change_EUR.nlargest(18).mean() for _, month in months.groupby("repetition")
    ]
    assert np.mean(worst) == pytest.approx(found.money.bills.worst.value, rel=1e-9)
    for value in (abs(earned), abs(change)):
        expect(page.get_by_text(amount(value, found.scenario)).first).to_be_attached()


def errors_follow_from_the_day(page: Page, found: Decision, file: Path) -> None:
    """A rate with Laplace noise of scale b misses by √(2b²) on average; b goes with 1/ε."""
    day = pd.read_csv(file)
    optimal, rate = day.optimal_rate_EUR_per_kWh, day.calibrated_rate_EUR_per_kWh
    error = np.sqrt((((rate - optimal) / optimal) ** 2).mean())
    said = f"the Calibrated rate misses the optimal one by {percent(error)} of its value"
    expect(page.get_by_text(said)).to_be_visible()
    for name in ("naive", "blowfish", RATE):
        scale = day[f"{name}_scale_EUR_per_kWh"] * found.scenario.epsilon / found.options[name].epsilon
        expected = np.sqrt((2 * scale**2 / optimal**2).mean())
        assert expected == pytest.approx(found.options[name].error, rel=1e-6)
    assert addressed(page) == found.scenario


@pytest.mark.long
def test_a_bad_table_is_refused_beside_it_and_a_house_is_left_out(lab: Lab) -> None:
    page = lab.open("/Households", "households=30")
    _open(lab, page, "Paste or upload a table")
    box = page.get_by_label("Pasted table")
    box.fill("house;group;occupied;empty\nA;Households;1,2;0,1\nB;Households;-3;0,1\n")
    box.press("Control+Enter")
    lab.press(page, "Use the pasted table")
    expect(page.get_by_text("Row 3, column occupied is -3.0; it must be a number from 0 to")).to_be_visible()
    box.fill("house;group;occupied;empty\nA;Households;1,2;0,1\nB;Households;3;0,1\n")
    box.press("Control+Enter")
    lab.press(page, "Use the pasted table")
    lab.check(page)
    listed = addressed(page)
    assert [house.name for house in listed.houses or ()] == ["A", "B"]
    lab.tab(page, "Houses one by one")
    page.locator(".dvn-scroller").click(position={"x": 20, "y": 88})  # tick B
    lab.settle(page)
    expect(page.get_by_text("Without B, 1 house stays.")).to_be_visible()
    lab.press(page, "Leave it out")
    expect(page.get_by_text("Mean noise scale of the Blowfish rate: 6 → 2.4")).to_be_visible()
    lab.take(page, "houses.csv")
