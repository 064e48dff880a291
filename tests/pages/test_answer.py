"""The answer on Decide, run without a browser."""

import time
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

import rtp.decision
from pages.ui.decide import answer
from pages.ui.decide.answer import BESIDE
from pages.ui.params import ACCEPTED, HIDE, HIDE_FROM
from rtp import PRESETS
from rtp.decision import Question, Wish, completed, decide
from rtp.exposure import Exposure, exposure
from rtp.output.decision import TABLES
from tests.help.app import ANSWERED, enter, key, known_answer, opened, scenario_of
from tests.help.few import few


@pytest.fixture
def _found(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ANSWERED:
        monkeypatch.setattr(answer, name, getattr(rtp.decision, name))


LINK = {"preset": "tiny street", "hide": "moment"}
FOUND = Wish(secret="moment", observer="outsider")


def answered(app: AppTest) -> AppTest:
    """Once the answer that was begun is there."""
    until = time.monotonic() + 60
    while not app.table and time.monotonic() < until:
        time.sleep(0.2)
        app.run()
    assert app.table
    return app


@pytest.mark.long
@pytest.mark.usefixtures("_found")
def test_it_answers_by_itself_and_every_table_is_the_engines() -> None:
    app = answered(opened("Decide", **LINK))
    found = completed(decide(PRESETS["tiny street"], FOUND))
    tables = [table.value.to_dict() for table in app.table]
    assert tables == [frame(found).to_dict() for frame in TABLES.values()]


def test_an_accepted_error_or_observer_is_answered_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exposure is a curve: once a street is known, no wish about it finds another."""
    asked: list[Question] = []
    for name in ANSWERED:
        monkeypatch.setattr(answer, name, getattr(rtp.decision, name))

    def find(question: Question, progress: object = None) -> Exposure:
        asked.append(question)
        return exposure(question.street, question.secret, question.observer, rarest=question.rarest)

    monkeypatch.setattr(answer, "find", find)
    app = answered(opened("Decide", preset="tiny street", households="2", step_minutes="60", hide="moment"))
    known = len(asked)
    assert known
    enter(app, ACCEPTED, 60.0)
    for key_of, value in ((HIDE_FROM, "insider"), (HIDE_FROM, "both"), (HIDE, "day"), (HIDE, "week")):
        app.segmented_control(key=key(app, key_of)).set_value(value).run()
    assert len(asked) == known


def test_another_seed_has_the_same_answer_and_its_own_scenario() -> None:
    app = opened("Decide", **LINK, seed="7")
    assert scenario_of(app).seed == 7
    assert [t.value.to_dict() for t in app.table] == [
        t.value.to_dict() for t in opened("Decide", **LINK).table
    ]


def test_a_pinned_answer_stands_beside_the_next() -> None:
    app = answered(opened("Decide", sections=(BESIDE,), **LINK))
    app.button(key="answer:pin").click().run()
    assert app.button(key="answer:pin").disabled
    (beside,) = [table.value for table in app.table if "Pinned 1" in table.value]
    assert (beside["Now"] == beside["Pinned 1"]).all()


def test_what_is_to_be_published_can_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    known = known_answer()
    choice = known.chosen.hiding
    assert choice is not None
    publish = replace(known, chosen=replace(known.chosen, verdict="publish", choice=choice))
    for name in ("decide", "completed"):
        monkeypatch.setattr(answer, name, lambda *_, **__: publish)
    app = answered(opened("Decide", **LINK | {"alpha": "0.9"}))
    app.button(key="answer:use").click().run()
    now = scenario_of(app)
    assert (now.epsilon, now.step_minutes) == (choice.epsilon, choice.minutes)


@pytest.mark.parametrize("screen", few(["Decide", "Explore"], "Explore"))
def test_a_price_that_nobody_would_publish_is_pointed_out(screen: str) -> None:
    absurd = {"households": "30", "power_unit": "kW", "currency": "EUR"}
    assert any("0.29" in warning.value for warning in opened(screen, **absurd).warning)
    usual = opened(screen, **absurd, alpha="0.02", beta="0.1")
    assert not any("0.29" in warning.value for warning in usual.warning)


@pytest.mark.parametrize("screen", few(["Decide", "Explore"], "Decide"))
def test_an_error_without_a_mean_is_said(screen: str) -> None:
    """Relative to a rate that can be 0: an integral of z^(n − 3) from 0 on, for n houses."""
    for houses in (2, 3):
        app = opened(screen, preset="tiny street", beta="0", households=str(houses))
        assert any("no mean" in warning.value for warning in app.warning) == (houses == 2)
