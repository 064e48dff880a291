"""The Paper screen, run without a browser."""

import time
from collections.abc import Sequence

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from pages.ui import jobs
from pages.ui.paper import audit as audit_page
from pages.ui.paper.reproduction import WHY
from rtp import PRESETS, Scenario, simulate
from rtp.audit.exact import exact_losses
from rtp.audit.trial import RELEASES, trial
from rtp.mechanisms import offered
from rtp.output.audit import proofs_frame, spent_frame
from rtp.output.paper import JUDGED
from rtp.paper import published
from rtp.paper.comparison import FIRST_DAYS, MAX_DAYS, PAPER, as_printed, rmse, table
from rtp.paper.readings import WINS
from tests.help import app as lab
from tests.help.app import enter, figures, finish, key, lab_of, said, scenario_of, shown
from tests.help.paper import paper_days

SMALL = Scenario(households=30)


def opened(sections: Sequence[str] = (), **link: str) -> AppTest:
    return lab.opened("Paper", sections=sections, **link)


def run_numbers(seed: int) -> list[str]:
    day, (_, occupancy, consumption) = simulate(PAPER.replace(seed=seed)), published.figure2()
    distances = rmse(day.occupancy, occupancy), rmse(day.consumption, consumption)
    errors = [
        as_printed(day.release[name].error / day.scenario.steps**0.5, ".3e") for name in ("naive", "blowfish")
    ]
    return [*(f"{distance:.4f}" for distance in distances), *errors]


def test_a_run_shows_its_own_numbers_in_either_view() -> None:
    app = opened(tab="Figures", epsilon="2", households="50")
    assert list(shown(app).values()) == run_numbers(0)
    assert scenario_of(app) == Scenario(epsilon=2.0, households=50), "the user's own is left alone"
    assert [len(figure["data"]) for figure in figures(app)] == [3, 3, 3]
    enter(app, "paper:run", 4)
    assert list(shown(app).values()) == run_numbers(4)
    app.segmented_control(key=key(app, "paper:view")).set_value("Error").run()
    assert [len(figure["data"]) for figure in figures(app)] == [3, 3, 2]


@pytest.mark.parametrize("part", JUDGED)
def test_the_table_is_the_engines(part: str) -> None:
    app = opened(tab="Numbers", part=part, sections=[WHY])
    rows = [row for row in table(paper_days(FIRST_DAYS)) if row.section == part]
    assert list(app.table[0].value.index) == [row.quantity for row in rows]
    for row in rows:
        assert (f"**{row.quantity}:**" in said(app)) == (row.verdict != "agrees")


@pytest.mark.parametrize(
    ("link", "button", "opens"),
    [
        ({"tab": "Readings", "choice": "Habit spread"}, "open:σ = 0", PAPER.replace(habit_spread=0.0)),
        ({"tab": "Numbers"}, "open:wins", PRESETS[WINS]),
    ],
)
def test_a_button_opens_its_street_on_explore(link: dict[str, str], button: str, opens: Scenario) -> None:
    app = opened(**link)
    app.button(key=button).click().run()
    assert not app.exception
    assert (scenario_of(app), lab_of(app).screen) == (opens, "Explore")


def test_many_days_run_beside_the_page_and_are_kept() -> None:
    app, count = opened(tab="Numbers"), FIRST_DAYS + 5
    enter(app, "paper:days", count)
    finish(app, "paper")
    enter(app, "paper:days", 500)  # a new number alone loses nothing
    assert f"{count} simulated days" in said(app)


def test_work_that_nobody_watches_ends_and_keeps_what_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    """As when the page is closed: from then on nothing asks how far it is."""
    monkeypatch.setattr(jobs, "PATIENCE", 0.15)
    app = opened(tab="Numbers")
    enter(app, "paper:days", MAX_DAYS)
    app.button(key="start:paper").click().run()
    job = lab_of(app).extras["job:paper"]
    deadline = time.monotonic() + 30
    while job.state == "running":
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert job.state == "stopped"
    assert 0 < len(job.result) < MAX_DAYS
    app.run()
    assert f"{max(len(job.result), FIRST_DAYS):,} simulated days" in said(app)


@pytest.mark.long
def test_the_audit_is_the_engines_exactly_and_by_experiment(monkeypatch: pytest.MonkeyPatch) -> None:
    few = int(RELEASES.low)
    monkeypatch.setattr(audit_page, "DAYS", (few, 2 * few))
    app, day, names = opened(tab="The audit", households="30"), simulate(SMALL), offered(SMALL.negligible)
    exact = {name: loss for name, loss in exact_losses(day).items() if name in names}
    pd.testing.assert_frame_equal(app.table[0].value, spent_frame(day, exact))
    finish(app, "audit")
    found = trial(SMALL, n=few, street_day=day.street_day)
    proved = {name: verdict for name, verdict in found.items() if name in names}
    pd.testing.assert_frame_equal(app.table[1].value, proofs_frame(proved))
    assert (len(app.success), len(app.error)) == (1, 0)
    monkeypatch.setattr(audit_page, "broken", lambda exact, proved: ["naive"])
    app.run()
    assert (len(app.success), len(app.error)) == (0, 1)
