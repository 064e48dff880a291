"""Reports: one file that opens offline, with all that belongs to it, and takes no name for markup."""

import base64
import re
from dataclasses import replace

import numpy as np
import pytest

from rtp import PRESETS, Scenario, simulate
from rtp.core.formatting import percent, plain
from rtp.exposure import exposure
from rtp.mechanisms import FEATURED
from rtp.meters import learn
from rtp.meters.answering import answer
from rtp.meters.check import at_home
from rtp.output import street_report
from rtp.output.check import home_words
from rtp.output.exposure import told
from rtp.output.report import list_html, report, text_html
from rtp.output.words import day_headline, noise_story
from tests.unit.meters.streets import known_street

HOSTILE = "</script><img src=x onerror=alert(1)>"


def attached(page: str) -> Scenario:
    (content,) = re.findall(r'download="scenario.json" href="data:application/json;base64,([^"]+)"', page)
    return Scenario.from_json(base64.b64decode(content).decode())


def opens_offline(page: str, charts: int) -> bool:
    """Whether nothing is fetched, and plotly's script is there once, in the first chart."""
    figures = re.findall(r"<figure>.*?</figure>", page, re.DOTALL)
    assert len(figures) == charts
    assert [len(figure) > 1_000_000 for figure in figures] == [True] + [False] * (charts - 1)
    return not re.search(r"<(script|link|img|iframe)[^>]+(src|href)=", page)


def test_the_report_of_a_day_holds_its_scenario_errors_and_story() -> None:
    day = simulate(PRESETS["unsure curator"].replace(households=30, epsilon=0.2))
    insider = exposure(day.scenario.replace(epsilon=5.0), "moment", "insider")
    page = report(day, "preset=unsure+curator&epsilon=0.2", "calibrated", [insider])
    assert opens_offline(page, 1 + 2 * len(day.scenario.groups))
    assert attached(page) == day.scenario
    assert "?preset=unsure+curator&amp;epsilon=0.2" in page
    assert text_html(day_headline(day, "calibrated")) in page
    assert list_html(noise_story(day, "calibrated")) in page
    for release in day.release.values():
        for error in (release.error, release.expected_error):
            assert f"<td>{percent(error)}</td>" in page
    assert text_html(told(insider, "calibrated", 0.2)) in page
    assert "?preset" not in report(day), "without a link there is none to follow"


@pytest.mark.slow
def test_the_report_of_a_street_takes_no_name_for_markup() -> None:
    street = known_street(3, 14, 60, 11, empty_share=(0.05, 0.1))
    truth = street.occupied.astype(np.int8)
    readings = replace(street.readings, houses=(HOSTILE, "h1", "h2"))
    learned = learn(readings, resamples=0)
    scenario = learned.scenario(Scenario(), 1.0, 0.5)
    found = answer(readings, scenario, learned, house=HOSTILE)
    home = at_home(replace(readings, occupied=truth))
    page = street_report.street_report(readings, found, scenario, home)
    assert opens_offline(page, 6)
    assert text_html(home_words(home, 0)) in page
    assert plain(100 * float(((home.at_home[0] >= 0.5) == truth[0]).mean()), 3) in home_words(home, 0)
    assert attached(page) == scenario
    assert HOSTILE not in page
    assert "&lt;/script&gt;&lt;img src=x" in page


# Sentences and tables hold the numbers of the day that they are about; none is repeated here in words


@pytest.mark.parametrize("name", ["mansions", "quiet night", "paper"])
def test_the_story_has_a_line_for_every_change_of_the_noise(name: str) -> None:
    day = simulate(PRESETS[name])
    scale = day.release[FEATURED].scale
    changes = np.flatnonzero(np.diff(scale)) + 1
    story = noise_story(day)
    if not len(changes):
        assert len(story) == 1
        assert plain(scale[0], 4) in story[0]
        return
    for step, line in zip(changes, story, strict=True):
        assert line.startswith(f"**{day.scenario.when(int(step))}**")
        assert f"{plain(scale[step - 1], 4)} → {plain(scale[step], 4)}" in line
