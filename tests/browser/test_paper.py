"""The Paper screen in a real browser, and the menu that leads away from it and back."""

from pathlib import Path

from playwright.sync_api import Page, expect

from rtp import simulate
from rtp.paper import published
from rtp.paper.comparison import table
from rtp.paper.fairness import WINS
from rtp.paper.reproduction import FIRST_DAYS, PAPER, rmse, say
from rtp.paper.table import verdict_of
from rtp.scenario.origin import origin
from tests.browser.lab import PATIENCE, PHONE, Lab, drawn, metric, sees
from tests.help.paper import paper_days

LONG = 5000  # days: more than this test waits for

ORIGIN = ",".join(origin(PAPER))  # the columns that say where a table comes from


def look_closer(page: Page, choice: str) -> None:
    box = page.get_by_role("combobox", name="Look closer at")
    box.click()
    box.press_sequentially(choice[:5])  # opens the list again, should scrolling have closed it
    page.get_by_role("option", name=choice).click()


def days_shown(page: Page) -> int:
    text = page.get_by_text("simulated days, each with its own street").inner_text()
    return int(text.split()[1].replace(",", ""))


def test_the_paper_from_its_address_and_the_menu_away_from_it_and_back(lab: Lab, tmp_path: Path) -> None:
    page = lab.open("/Paper", query="epsilon=0.2&seed=5&households=30&run=3&view=Error")
    the_engines_numbers(lab, page)
    the_authors(page)
    the_table(page, tmp_path / "table.csv")
    days_run_beside_the_page(lab, page)
    days_end_when_the_page_is_left_and_are_kept(lab, page)
    lab.check(page)
    lab.show(page, "dark", PHONE)
    lab.check(page)
    lab.press(page, "Explore “σ = 0”")
    sees(page, lambda: "habit_spread=0" in page.url)
    expect(page.get_by_role("heading", name="Explore")).to_be_visible()


def the_engines_numbers(lab: Lab, page: Page) -> None:
    """Of the run and in the view that the address asks for; then the other view."""
    day, (_, occupancy, _) = simulate(PAPER.replace(seed=3)), published.figure2()
    naive = day.release["naive"]
    sees(page, lambda: metric(page, "Distance to 2a"), f"{rmse(day.occupancy, occupancy):.4f}")
    sees(page, lambda: metric(page, "Naive RMSRE"), say(naive.rmsre, ".3e"))
    sees(page, lambda: drawn(page, "Our run", "2a"), day.occupancy.tolist())
    sees(page, lambda: drawn(page, "Published", "2a"), occupancy.tolist())
    sees(page, lambda: drawn(page, "Naive private rate", "2c"), (naive.rate - naive.optimal).tolist())
    sees(page, lambda: days_shown(page), FIRST_DAYS)
    lab.pick(page, "Rates")
    sees(page, lambda: drawn(page, "Private rate (Blowfish)", "2c"), day.release["blowfish"].rate.tolist())


def the_authors(page: Page) -> None:
    title = page.get_by_role("link", name=published.TITLE)
    expect(title).to_have_attribute("href", published.ADDRESS)
    expect(page.get_by_role("button", name=f"Explore “{WINS.capitalize()}”")).to_be_visible()


def the_table(page: Page, file: Path) -> None:
    rows = [row for row in table(paper_days(FIRST_DAYS)) if row.section == "Figures"]
    page.get_by_role("tab", name="Figures").click()
    for row in rows[:3]:
        line = page.get_by_role("row").filter(has_text=row.quantity)
        expect(line).to_contain_text(row.value())
        expect(line).to_contain_text(verdict_of(row))
    with page.expect_download() as download:
        page.get_by_role("button", name="Table as CSV").click()
    download.value.save_as(file)
    lines = file.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1 + len(table(paper_days(FIRST_DAYS)))
    assert lines[0] == f"Quantity,Published,Ours,95 % of days,Verdict,Judged by,Why,{ORIGIN}"


def days_run_beside_the_page(lab: Lab, page: Page) -> None:
    lab.fill(page, "Days to simulate", str(LONG))
    page.get_by_role("button", name=f"Simulate {LONG:,} days").click()
    expect(page.get_by_test_id("stProgress")).to_be_visible(timeout=20_000)
    look_closer(page, "Habit spread")
    expect(page.get_by_text("how much is not said")).to_be_visible(timeout=20_000)
    expect(page.get_by_test_id("stProgress")).to_be_visible()  # it went on meanwhile
    expect(page.get_by_text(f"From {FIRST_DAYS} simulated days")).to_have_count(0, timeout=30_000)


def days_end_when_the_page_is_left_and_are_kept(lab: Lab, page: Page) -> None:
    """That Stop stops, and that the menu leads to all screens with the scenario, other walks show."""
    lab.go(page, "Lesson")
    expect(page.get_by_label("ε, typed", exact=True)).to_have_value("0.2")
    page.wait_for_timeout(1000 * (PATIENCE + 2))
    lab.go(page, "Paper")
    expect(page.get_by_label("ε, typed", exact=True)).to_have_value("0.2")
    sees(page, lambda: "seed=5" in page.url)
    expect(page.get_by_text("what was finished is kept")).to_be_visible()
    expect(page.get_by_test_id("stProgress")).to_have_count(0)
    kept = days_shown(page)
    assert FIRST_DAYS < kept < LONG
    expect(page.get_by_text(f"Ours is the mean of {kept:,} days")).to_be_visible()
    expect(page.get_by_text(f"Over {kept:,} simulated days")).to_be_visible()
