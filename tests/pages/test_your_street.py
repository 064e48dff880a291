"""The Your street screen: the sample by its link, a file of one's own, habits learned from it, its replay."""

from functools import partial

import numpy as np
import pytest
from starlette.formparsers import MultiPartParser
from streamlit import config
from streamlit.testing.v1 import AppTest

from pages.ui import meters as meters_source
from pages.ui.jobs import Job
from pages.ui.meters import _learn
from rtp.core.formatting import percent
from rtp.meters import read
from rtp.meters.answering import answer_words, watch, watched_frame
from rtp.meters.learned import law_of, with_laws
from rtp.meters.sample import DAYS, NAME, SCENARIO
from rtp.meters.words import LEAKS, PRIVATE
from rtp.output.algorithm import DISTRIBUTIONS_ASIDE
from rtp.scenario import PAPER_PERIODS, Group, Law, Scenario, edit
from rtp.scenario.share import to_link
from tests.help import app as lab
from tests.unit.meters.files import csv, table
from tests.unit.meters.streets import known_street

LONG = pytest.mark.long
WEEKS = table(60, houses=3, days=14)


@pytest.fixture(scope="module")
def own() -> AppTest:
    """A file of six houses that live as the paper says has been uploaded, and their habits learned."""
    street = known_street(6, 21, 60, 4, empty_share=(0.05, 0.1))
    frame = table(60, houses=6, days=21).assign(kWh=street.readings.power.ravel())
    app = upload(lab.opened("Your_street", kinds="1", fuse="1", standby="0.25"), csv(frame))
    open_tab(app, "What is learned")
    return lab.finish(app, "learn")


def upload(app: AppTest, data: bytes, name: str = "mine.csv") -> AppTest:
    app.file_uploader[0].set_value((name, data, "text/csv"))
    app.run()
    assert not app.exception
    return app


def open_tab(app: AppTest, tab: str) -> None:
    lab.lab_of(app).view["meters:tab"] = tab
    app.run()
    assert not app.exception


def test_it_opens_with_what_happens_to_readings_and_the_samples_report() -> None:
    """A class sees something at once; that it is a sample is said, and it is no part of the address."""
    app = lab.glance("Your_street")
    assert PRIVATE in lab.said(app)
    assert f"From {NAME}" in lab.said(app)
    assert lab.shown(app)["Houses"] == str(SCENARIO.households)
    assert "sample" not in lab.link_of(app)
    assert "Open the sample" not in [button.label for button in app.button]


def test_a_link_opens_the_sample_and_says_that_it_is_one() -> None:
    app = lab.opened("Your_street", sample="true")
    assert lab.shown(app)["Houses"] == str(SCENARIO.households)
    assert lab.shown(app)["Days"] == str(DAYS)
    assert NAME in lab.said(app)
    assert "the clock went forward" in str(app.table[0].value.index[0])


def test_a_file_is_reported_and_a_bad_one_loses_nothing() -> None:
    app = upload(lab.opened("Your_street"), csv(WEEKS))
    assert lab.shown(app) == {
        "Houses": "3",
        "Days": "14",
        "Interval": "60 min",
        "Readings": "100 %",
    }
    assert "mine.csv" in lab.said(app)
    upload(app, b"house,kWh\na,1\n", "bad.csv")
    assert [error.value for error in app.error] == [
        "bad.csv was not read: The table has no column of times among 'house', 'kWh'."
    ]
    assert lab.shown(app)["Houses"] == "3"
    assert "mine.csv" in lab.said(app)


def test_uploads_stay_in_memory() -> None:
    """Starlette writes what is larger to a temporary file."""
    lab.glance("Your_street")
    assert MultiPartParser.spool_max_size > config.get_option("server.maxUploadSize") * 2**20


def test_as_much_is_taken_as_the_server_allows() -> None:
    """125 MB, a thousand houses for three months, by itself; less where whoever starts the lab says so."""
    allowed = config.get_option("server.maxUploadSize")
    assert allowed >= 125
    assert f"at most {allowed} MB" in lab.glance("Your_street").file_uploader[0].label
    config.set_option("server.maxUploadSize", 7)
    try:
        assert "at most 7 MB" in lab.opened("Your_street").file_uploader[0].label
    finally:
        config.set_option("server.maxUploadSize", allowed)


def test_reading_an_upload_shows_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[str, float]] = []
    monkeypatch.setattr(meters_source, "_show", lambda bar, words, done: told.append((words, done)))
    upload(lab.opened("Your_street"), csv(WEEKS))
    assert {words for words, _ in told} == {"Reading mine.csv …"}
    assert told[-1][1] == 1.0


def test_a_link_to_a_replay_opens_the_answer() -> None:
    app = lab.opened("Your_street", tab="Replay")
    assert lab.lab_of(app).view["meters:tab"] == "The answer"
    assert "start:replay" in [button.key for button in app.button]


