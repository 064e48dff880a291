"""The Paper screen, run without a browser."""

import time

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui import jobs
from pages.ui.cache import cached
from rtp import PRESETS, simulate
from rtp.paper import published
from rtp.paper.alternatives import study
from rtp.paper.choices import NOISE_QUESTION, OPEN_CHOICES
from rtp.paper.comparison import JUDGED, not_counted_words, table, verdict_words
from rtp.paper.remarks import CAVEATS, CITATION, WINS, notes, win_words
from rtp.paper.reproduction import FIRST_DAYS, MAX_DAYS, PAPER, as_printed, conclusion, finding, rmse
from tests.help import app as lab
from tests.help.app import enter, figures, finish, key, lab_of, said, scenario_of, shown
from tests.help.paper import paper_days


def opened(**link: str) -> AppTest:
    return lab.opened("Paper", **link)


FIGURES, NUMBERS, CHOICES, THEOREMS = "Figures", "Numbers", "Choices", "Theorems"


@pytest.fixture(scope="module")
def tabs() -> dict[str, AppTest]:
    """Every tab, only for looking at; what changes the page opens its own."""
    return {tab: opened(tab=tab) for tab in (FIGURES, NUMBERS, CHOICES, THEOREMS)}


def plain(text: str) -> str:
    return text.replace("\u00a0", " ").replace("\u2011", "-")


def run_numbers(seed: int) -> dict[str, str]:
    day = simulate(PAPER.replace(seed=seed))
    _, occupancy, consumption = published.figure2()
    return {
        "Distance to 2a": f"{rmse(day.occupancy, occupancy):.4f}",
        "Distance to 2b": f"{rmse(day.consumption, consumption):.4f}",
        "Naive RMSRE": as_printed(day.release["naive"].rmsre, ".3e"),
        "Blowfish RMSRE": as_printed(day.release["blowfish"].rmsre, ".3e"),
    }


def test_it_opens_with_the_verdict_and_the_figures(tabs: dict[str, AppTest]) -> None:
    app = opened()
    assert not app.exception
    assert shown(app) == run_numbers(0)
    assert len(app.get("plotly_chart")) == 3
    days = paper_days(FIRST_DAYS)
    for each in (app, *tabs.values()):
        assert f"**{verdict_words(table(days))}** {conclusion(days)}" in said(each)
        assert "always shows the paper's own scenario" in said(each)


def test_no_tab_shows_the_address_of_a_field(tabs: dict[str, AppTest]) -> None:
    for app in tabs.values():
        words = said(app) + "".join(each.value for each in (*app.warning, *app.error))
        assert "habits[" not in words
        assert "periods[" not in words


def test_the_numbers_begin_with_a_first_finding(tabs: dict[str, AppTest]) -> None:
    text = said(tabs[NUMBERS])
    assert f"**The finding.** {finding(paper_days(FIRST_DAYS))}" in text
    assert f"From {FIRST_DAYS} simulated days" in text


@pytest.mark.parametrize("part", JUDGED)
def test_the_table_is_the_engines(part: str) -> None:
    app = opened(tab=NUMBERS, part=part)
    rows = [row for row in table(paper_days(FIRST_DAYS)) if row.section == part]
    (frame,) = app.table
    shown_rows = [
        (quantity, *(cells[name] for name in ("Published", "Ours (95 % of days)", "Verdict")))
        for quantity, cells in frame.value.iterrows()
    ]
    assert [tuple(plain(text) for text in cells) for cells in shown_rows] == [
        (
            row.quantity,
            row.number.text,
            f"{row.value()} ({row.range()})" if row.range() else row.value(),
            row.verdict_text,
        )
        for row in rows
    ]
    text = said(app)
    for row in rows:
        assert (f"**{row.quantity}:** {row.why}" in text) == (row.verdict != "agrees")
    assert JUDGED[part] in text
    assert not_counted_words(table(paper_days(FIRST_DAYS))) in text


def test_the_alternatives_are_the_studys(tabs: dict[str, AppTest]) -> None:
    app = tabs[CHOICES]
    frame = app.dataframe[0].value.set_index("Answer")
    outcomes = cached("alternatives", "", study)  # `tests/unit/paper/test_alternatives.py`, once
    others = [o for o in outcomes if not o.ours]
    assert list(frame.index) == ["as we chose", *(o.option.name for o in others)]
    assert list(frame["Left open"])[1:] == [o.choice.name for o in others]
    columns = ["Naive", "Blowfish", "Calibrated", "Steps dropping", "To 2a", "To 2b"]
    for outcome in outcomes:
        cells = frame.loc["as we chose" if outcome.ours else outcome.option.name]
        if outcome.headline is None:
            assert all(value != value for value in cells[columns])
            assert cells["Naive above Blowfish"] == "does not exist"
            continue
        given = outcome.headline
        assert list(cells[columns]) == [
            *given.errors,
            given.dropping,
            given.occupancy_rmse,
            given.consumption_rmse,
        ]
    assert [warning.value for warning in app.warning] == [f"matrix root: {outcomes[1].problem}"]


