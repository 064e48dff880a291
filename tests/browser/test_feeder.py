"""An analyst's question in a real browser, from a table of groups to the answer, with every action counted.

If we publish a price every 15 minutes for our feeder, which noise do we need, what does it cost, and can a
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
from pages.ui.params import HIDE
from pages.ui.street.houses import TABLE
from rtp import PRESETS
from rtp.decision import SECRETS, Answer, Wish, decide
from rtp.output.decision import answer_sentence
from rtp.simulation.prices import typical_prices
from tests.browser.lab import Lab, addressed, button, part

DESCRIBED, ANSWERED = 20, 30  # actions at most
WISH = Wish(secret="week", observer="outsider", error=3.0)
# One line per group, as it is copied from a spreadsheet under the headings that the screen shows.
GROUPS = """Group\tHouses\tPeak from\tPeak to\tStandby to\tkWh a year
Flats\t110\t2.5\t4\t0.2\t2400
Houses\t55\t4\t9\t0.4\t4500
Shops\t15\t6\t20\t0.6\t12000
"""
PEAKS = {"Flats": (2.5, 4.0), "Houses": (4.0, 9.0), "Shops": (6.0, 20.0)}
PRICES = (0.20, 0.45)  # EUR/kWh on a typical day


@pytest.mark.long
def test_a_feeder_is_answered_in_thirty_actions(lab: Lab, tmp_path: Path) -> None:
    page = lab.open()
    described = _describe(lab, page)
    assert len(described) <= DESCRIBED
    for act in described:
        act()
    street = addressed(page)
    assert {group.name: (group.occupied_min, group.occupied_max) for group in street.groups} == PEAKS
    assert typical_prices(street) == pytest.approx(PRICES, rel=1e-3)
    weekends = [habits.weekend for habits in street.models[0].habits]
    assert all(weekend and weekend[0].leave == 0.4 for weekend in weekends)
    lab.check(page)

    asked = _ask(lab, page)
    for act in asked:
        act()
    found = decide(street, WISH)
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
    saturday = len(PRESETS["feeder"].models[0].habits[0].periods)  # its first period: after the others
    return [
        lambda: lab.choose(page, "choice:preset", "Feeder"),
        lambda: lab.go(page, "Street"),
        lambda: lab.pick(page, "shown day", 1),
        lambda: lab.fill(page, f"cell:0:0:{saturday}:1:0", "0.4"),
        lambda: lab.press(page, "copy weekend"),
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
        lambda: lab.fill(page, ACCEPTED_ERROR, f"{WISH.error:g}"),
    ]


def _take_away(lab: Lab, page: Page, files: dict[str, bytes]) -> list[Callable[[], None]]:
    def save(name: str) -> Callable[[], None]:
        return lambda: files.update({name: lab.save(page, name)})

    return [
        save("months.csv"),
        save("answer.html"),
    ]


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