def test_learned_habits_are_judged_and_become_the_labs_street(own: AppTest) -> None:
    assert "**6 of 6 houses show two states**" in lab.said(own)
    models, chances = (table.value for table in own.table)
    assert list(models.index) == ["Two states, with periods", "Two states, the same all day", "One state"]
    assert str(models.iloc[0, 1]).startswith("+")
    assert list(chances["Period"]) == ["Morning", "Noon", "Evening", "Night"]
    lab.press(own, "Use this street")
    street = lab.scenario_of(own)
    assert (street.households, street.step_minutes, street.power_unit) == (6, 60, "kW")
    assert street.models[0].name == "Learned"
    assert (street.groups[0].occupied_max, street.groups[0].empty_max) == (1.0, 0.25)
    learned = lab.lab_of(own).memo["job:learn"].result
    assert street.groups[0].law == law_of(learned, learned.groups[0])
    lab.lab_of(own).view["meters:use"] = "uniformly up to the bounds"
    own.run()
    lab.press(own, "Use this street")
    assert lab.scenario_of(own) == edit.without_laws(street)


def test_learning_can_be_stopped() -> None:
    job = Job(partial(_learn, read(csv(WEEKS)), PAPER_PERIODS, 1), "key")
    job.stop()
    job._run()
    assert (job.state, job.result) == ("stopped", None)
    assert 0 < job.done < 1


@pytest.mark.parametrize(
    "screen",
    ["Algorithm", "Lesson", *(pytest.param(one, marks=LONG) for one in ("Paper", "Trade-off", "Over_time"))],
)
def test_a_learned_street_opens_on_every_screen(own: AppTest, screen: str) -> None:
    """On those that are not here a real browser opens one."""
    learned = lab.lab_of(own).memo["job:learn"].result
    street = with_laws(learned.scenario(Scenario(), 1.0, 0.25), learned)
    app = lab.opened(screen, **to_link(street))
    assert lab.scenario_of(app) == street
    assert not app.exception
    assert [error.value for error in app.error] == []


def test_households_says_that_use_has_laws_and_takes_them_away() -> None:
    law = Law(edges=(0.0, 0.5, 1.0), empty=(0.9, 0.1), occupied=(0.2, 0.8))
    app = lab.opened("Households", **to_link(Scenario(groups=(Group(law=law),))))
    assert "Consumption has a distribution of its own, not uniform up to the bounds: Households." in lab.said(
        app
    )
    lab.press(app, "Use uniformly up to the bounds")
    assert lab.scenario_of(app) == Scenario()
    assert "Use by a law" not in lab.said(app)


def test_algorithm_says_that_it_leaves_laws_aside() -> None:
    law = Law(edges=(0.0, 0.5, 1.0), empty=(0.9, 0.1), occupied=(0.2, 0.8))
    app = lab.opened("Algorithm", **to_link(Scenario(groups=(Group(law=law),))))
    assert DISTRIBUTIONS_ASIDE in lab.said(app)


def test_a_replay_says_what_was_cut_and_warns_of_bounds_from_data() -> None:
    app = upload(lab.opened("Your_street", fuse="0.25", standby="0.1", span="A day"), csv(WEEKS))
    open_tab(app, "The answer")
    lab.finish(app, "replay")
    power = WEEKS["kWh"].to_numpy().reshape(3, -1)[:, :24]
    said = lab.said(app)
    assert f"Cut, because above the bound: {np.count_nonzero(power > 0.25)} readings" in said
    assert LEAKS in said
    assert app.table[0].value.columns[0] == "Error in a typical step"
    assert app.table[0].value.loc["Optimal"].iloc[0] == "0 %"


def test_an_observer_at_a_house_is_shown_with_what_she_is_judged_by(own: AppTest) -> None:
    """The house that is chosen, the rates that are shown, from the replay that stands on the screen."""
    app = own
    lab.lab_of(app).view |= {"meters:tab": "The answer", "meters:span": "A day", "meters:watched": 2}
    app.run()
    lab.finish(app, "replay")
    said = lab.said(app)
    assert "**h2**, watched by an insider" in said
    assert "**a guess**" in said
    found = lab.lab_of(app).memo["job:replay"].result.replay
    shown = watched_frame(watch(found, "h2", mechanisms=["optimal", "blowfish"]))
    assert app.table[1].value.equals(shown)
    lab.lab_of(own).view["meters:tab"] = "What is learned"
    own.run()


def test_the_screen_ends_in_an_answer_to_take_away(own: AppTest) -> None:
    """Four numbers, a sentence for each, files to take; at first the house that shows most is watched."""
    lab.lab_of(own).view |= {"meters:tab": "The answer", "meters:span": "A week", "meters:watched": None}
    own.run()
    lab.finish(own, "replay")
    result = lab.lab_of(own).memo["job:replay"].result
    cards = lab.shown(own)
    assert cards["Houses that show occupancy"] == "6 of 6"
    assert cards["Error of Blowfish"] == percent(result.replay.error("blowfish"))
    said = lab.said(own)
    for sentence in answer_words(result):
        assert sentence in said
    assert f"**{result.watched.name}**, watched by an insider" in said
    taken = [getattr(button, "label", "") for button in own.get("download_button")]
    assert taken[-3:] == ["Replay as CSV", "Bills as CSV", "Report"]
    lab.lab_of(own).view["meters:tab"] = "What is learned"
    own.run()


def test_readings_survive_a_visit_to_another_page_and_are_forgotten_when_taken_away() -> None:
    app = upload(lab.opened("Your_street"), csv(WEEKS))
    app.switch_page("pages/Households.py").run()
    app.switch_page("pages/Your_street.py").run()
    assert lab.shown(app)["Houses"] == "3"
    assert "mine" not in str(app.query_params)
    lab.press(app, "Open the sample")
    assert NAME in lab.said(app)
    upload(app, csv(WEEKS), "again.csv")
    assert "From again.csv" in lab.said(app)
