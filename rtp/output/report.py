"""A day as one HTML file that opens offline: scenario, figures, metrics, interpretation; and its parts.

And several scenarios side by side: which settings differ, and what comes of it on each one's own day: the
error and the noise of every mechanism, and how often either observer tells a moment.
"""

import base64
import html
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import get_args

from rtp.core.formatting import percent, plain, plain_parts
from rtp.core.types import Frame, data_frame
from rtp.exposure import Exposure, Observer, Secret
from rtp.figures import style, theme
from rtp.figures.day import CONSUMPTION, OCCUPANCY, mean_figure, rates_figure
from rtp.figures.style import Picture
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED, private
from rtp.metrics import ERROR_MEANS
from rtp.output.exposure import share, told
from rtp.output.words import LIMITS, day_headline, noise_story, promise_words
from rtp.scenario import Scenario
from rtp.scenario.describe import Difference, differences, more_settings, origin_words, span_words
from rtp.scenario.habits import SENTENCES
from rtp.scenario.units import titled
from rtp.simulation import Day

_STYLE = (
    f"""
{theme.PRINT_PAGE}
@media print {{
figure {{ zoom: var({theme.PRINT_SCALE}, 1); break-inside: avoid; }}
h2, h3 {{ break-after: avoid; }}
.sheet {{ break-before: page; }}
tr {{ break-inside: avoid; }}
pre {{ white-space: pre-wrap; }}
}}
"""
    + """
figure { margin: 0; max-width: 70rem; }
figure > svg { max-width: 100%; height: auto; }
figcaption { font-size: 85%; }
.across { display: flex; flex-wrap: wrap; gap: 0 2rem; }
body { font: 16px/1.5 system-ui, sans-serif; color: #1b2430; }
body { max-width: 80rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; }
td, th { padding: .3rem .8rem; border-bottom: 1px solid #cfd6df; text-align: right; }
@media print { body { font-size: 12px; margin: 0; } td, th { padding: .1rem .5rem; } }
td:first-child, th:first-child { text-align: left; }
@media screen { section { overflow-x: auto; } section td, section th { white-space: nowrap; } }
pre { background: #f3f5f8; padding: 1rem; overflow: auto; }
"""
)
_SCRIPT = f"""
const fits = {theme.PRINT_FITS};
for (const figure of document.querySelectorAll("figure"))
    figure.style.setProperty("{theme.PRINT_SCALE}", fits(figure));
"""


DIGITS = 5  # of a number in a table
_CHART = {"displaylogo": False, "responsive": True}


def html_page(title: str, heading: str, body: str) -> str:
    """A page that fetches nothing, for screen and paper."""
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>RTP Privacy Lab: {html.escape(title)}</title>
<style>{_STYLE}</style></head><body>
<h1>{html.escape(heading)}</h1>
{body}
<script>{_SCRIPT}</script>
</body></html>
"""


def report(day: Day, link: str = "", mechanism: str = FEATURED, seen: Collection[Exposure] = ()) -> str:
    """The report's HTML, with what observers were found to tell. Plotly's script is inside, so nothing is
    fetched."""
    rates = figure_html(rates_figure(day, list(day.release)), with_script=True)
    lived = "\n".join(
        figure_html(mean_figure(day, panel, group), with_script=False)
        for panel in (OCCUPANCY, CONSUMPTION)
        for group in range(len(day.scenario.groups))
    )
    address = f"<p>Open it in the lab with <code>?{html.escape(link)}</code></p>" if link else ""
    body = f"""<p>{text_html(day_headline(day, mechanism))}</p>
<h2>Errors</h2>
{_table(day)}
<p>{text_html(ERROR_MEANS)}</p>
<h2>When the noise of the {REGISTRY[mechanism].label} rate changes</h2>
{list_html(noise_story(day, mechanism))}
<h2>{span_words(day.scenario).capitalize()}</h2>
{rates}
<h2>Who was there, and what they used</h2>
{lived}
{_told(day, mechanism, seen)}
<h2>What the promise says, and what it does not</h2>
{promises_html()}
<h2>The scenario</h2>
{address}
{scenario_html(day.scenario)}"""
    span = span_words(day.scenario)
    return html_page(span, f"What privacy cost over {span}", body)


def _told(day: Day, mechanism: str, seen: Collection[Exposure]) -> str:
    """How often each observer tells her secret, from the optimal rate and from a private one."""
    lines = [
        f"{REGISTRY[rate].label} rate: {told(found, rate, day.scenario.epsilon)}"
        for found in seen
        for rate in (UNPROTECTED, mechanism)
    ]
    return f"<h2>What an observer can tell</h2>\n{list_html(lines)}" if lines else ""


def promises_html() -> str:
    """What every mechanism promises, and what no promise covers."""
    return f"{list_html(map(promise_words, REGISTRY.values()))}\n{list_html(LIMITS)}"


def scenario_html(scenario: Scenario) -> str:
    """The scenario's JSON as an attachment, and which lab made the page."""
    content = base64.b64encode(scenario.to_json().encode()).decode()
    attached = f'<a download="scenario.json" href="data:application/json;base64,{content}">scenario.json</a>'
    return (
        f"<p>{SENTENCES[scenario.occupied_means]}</p>\n"
        f"<p>Attached: {attached}, to open in the lab or to run by <code>rtp run scenario.json</code>.</p>\n"
        f"<p>Made by RTP Privacy Lab {origin_words(scenario)}.</p>"
    )


