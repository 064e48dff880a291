"""The Your street screen: the sample by its link, a file of one's own, habits learned from it, its replay."""

import re
from collections.abc import Callable
from io import StringIO

import pandas as pd
import pytest
from starlette.formparsers import MultiPartParser
from streamlit import config
from streamlit.testing.v1 import AppTest

from pages.ui import jobs
from pages.ui.screens import READINGS
from rtp.meters import real_home, watch
from rtp.meters.learned import law_of
from rtp.meters.real_home import SCENARIO
from rtp.output.check import check_frame
from rtp.output.replayed import judged_words, observed_frame, rates_words
from rtp.scenario import edit
from rtp.scenario.spreadsheet import read_apart
from tests.help import app as lab
from tests.unit.meters.files import csv, table
from tests.unit.meters.streets import known_street

WEEKS = table(60, houses=3, days=14)


@pytest.fixture(scope="module")
def own() -> AppTest:
    """A file of six houses that live as the paper says has been uploaded, and their habits learned."""
    street = known_street(6, 21, 60, 4, empty_share=(0.05, 0.1))
    frame = table(60, houses=6, days=21).assign(kWh=street.readings.power.ravel())
    app = upload(lab.opened("Street", tab=READINGS, fuse="1", standby="0.25"), csv(frame))
    return lab.finish(show(app, tab="What is learned"), "learn")


def upload(app: AppTest, data: bytes, name: str = "mine.csv") -> AppTest:
    app.file_uploader[0].set_value((name, data, "text/csv"))
    app.run()
    assert not app.exception
    return app


def read(app: AppTest) -> tuple[int, int]:
    """How many houses and days the screen says were read."""
    houses, days = re.findall(r"\d+", app.header[0].value)[:2]
    return int(houses), int(days)


def show(app: AppTest, **settings: object) -> AppTest:
    """With these settings of the screen."""
    lab.lab_of(app).view |= {f"meters:{name}": value for name, value in settings.items()}
    app.run()
    assert not app.exception
    return app


def test_a_file_is_read_in_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two hundred megabytes parsed in the server's process would hold everybody else."""
    lab.glance("Street", READINGS)  # the sample is read, once for all tests
    monkeypatch.setattr(jobs, "read", read_apart)
    monkeypatch.setattr("rtp.meters.source.collect", None)  # here; a worker has its own
    assert read(upload(lab.opened("Street", tab=READINGS), csv(WEEKS))) == (3, 14)


def test_a_bad_file_loses_nothing() -> None:
    app = upload(lab.opened("Street", tab=READINGS), csv(WEEKS))
    upload(app, b"house,kWh\na,1\n", "bad.csv")
    assert "bad.csv was not read" in app.error[0].value
    assert "still mine.csv" in app.error[0].value, "whose numbers they are"
    assert read(app) == (3, 14)
    upload(app, csv(WEEKS))
    app.file_uploader[0].set_value(None).run()  # as a browser does before it sends another file
    upload(app, b"house,kWh\na,1\n", "bad.csv")
    assert read(app) == (3, 14)
    app.switch_page("pages/Attack.py").run()
    app.switch_page("pages/Street.py").run()
    assert read(app) == (3, 14)
    upload(app, csv(WEEKS))
    app.file_uploader[0].set_value(None).run()
    app.run()
    upload(app, b"house,kWh\na,1\n", "bad.csv")
    assert read(app)[0] == SCENARIO.households, "what was taken away and not replaced is forgotten"


def test_uploads_stay_in_memory_up_to_what_the_server_allows() -> None:
    """Starlette writes what is larger to a temporary file. 125 MB are a thousand houses for three months."""
    lab.glance("Street", READINGS)
    allowed = config.get_option("server.maxUploadSize")
    assert allowed >= 125
    assert MultiPartParser.spool_max_size > allowed * 2**20


def test_learned_habits_become_the_labs_street(own: AppTest) -> None:
    own.button(key="meters:use street").click().run()
    street = lab.scenario_of(own)
    assert (street.households, street.step_minutes, street.power_unit) == (6, 60, "kW")
    assert (street.groups[0].occupied_max, street.groups[0].empty_max) == (1.0, 0.25)
    learned = lab.lab_of(own).extras["job:learn"].result
    assert street.groups[0].law == law_of(learned, learned.groups[0])
    show(own, use="uniformly up to the bounds")
    own.button(key="meters:use street").click().run()
    assert lab.scenario_of(own) == edit.without_laws(street)


def test_the_answer_is_of_the_readings_and_their_learned_habits(
    own: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is chosen for the next learning."""
    show(own, tab="Rates and bills", span="A day", watched=2, groups=3)
    lab.finish(own, "replay")
    result = lab.lab_of(own).extras["job:replay"].result
    assert result.learned is lab.lab_of(own).extras["meters:loaded"].learned is not None
    assert rates_words(result.replay) in lab.said(own)
    shown = observed_frame(watch(result.replay, "h2", mechanisms=["optimal", "blowfish"]))
    assert own.table[0].value.equals(shown)
    taken: dict[str, Callable[[], str]] = {}
    with monkeypatch.context() as patch:
        patch.setattr(
            "streamlit.download_button", lambda _, make, name, *__, **___: taken.update({name: make})
        )
        own.run()
    steps = pd.read_csv(StringIO(taken["replay.csv"]()), parse_dates=["time"])
    assert set(steps["time"].diff()[1:]) == {pd.Timedelta(int(steps["lab_step_minutes"][0]), "min")}
    upload(own, csv(WEEKS), "another.csv")
    lab.finish(own, "replay")
    assert lab.lab_of(own).extras["job:replay"].result.learned is None, "of other readings"


@pytest.mark.long
def test_the_real_home_teaches_by_its_readings_and_is_judged_by_its_family() -> None:
    app = lab.finish(lab.opened("Street", tab=READINGS, home="true", readings="What is learned"), "learn")
    assert real_home.LICENCE_ADDRESS in lab.said(app)
    loaded = lab.lab_of(app).extras["meters:loaded sample"][real_home.HOME_NAME]
    assert not loaded.learned.counted
    assert app.table[0].value.equals(check_frame(loaded.check))
    lab.finish(show(app, tab="Rates and bills"), "replay")
    observed = lab.lab_of(app).extras["job:replay"].result.observed
    assert 0 < observed.labelled < len(observed.occupied), "the family was silent on one of these days"
    assert judged_words(observed) in lab.said(app)
    apart = lab.finish(lab.opened("Street", tab=READINGS, home="true", readings="Rates and bills"), "replay")
    shown = lab.lab_of(apart).extras["job:replay"].result
    assert (shown.replay.first_date, shown.replay.learned_days) == (real_home.WEEK, 0)
    assert shown.observed.right("optimal") == observed.right("optimal"), "nothing learned here matters"
    assert apart.table[0].value.equals(app.table[0].value), "in sight, in no fold"
    app.segmented_control(key=lab.key(app, "meters:home")).set_value(False).run()
    assert real_home.LICENCE_ADDRESS not in lab.said(app), "that is the simulated street again"
