"""The report of a street: one page that opens offline, and takes no house's name for markup."""

import re
from dataclasses import replace

import pytest

import rtp
from rtp.mechanisms import REGISTRY
from rtp.meters import Readings, learn
from rtp.meters.answering import Answer, answer
from rtp.output import street_report
from tests.unit.meters.streets import known_street

HOSTILE = "</script><img src=x onerror=alert(1)>"
SECTIONS = [
    "The answer",
    "What would have been published",
    "What each house would have paid",
    "An observer at the house that shows most",
    "What was read",
    "What is learned",
    "What the promise says, and what it does not",
    "The scenario",
]


@pytest.fixture(scope="module")
def asked() -> tuple[Readings, Answer, rtp.Scenario]:
    street = known_street(3, 14, 60, 11, empty_share=(0.05, 0.1))
    readings = replace(street.readings, houses=(HOSTILE, "h1", "h2"))
    learned = learn(readings, resamples=0)
    scenario = learned.scenario(rtp.Scenario(), 1.0, 0.5)
    return readings, answer(readings, scenario, learned, house=HOSTILE), scenario


@pytest.mark.slow
def test_the_report_holds_every_part_and_fetches_nothing(
    asked: tuple[Readings, Answer, rtp.Scenario],
) -> None:
    page = street_report.street_report(*asked)
    assert re.findall("<h2>(.*?)</h2>", page) == SECTIONS
    assert page.count('class="plotly-graph-div"') == 5
    assert not re.search(r"<(script|link|img)[^>]+(src|href)=", page)
    assert HOSTILE not in page
    assert "&lt;/script&gt;&lt;img src=x" in page
    for name in ("House", "Verdict", "Why", "Energy (kWh)", *(m.label for m in REGISTRY.values())):
        assert f"<th>{name}</th>" in page


def test_of_many_houses_the_largest_bills_are_listed(
    asked: tuple[Readings, Answer, rtp.Scenario], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(street_report, "TOP_ROWS", 1)
    page = street_report.street_report(*asked)
    assert "The 1 largest of 3 bills." in page
    assert "The first 1 of 3 houses." in page
    replayed = asked[1].replay
    largest = max(zip(replayed.paid["optimal"], replayed.houses, strict=True))[1]
    rows = re.findall(r"<tr>\s*<td>(h1|h2|&lt;/script.*?)</td>\s*<td>Group A</td>\s*<td>[\d.]+</td>", page)
    assert rows == [largest.replace("<", "&lt;").replace(">", "&gt;")]