def figure_html(picture: Picture, *, with_script: bool) -> str:
    """A chart; the first of a page brings plotly's script along."""
    figure = picture.figure.update_layout(template="plotly_white")
    drawn = figure.to_html(full_html=False, include_plotlyjs=with_script, config=_CHART)
    return f"<figure>{drawn}</figure>"


def diagram_html(drawn: style.Diagram) -> str:
    """A drawing that needs no script."""
    return f"<figure>{drawn.svg}<figcaption>{text_html(drawn.words)}</figcaption></figure>"


def list_html(lines: Iterable[str]) -> str:
    """An HTML list."""
    return f"<ul>{''.join(f'<li>{text_html(line)}</li>' for line in lines)}</ul>"


def _table(day: Day) -> str:
    """The errors, noise and protected houses of every rate."""
    scale = titled("Noise scale", day.scenario, "rate")
    rows = {
        style.label(name): {
            "Error": percent(r.error),
            "On average": percent(r.expected_error),
            scale: f"{plain(r.scale.min(), 4)} – {plain(r.scale.max(), 4)}",
            "Protected houses": f"{r.protected.min():,} – {r.protected.max():,}",
        }
        for name, r in day.release.items()
    }
    return frame_html(data_frame(rows.values(), index=list(rows)).rename_axis("Rate"))


def frame_html(frame: Frame) -> str:
    """A table, its index first; what stands in its cells is escaped."""
    heads = [frame.index.name or "", *frame.columns]
    named = frame.reset_index().set_axis(heads, axis=1)
    table = named.to_html(index=False, border=0, float_format=f"{{:,.{DIGITS}g}}".format)
    return f"<section>{table}</section>"


def text_html(words: str) -> str:
    """Escaped words; **bold** is the only markup."""
    parts = enumerate(map(html.escape, plain_parts(words)))
    return "".join(f"<b>{part}</b>" if number % 2 else part for number, part in parts)


MAX_SETTINGS = 12  # rows of settings; the others are only counted
Seen = Mapping[tuple[Secret, Observer], Exposure]


def result_rows(days: Sequence[Day], seen: Sequence[Seen], mechanism: str) -> list[Difference]:
    """What comes of every scenario, row by row; what an observer tells, where that is known."""
    rows = [
        Difference(f"Error, {REGISTRY[name].label}", tuple(percent(day.release[name].error) for day in days))
        for name in private()
    ]
    rows += [
        Difference(
            f"Mean noise scale, {REGISTRY[name].label}",
            tuple(plain(float(day.release[name].scale.mean())) for day in days),
        )
        for name in private()
        if REGISTRY[name].adds_noise
    ]
    for who in get_args(Observer) if seen else ():
        both = zip((each["moment", who] for each in seen), days, strict=True)
        areas = (share(one.at(mechanism, day.scenario.epsilon), one.exact) for one, day in both)
        name = f"{who.capitalize()} tells a moment, {REGISTRY[mechanism].label}"
        rows.append(Difference(name, tuple(areas)))
    return rows


def setting_rows(days: Sequence[Day]) -> list[Difference]:
    """The settings that differ; where they are many, the first of them and how many more there are."""
    rows = differences([day.scenario for day in days])
    more = len(rows) - MAX_SETTINGS
    if more <= 0:
        return rows
    return [*rows[:MAX_SETTINGS], Difference(f"… and {more_settings(more)}", ("",) * len(days))]


def side_by_side(
    names: Sequence[str], days: Sequence[Day], seen: Sequence[Seen] = (), mechanism: str = FEATURED
) -> Frame:
    """One column for each scenario, one row for each setting that differs and for each result; `seen` is what
    each observer tells of each one's street."""
    rows = [*setting_rows(days), *result_rows(days, seen, mechanism)]
    return data_frame([row.values for row in rows], [row.setting for row in rows], list(names))
