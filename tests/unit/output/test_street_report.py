"""The report of a street: one page that opens offline, and takes no house's name for markup."""

import re
from dataclasses import replace

import pandas as pd
import pytest

import rtp
from rtp.mechanisms import REGISTRY
from rtp.meters import Answer, Readings, answer, learn
from rtp.metrics import ERROR_MEANS
from rtp.output import street_report
from rtp.output.meters import CHANCES_MEAN, WORST_MEANS
from rtp.output.street_report import frame_html
from rtp.scenario.describe import origin_words
from tests.unit.meters.streets import known_street
from tests.unit.output.pages import outline

HOSTILE = "</script><img src=x onerror=alert(1)>"
OUTLINE = """\
<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>RTP Privacy Lab: your street</title>
[style]</head><body>
<h1>What privacy would have cost on this street</h1>
<p><b>This page shows the use and the bills of single houses: keep it as you keep the readings.</b></p>
<h2>The answer</h2>
[list]
<h2>What would have been published</h2>
<p>The first week; zoom out for the rest.</p>
[chart]
[table]
<p>{errors}</p>
[list]
<h2>What each house would have paid</h2>
[chart]
[table]
<h2>An observer at the house that shows most</h2>
[chart]
[table]
<p>{worst}</p>
<h2>What was read</h2>
<p>3 houses, 14 days from 2024-05-06, every 60 minutes.</p>
[table]
<h2>What is learned</h2>
[list]
[table]
[chart]
[chart]
[table]
<p>{chances}</p>
<h2>What the promise says, and what it does not</h2>
[list]
[list]
<h2>The scenario</h2>
<p>Attached: <a download="scenario.json" href="data:application/json;">scenario.json</a>, to open in the lab \
or to run by <code>rtp run scenario.json</code>.</p>
<p>Made by RTP Privacy Lab {made}.</p>
[script]
</body></html>
"""


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
    assert outline(page) == OUTLINE.format(
        errors=ERROR_MEANS, worst=WORST_MEANS, chances=CHANCES_MEAN, made=origin_words(asked[2])
    )
    week = ("2024-05-06", "2024-05-13")
    assert re.findall(r'"range":\["(\d{4}-[^"]+)","([^"]+)"\]', page) == [week, week]
    drawn = page[: page.index("What each house would have paid")]
    assert re.findall(r'"name":"([^"]+)"', drawn)[-3:] == ["Filtered", "Blowfish", "Optimal"]
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
    assert [line for line in outline(page).splitlines() if " of 3 " in line] == [
        "<p>The 1 largest of 3 bills.</p>[table]",
        "<p>The first 1 of 3 houses.</p>[table]",
    ]
    replayed = asked[1].replay
    largest = max(zip(replayed.paid["optimal"], replayed.houses, strict=True))[1]
    rows = re.findall(r"<tr>\s*<td>(h1|h2|&lt;/script.*?)</td>\s*<td>Group A</td>\s*<td>[\d.]+</td>", page)
    assert rows == [largest.replace("<", "&lt;").replace(">", "&gt;")]


@pytest.mark.parametrize(("name", "head"), [("Name", "Name"), (None, "")])
def test_a_table_begins_with_its_index_and_numbers_have_five_digits(name: str | None, head: str) -> None:
    frame = pd.DataFrame({"Money": [12345.678], "Who": ["a < b"]}, index=pd.Index(["p"], name=name))
    table = re.sub(r"\s*\n\s*", "", frame_html(frame))
    assert table == (
        '<section><table class="dataframe"><thead><tr style="text-align: right;">'
        f"<th>{head}</th><th>Money</th><th>Who</th></tr></thead>"
        "<tbody><tr><td>p</td><td>12,346</td><td>a &lt; b</td></tr></tbody></table></section>"
    )
