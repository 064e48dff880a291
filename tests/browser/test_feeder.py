"""An analyst's question in a real browser, from a table of groups to the answer, with every action counted.

If we publish a price every 30 minutes for our feeder, which noise do we need, what does it cost, and can a
neighbour still tell who is away? Money is then worked out again with plain pandas.
"""

import io
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Locator, Page, expect

from pages.ui.params import ACCEPTED as ACCEPTED_ERROR
from pages.ui.params import HIDE, HIDE_EVERY
from pages.ui.street.houses import TABLE
from rtp.core.time import WEEKDAYS, StepMinutes
from rtp.decision import SECRETS, Answer, Wish, decide
from rtp.output.decision import answer_sentence
from rtp.simulation.prices import typical_prices
from tests.browser.lab import Lab, addressed, button, part

DESCRIBED, ANSWERED = 25, 30  # actions at most
WISH = Wish(secret="week", observer="outsider", error=12.0)
MINUTES: StepMinutes = 30
# One line per group, as it is copied from a spreadsheet.
GROUPS = """Group\tHouses\tPeak (kW)\tStandby\tkWh a year\tHabits\tOpening hours\tClosed
Terraced houses\t84\t9\t0.4\t3,100\tworking couple\t\t
Flats\t40\t5\t0,25\t1 900\tHome\t–\t–
Farms\t12\t25\t1.5\t14,000\tfarm\t\t
Shops\t9\t15\t0.8\t22,000\tshop\t9–18\tSunday
School\t1\t60\t4\t85,000\tschool\t8–15\tweekend
"""
PEAKS = {"Terraced houses": 9.0, "Flats": 5.0, "Farms": 25.0, "Shops": 15.0, "School": 60.0}
PRICES = (0.18, 0.42)  # EUR/kWh on a typical day


@pytest.mark.long
def test_a_feeder_is_answered_in_thirty_actions(lab: Lab, tmp_path: Path) -> None:
    page = lab.open()
    described = _describe(lab, page)
    assert len(described) <= DESCRIBED
    for act in described:
        act()
    street = addressed(page)
    assert {group.name: group.occupied_max for group in street.groups} == PEAKS
    assert street.groups[-1].occupied_min == PEAKS["School"], "one has its own"
    assert typical_prices(street) == pytest.approx(PRICES, rel=1e-3)
    *_, shops, school = street.models[0].habits
    closed = [habits.on(day)[1].arrive < 0.1 for habits in (shops, school) for day in WEEKDAYS[-2:]]
    assert closed == [False, True, True, True]
    lab.check(page)

    asked = _ask(lab, page)
    for act in asked:
        act()
    found = decide(street, WISH, among=[MINUTES])
    expect(button(page, "download:months.csv")).to_be_visible(timeout=240_000)
    expect(_headline(page, found)).to_be_visible()
    lab.check(page)

    files: dict[str, bytes] = {}
    taken = _take_away(lab, page, files)
    assert len(described) + len(asked) + len(taken) <= ANSWERED
    for act in taken:
        act()
    money_is_the_mean_of_its_months(found, pd.read_csv(io.BytesIO(files["months.csv"])))
    (tmp_path / "answer.html").write_bytes(files["answer.html"])
    page.goto((tmp_path / "answer.html").as_uri())
    assert len(re.findall(rb"/Type /Page\b", page.pdf(prefer_css_page_size=True))) <= 7, "sheets of paper"


def _headline(page: Page, found: Answer) -> Locator:
    return page.get_by_role("heading", name=answer_sentence(found).replace("*", ""))


def _describe(lab: Lab, page: Page) -> list[Callable[[], None]]:
    return [
        lambda: lab.choose(page, "choice:preset", "Feeder"),
        lambda: lab.go(page, "Street"),
        lambda: lab.tab(page, "street:tab", 1),
        lambda: lab.unfold(page, TABLE),
        lambda: _paste(lab, page, GROUPS),
        lambda: lab.press(page, "street:use"),
        lambda: lab.fill(page, "lowest", f"{PRICES[0]:g}"),
        lambda: lab.fill(page, "highest", f"{PRICES[1]:g}"),
    ]


def _ask(lab: Lab, page: Page) -> list[Callable[[], None]]:
    return [
        lambda: lab.go(page, "Decide"),
        lambda: lab.pick(page, HIDE, SECRETS["week"].capitalize()),
        lambda: lab.pick(page, HIDE_EVERY, str(MINUTES)),
        lambda: lab.fill(page, ACCEPTED_ERROR, f"{WISH.error:g}"),
    ]


def _take_away(lab: Lab, page: Page, files: dict[str, bytes]) -> list[Callable[[], None]]:
    def save(name: str) -> Callable[[], None]:
        return lambda: files.update({name: lab.save(page, name)})

    return [save("months.csv"), save("answer.html")]


def _paste(lab: Lab, page: Page, table: str) -> None:
    box = part(page, "street:pasted").locator("textarea")
    box.fill(table)
    box.press("Control+Enter")
    lab.settle(page)


def money_is_the_mean_of_its_months(found: Answer, months: pd.DataFrame) -> None:
    assert months.lab_units.unique().tolist() == ["kW and EUR"]
    assert months.lab_step_minutes.unique().tolist() == [found.scenario.step_minutes]
    earned = months.groupby("month").utility_earns_EUR.first().mean()
    change = np.average(months.mean_change_EUR, weights=months.houses)
    assert earned == pytest.approx(-found.money.loss.value, rel=1e-9)
    assert change == pytest.approx(found.money.bills.mean.value, rel=1e-9)
    shops = months[months.group == "Shops"]
    assert shops.mean_change_EUR.mean() == pytest.approx(found.money.groups["Shops"].mean.value, rel=1e-9)
