"""The Paper screen in a real browser."""

from pathlib import Path

from playwright.sync_api import Page, expect

from pages.ui.jobs import PATIENCE
from pages.ui.paper_tables import VERDICTS
from rtp import simulate
from rtp.paper import published
from rtp.paper.comparison import table
from rtp.paper.reproduction import FIRST_DAYS, PAPER, rmse, say
from tests.browser.lab import Lab
from tests.help.paper import paper_days

DRAWN = """([key, name]) => {
    const chart = document.querySelector(`.st-key-${key} .js-plotly-plot`);
    return Array.from(chart._fullData.find((trace) => trace.name === name).y);
}"""
LONG = 5000  # days: more than any of these tests wait for


def metric(page: Page, label: str) -> str:
    box = page.get_by_test_id("stMetric").filter(has=page.get_by_text(label, exact=True))
    return box.get_by_test_id("stMetricValue").inner_text()


def simulate_many(lab: Lab, page: Page) -> None:
    box = page.get_by_label("Days to simulate", exact=True)
    box.fill(str(LONG))
    box.press("Enter")
    lab.settle(page)
    page.get_by_role("button", name=f"Simulate {LONG:,} days").click()
    expect(page.get_by_test_id("stProgress")).to_be_visible(timeout=20_000)


def look_closer(page: Page, choice: str) -> None:
    box = page.get_by_role("combobox", name="Look closer at")
    box.click()
    box.press_sequentially(choice)  # opens the list again, should scrolling have closed it
    page.get_by_role("option", name=choice).click()


def days_shown(page: Page) -> int:
    text = page.get_by_text("simulated days, each with its own street").inner_text()
    return int(text.split()[1].replace(",", ""))


def test_it_shows_the_engines_numbers_and_every_control_acts(lab: Lab, tmp_path: Path) -> None:
    page = lab.open("/Paper")
    day, (_, occupancy, _) = simulate(PAPER), published.figure2()
    assert metric(page, "Distance to 2a") == f"{rmse(day.occupancy, occupancy):.4f}"
    assert metric(page, "Naive RMSRE") == say(day.release["naive"].rmsre, ".3e")
    assert page.evaluate(DRAWN, ["2a", "Our run"]) == day.occupancy.tolist()
    assert page.evaluate(DRAWN, ["2a", "Published"]) == occupancy.tolist()
    assert page.evaluate(DRAWN, ["2c", "Private rate (Blowfish)"]) == day.release["blowfish"].rate.tolist()
    assert days_shown(page) == FIRST_DAYS

    rows = [row for row in table(paper_days(FIRST_DAYS)) if row.section == "Figures"]
    page.get_by_role("tab", name="Figures").click()
    for row in rows[:3]:
        line = page.get_by_role("row").filter(has_text=row.quantity)
        expect(line).to_contain_text(row.value())
        expect(line).to_contain_text(VERDICTS[row.verdict])
    with page.expect_download() as download:
        page.get_by_role("button", name="Table as CSV").click()
    saved = tmp_path / "table.csv"
    download.value.save_as(saved)
    lines = saved.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1 + len(table(paper_days(FIRST_DAYS)))
    assert lines[0] == "Quantity,Published,Ours,95 % of days,Verdict,Why"

    page.get_by_role("radio", name="Error").click()
    lab.settle(page)
    naive = day.release["naive"]
    assert page.evaluate(DRAWN, ["2c", "Naive private rate"]) == (naive.rate - naive.optimal).tolist()
    run = page.get_by_label("Our run (seed)", exact=True)
    run.fill("3")
    run.press("Enter")
    lab.settle(page)
    other = simulate(PAPER.replace(seed=3))
    assert metric(page, "Blowfish RMSRE") == say(other.release["blowfish"].rmsre, ".3e")

    look_closer(page, "Habit spread")
    lab.settle(page)
    expect(page.get_by_text("how much is not said")).to_be_visible()
    page.get_by_role("button", name="Explore “σ = 0”").click()
    lab.settle(page)
    assert "habit_spread=0" in page.url
    expect(page.get_by_role("heading", name="Explore")).to_be_visible()


def test_days_run_beside_the_page_until_it_is_stopped_or_left_and_are_kept(lab: Lab) -> None:
    page = lab.open("/Paper")
    simulate_many(lab, page)
    look_closer(page, "RMSRE")
    expect(page.get_by_text("Our naive error over the published one")).to_be_visible(timeout=20_000)
    expect(page.get_by_test_id("stProgress")).to_be_visible()  # it went on meanwhile
    expect(page.get_by_text(f"From {FIRST_DAYS} simulated days")).to_have_count(0, timeout=30_000)
    page.get_by_test_id("stMain").get_by_role("button", name="Stop").click()
    expect(page.get_by_text("what was finished is kept")).to_be_visible(timeout=20_000)
    lab.settle(page)
    kept = days_shown(page)
    assert FIRST_DAYS < kept < LONG
    expect(page.get_by_text(f"Ours is the mean of {kept:,} days")).to_be_visible()
    expect(page.get_by_text(f"Over {kept:,} simulated days")).to_be_visible()
    assert lab.axe(page) == []

    page.get_by_role("button", name=f"Simulate {LONG:,} days").click()
    expect(page.get_by_test_id("stProgress")).to_be_visible(timeout=20_000)
    menu = page.get_by_test_id("stSidebar")
    menu.get_by_role("link", name="Explore").click()
    lab.settle(page)
    page.wait_for_timeout(1000 * (PATIENCE + 2))
    menu.get_by_role("link", name="Paper").click()
    lab.settle(page)
    expect(page.get_by_text("what was finished is kept")).to_be_visible()
    assert page.get_by_test_id("stProgress").count() == 0
    assert days_shown(page) < LONG
