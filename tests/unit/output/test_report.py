"""The report of a day: one file, opening offline, with all that belongs to the day."""

import base64
import re

from rtp import PRESETS, Scenario, simulate
from rtp.figures import style
from rtp.figures.style import Picture
from rtp.mechanisms import REGISTRY
from rtp.metrics import ERROR_MEANS, error_lines
from rtp.output.report import figure_html, html_page, list_html, promises_html, report, text_html
from rtp.output.words import LIMITS, day_headline, noise_story
from rtp.scenario.describe import origin_words
from rtp.scenario.share import from_link, to_link
from tests.unit.output.pages import outline


def test_the_report_opens_offline_and_holds_scenario_figures_and_metrics() -> None:
    day = simulate(PRESETS["mixed street"].replace(epsilon=0.2))
    page = report(day, "preset=mixed+street&epsilon=0.2")
    assert re.search(r'<(script|link|img|iframe)[^>]+(src|href)="?http', page) is None
    assert page.count("Plotly.newPlot(") >= 2
    for release in day.release.values():
        for error in (release.rmsre, release.expected_rmsre):
            assert f"<td>{'<br>'.join(error_lines(error, day.scenario.steps))}</td>" in page
    assert ERROR_MEANS in page
    (attached,) = re.findall(r'download="scenario.json" href="data:application/json;base64,([^"]+)"', page)
    assert Scenario.from_json(base64.b64decode(attached).decode()) == day.scenario
    assert from_link(to_link(day.scenario, "mixed street")) == ("mixed street", day.scenario)


def test_the_report_ends_with_the_version_that_made_it() -> None:
    scenario = PRESETS["paper"].replace(households=20)
    page = report(simulate(scenario))
    *_, last = re.findall(r"<p>(.*?)</p>", page)
    assert last == f"Made by RTP Privacy Lab {origin_words(scenario)}."
    assert "Open it in the lab" not in page, "without a link there is none to follow"


OUTLINE = """\
<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>RTP Privacy Lab: a day</title>
[style]</head><body>
<h1>What privacy cost over a day</h1>
<p>{headline}</p>
<h2>Errors</h2>
[table]
<p>{errors}</p>
<h2>When the noise of the Calibrated rate changes</h2>
[list]
<h2>A day</h2>
[chart]
<h2>The error of every rate</h2>
[chart]
<h2>What the promise says, and what it does not</h2>
[list]
[list]
<h2>The scenario</h2>
<p>Open it in the lab with <code>?preset=paper&amp;epsilon=0.2</code></p>
<p>Attached: <a download="scenario.json" href="data:application/json;">scenario.json</a>, to open in the lab \
or to run by <code>rtp run scenario.json</code>.</p>
<p>Made by RTP Privacy Lab {made}.</p>
[script]
</body></html>
"""


def test_the_report_shows_the_rates_and_then_their_errors() -> None:
    day = simulate(PRESETS["paper"].replace(households=9))
    page = report(day, "preset=paper&epsilon=0.2", "calibrated")
    assert outline(page) == OUTLINE.format(
        headline=day_headline(day, "calibrated"), errors=ERROR_MEANS, made=origin_words(day.scenario)
    )
    rates, errors = re.findall(r"<figure>.*?</figure>", page, re.DOTALL)
    assert len(rates) > 1_000_000 > len(errors), "the first brings the script"
    titles = [re.findall(r'"text":"\\u003cb\\u003e(.*?)\\u003c', drawn)[0] for drawn in (rates, errors)]
    alike = "Blowfish and Threshold coincide"
    assert titles == [f"Rate · {alike}", f"Published − optimal rate, ± the noise scale · {alike}"]
    (told,) = re.findall(r"When the noise.*?(<ul>.*?</ul>)", page, re.DOTALL)
    assert told == list_html(noise_story(day, "calibrated"))


def test_every_promise_is_told_with_what_it_relies_on() -> None:
    told = re.findall(r"<li>(.*?)</li>", promises_html())
    assert told == [
        *(text_html(f"**{m.label}**: {m.promise} It relies on {m.relies_on}.") for m in REGISTRY.values()),
        *map(text_html, LIMITS),
    ]


def test_every_rule_of_the_reports_style_is_read() -> None:
    """A stray word before a rule would take it along: the page's size, or what holds on paper."""
    (style,) = re.findall(r"<style>(.*?)</style>", html_page("Title", "Heading", ""), re.DOTALL)
    selectors = [text.strip() for text in re.findall(r"([^{}]+){", style)]
    assert selectors[:3] == ["@page", "@media print", "figure"]
    right = re.compile(r"@page|@media (?:print|screen)|[a-z0-9:, -]+")
    assert [text for text in selectors if not right.fullmatch(text)] == []


def test_only_the_first_chart_of_a_page_brings_the_script() -> None:
    picture = Picture([], style.layout(100), "")
    alone, first = (figure_html(picture, with_script=with_script) for with_script in (False, True))
    assert len(alone) < 10_000 < 1_000_000 < len(first)
    for drawn in (alone, first):
        assert drawn.startswith('<figure><div style="height:100px')
        assert re.findall(r"\{[^{}]*\}(?=\s*\)\s*\};\s*</script>\s*</div></figure>$)", drawn) == [
            '{"displaylogo": false, "responsive": true}'
        ]
        assert '"plot_bgcolor":"white"' in drawn, "as paper"


def test_words_are_escaped_and_only_bold_is_marked() -> None:
    assert text_html("**a < b** & *c* **d**") == "<b>a &lt; b</b> &amp; *c* <b>d</b>"
