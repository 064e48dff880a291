"""The Paper screen, run without a browser."""

import time

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui import jobs
from rtp import PRESETS, simulate
from rtp.output.paper import JUDGED
from rtp.paper import published
from rtp.paper.choices import NOISE_QUESTION, OPEN_CHOICES
from rtp.paper.comparison import table
from rtp.paper.remarks import WINS
from rtp.paper.reproduction import FIRST_DAYS, MAX_DAYS, PAPER, as_printed, rmse
from tests.help import app as lab
from tests.help.app import enter, figures, finish, key, lab_of, said, scenario_of, shown
from tests.help.paper import paper_days


def opened(**link: str) -> AppTest:
    return lab.opened("Paper", **link)


def run_numbers(seed: int) -> list[str]:
    day = simulate(PAPER.replace(seed=seed))
    _, occupancy, consumption = published.figure2()
    distances = (rmse(day.occupancy, occupancy), rmse(day.consumption, consumption))
    errors = (day.release[name].rmsre for name in ("naive", "blowfish"))
    return [*(f"{distance:.4f}" for distance in distances), *(as_printed(error, ".3e") for error in errors)]


def test_a_run_shows_its_own_numbers_in_either_view() -> None:
    app = opened()
    assert list(shown(app).values()) == run_numbers(0)
    assert [len(figure["data"]) for figure in figures(app)] == [3, 3, 3]
    enter(app, "paper:run", 4)
    assert list(shown(app).values()) == run_numbers(4)
    app.segmented_control(key=key(app, "paper:view")).set_value("Error").run()
    assert [len(figure["data"]) for figure in figures(app)] == [3, 3, 2]


@pytest.mark.parametrize("part", JUDGED)
def test_the_table_is_the_engines(part: str) -> None:
    app = opened(tab="Numbers", part=part)
    rows = [row for row in table(paper_days(FIRST_DAYS)) if row.section == part]
    assert list(app.table[0].value.index) == [row.quantity for row in rows]
    for row in rows:
        assert (f"**{row.quantity}:**" in said(app)) == (row.verdict != "agrees")


def test_the_page_leaves_the_users_own_scenario_alone() -> None:
    app = opened(epsilon="2", seed="5")
    enter(app, "households", 50)
    assert list(shown(app).values()) == run_numbers(0)
    scenario = scenario_of(app)
    assert (scenario.epsilon, scenario.seed, scenario.households) == (2.0, 5, 50)


def test_every_open_question_can_be_looked_at() -> None:
    app = opened(tab="Choices")
    for choice in OPEN_CHOICES:
        app.selectbox(key=key(app, "paper:choice")).set_value(choice.name).run()
        assert not app.exception
        drawn = 1 + len(choice.others) + 1 - len(app.warning)  # ours and the published curve
        assert len(figures(app)[0]["data"]) == (3 if choice.name == NOISE_QUESTION else drawn)


def test_an_answer_of_a_link_becomes_the_scenario_in_use() -> None:
    app = opened(choice="Habit spread")  # as a link from before there were tabs
    app.button(key="open:σ = 0").click().run()
    assert not app.exception
    assert scenario_of(app) == PAPER.replace(habit_spread=0.0)
    assert lab_of(app).screen == "Explore"


def test_the_street_where_blowfish_wins_can_be_opened() -> None:
    app = opened(tab="Numbers")
    app.button(key="open:wins").click().run()
    assert not app.exception
    assert (scenario_of(app), lab_of(app).preset) == (PRESETS[WINS], WINS)


def test_many_days_run_beside_the_page_and_are_kept() -> None:
    app = opened(tab="Numbers")
    count = FIRST_DAYS + 5
    enter(app, "paper:days", count)
    finish(app, "paper")
    assert f"{count} simulated days" in said(app)
    enter(app, "paper:days", 500)  # a new number alone loses nothing
    assert f"{count} simulated days" in said(app)


def test_work_that_nobody_watches_ends_and_keeps_what_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    """As when the page is closed: from then on nothing asks how far it is."""
    monkeypatch.setattr(jobs, "PATIENCE", 0.15)
    app = opened(tab="Numbers")
    enter(app, "paper:days", MAX_DAYS)
    app.button(key="start:paper").click().run()
    job = lab_of(app).memo["job:paper"]
    deadline = time.monotonic() + 30
    while job.state == "running":
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert job.state == "stopped"
    assert 0 < len(job.result) < MAX_DAYS
    app.run()
    assert f"{max(len(job.result), FIRST_DAYS):,} simulated days" in said(app)