def test_another_run_changes_its_numbers_and_nothing_else() -> None:
    app = opened()
    enter(app, "paper:run", 4)
    assert shown(app) == run_numbers(4)


def test_figure_2c_has_an_error_view() -> None:
    app = opened()
    assert [trace["name"] for trace in figures(app)[2]["data"]] == [
        "Optimal rate",
        "Naive private rate",
        "Private rate (Blowfish)",
    ]
    app.segmented_control(key=key(app, "paper:view")).set_value("Error").run()
    assert [trace["name"] for trace in figures(app)[2]["data"]] == [
        "Naive private rate",
        "Private rate (Blowfish)",
    ]


def test_the_users_own_scenario_does_not_change_the_page_nor_the_page_it() -> None:
    app = opened(epsilon="2", seed="5")
    assert shown(app) == run_numbers(0)
    enter(app, "households", 50)
    assert shown(app) == run_numbers(0)
    scenario = scenario_of(app)
    assert (scenario.epsilon, scenario.seed, scenario.households) == (2.0, 5, 50)


def test_every_open_question_can_be_looked_at() -> None:
    app = opened(tab=CHOICES)
    for choice in OPEN_CHOICES:
        app.selectbox(key=key(app, "paper:choice")).set_value(choice.name).run()
        assert not app.exception
        assert choice.silence in said(app)
        names = [trace["name"] for trace in figures(app)[0]["data"]]
        if choice.name == NOISE_QUESTION:
            assert names == ["Promised", "Noise follows the states", "Algorithm 1"]
            continue
        assert names[0] == f"{choice.ours} (ours)"
        assert names[-1] == "Published"


def test_a_link_to_a_choice_without_a_tab_shows_that_choice() -> None:
    assert "how much is not said" in said(opened(choice="Habit spread"))


def test_an_alternative_becomes_the_scenario_in_use() -> None:
    app = opened(tab=CHOICES)
    app.selectbox(key=key(app, "paper:choice")).set_value("Habit spread").run()
    app.button(key="open:σ = 0").click().run()
    assert not app.exception
    assert scenario_of(app) == PAPER.replace(habit_spread=0.0)
    assert lab_of(app).screen == "Explore"
    assert app.query_params["habit_spread"] in ("0.0", ["0.0"])


def test_the_authors_are_named_and_a_link_leads_to_a_street_where_they_win(
    tabs: dict[str, AppTest],
) -> None:
    text = said(tabs[NUMBERS])
    assert CITATION in text
    assert all(caveat in text for caveat in CAVEATS)
    assert win_words() in text
    visitor = opened(tab=NUMBERS)
    visitor.button(key="open:wins").click().run()
    assert not visitor.exception
    assert scenario_of(visitor) == PRESETS[WINS]
    assert lab_of(visitor).preset == WINS


def test_every_note_stands_on_the_page_with_its_test(tabs: dict[str, AppTest]) -> None:
    text = said(tabs[THEOREMS])
    folded = [each.label for each in tabs[THEOREMS].expander]
    for note in notes():
        assert note.title in folded
        assert note.words in text
        assert all(f"- {words}" in text for words in note.checks)


def test_nothing_claims_to_know_how_the_papers_noise_was_drawn(
    tabs: dict[str, AppTest],
) -> None:
    """“As in the paper” here and “is not said” there contradict each other."""
    for app in tabs.values():
        assert "our choice: the paper does not say" in said(app)
        assert "as in the paper" not in said(app)
    hints = [switch.help or "" for app in tabs.values() for switch in app.toggle]
    assert not any("paper's way" in hint for hint in hints)


def test_many_days_run_beside_the_page_and_are_kept() -> None:
    app = opened(tab=NUMBERS)
    count = FIRST_DAYS + 5
    enter(app, "paper:days", count)
    finish(app, "paper")
    assert f"From {count} simulated days" in said(app)
    assert f"Ours is the mean of {count} days" in said(app)
    assert f"**The finding.** {finding(paper_days(count))}" in said(app)
    enter(app, "paper:days", 500)  # a new number alone loses nothing
    assert f"From {count} simulated days" in said(app)


def test_work_that_nobody_watches_ends_and_keeps_what_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    """As when the page is closed: from then on nothing asks how far it is."""
    monkeypatch.setattr(jobs, "PATIENCE", 0.15)
    app = opened(tab=NUMBERS)
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
    assert "what was finished is kept" in said(app)
    assert not app.get("progress")
    assert f"From {max(len(job.result), FIRST_DAYS):,} simulated days" in said(app)
