"""The Paper screen in a real browser, and the menu that leads away from it and back."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from rtp import simulate
from rtp.output.paper import verdict_text
from rtp.paper import published
from rtp.paper.comparison import table
from rtp.paper.remarks import WINS
from rtp.paper.reproduction import FIRST_DAYS, PAPER, as_printed, rmse
from rtp.scenario.describe import origin
from tests.browser.lab import Lab, drawn, metric, sees
from tests.help.paper import paper_days

LONG = 5000  # days: more than this walk waits for
UNWATCHED = 1250  # milliseconds: a page that watches asks twice

ORIGIN = ",".join(origin(PAPER))  # the columns that say where a table comes from
STOP = "document.querySelector('.st-key-stop-paper button')?.click()"


@pytest.mark.long
def test_the_table_and_days_that_run_beside_the_page(long_walk: Lab, tmp_path: Path) -> None:
    """How it opens, on a beamer: `test_present.py`."""
    lab, page = long_walk, long_walk.open("/Paper", "epsilon=0.3&tab=Numbers")
    lab.check(page)
    the_authors(page)
    the_table(page, tmp_path / "table.csv")
    days_run_beside_the_page_and_elsewhere_nobody_watches_them(lab, page)
    they_are_stopped_and_kept(lab, page)


def the_engines_numbers(lab: Lab, page: Page) -> None:
    """Of the first run; then of another one in the other view; and another question."""
    rate = simulate(PAPER).release["blowfish"].rate
    sees(page, lambda: drawn(page, "Private rate (Blowfish)", "2c"), rate.tolist())
    page.get_by_role("radio", name="Error", exact=True).click()
    lab.fill(page, "Our run (seed)", "3")
    sees(page, lambda: "run=3" in page.url and "view=Error" in page.url)
    day, (_, occupancy, _) = simulate(PAPER.replace(seed=3)), published.figure2()
    naive = day.release["naive"]
    sees(page, lambda: metric(page, "Distance to 2a"), f"{rmse(day.occupancy, occupancy):.4f}")
    sees(page, lambda: metric(page, "Naive RMSRE"), as_printed(naive.rmsre, ".3e"))
    sees(page, lambda: drawn(page, "Our run", "2a"), day.occupancy.tolist())
    sees(page, lambda: drawn(page, "Published", "2a"), occupancy.tolist())
    sees(page, lambda: drawn(page, "Naive private rate", "2c"), (naive.rate - naive.optimal).tolist())
    page.get_by_role("tab", name="Choices").click()
    look_closer(page, "Habit spread")
    expect(page.get_by_text("how much is not said")).to_be_visible()
    expect(page.get_by_role("button", name="Explore “σ = 0”")).to_be_visible()
    page.get_by_role("tab", name="Numbers").click()
    sees(page, lambda: days_shown(page), FIRST_DAYS)


def look_closer(page: Page, choice: str) -> None:
    box = page.get_by_role("combobox", name="The paper leaves open")
    box.click()
    box.press_sequentially(choice[:5])  # opens the list again, should scrolling have closed it
    page.get_by_role("option", name=choice).click()


def days_shown(page: Page) -> int:
    text = page.get_by_text("simulated days, each with its own street").inner_text()
    return int(text.split()[1].replace(",", ""))


def the_authors(page: Page) -> None:
    title = page.get_by_role("link", name=published.TITLE)
    expect(title).to_have_attribute("href", published.ADDRESS)
    expect(page.get_by_role("button", name=f"Explore “{WINS.capitalize()}”")).to_be_visible()


def the_table(page: Page, file: Path) -> None:
    rows = [row for row in table(paper_days(FIRST_DAYS)) if row.section == "Figures"]
    page.get_by_role("radio", name="figures", exact=True).click()
    for row in rows[:3]:
        line = page.get_by_role("row").filter(has_text=row.quantity)
        expect(line).to_contain_text(row.value())
        expect(line).to_contain_text(verdict_text(row))
    with page.expect_download() as download:
        page.get_by_role("button", name="Table as CSV").click()
    download.value.save_as(file)
    lines = file.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1 + len(table(paper_days(FIRST_DAYS)))
    assert lines[0] == f"Quantity,Published,Ours,95 % of days,Verdict,Judged by,Why,{ORIGIN}"


def days_run_beside_the_page_and_elsewhere_nobody_watches_them(lab: Lab, page: Page) -> None:
    """What nobody watches ends: `tests/pages/test_paper.py`. The menu takes the scenario along."""
    page.get_by_label("Days to simulate", exact=True).fill(str(LONG))
    page.keyboard.press("Enter")
    page.get_by_role("button", name=f"Simulate {LONG:,} days").click()
    expect(page.get_by_test_id("stProgress")).to_be_visible(timeout=20_000)
    lab.go(page, "Lesson")
    expect(page.get_by_label("ε", exact=True)).to_have_value("0.3")
    asked = page.evaluate("asked")
    page.wait_for_timeout(UNWATCHED)
    assert page.evaluate("asked") == asked


def they_are_stopped_and_kept(lab: Lab, page: Page) -> None:
    page.get_by_test_id("stSidebar").get_by_role("link", name="Paper").click()
    sees(page, lambda: FIRST_DAYS < days_shown(page) < LONG)
    kept = page.get_by_text("what was finished is kept")

    def ended() -> bool:
        page.evaluate(STOP)  # unless it has ended by itself, where the way back took long
        return kept.is_visible()

    sees(page, ended)
    lab.settle(page)
    expect(page.get_by_label("ε", exact=True)).to_have_value("0.3")
    expect(page.get_by_test_id("stProgress")).to_have_count(0)
    days = days_shown(page)
    assert FIRST_DAYS < days < LONG
    expect(page.get_by_text(f"Ours is the mean of {days:,} days")).to_be_visible()
    expect(page.get_by_text(f"Over {days:,} simulated days")).to_be_visible()
