"""A day as one HTML file that opens offline: scenario, figures, metrics, interpretation; and its parts.

And several scenarios side by side: which settings differ, and what comes of it on each one's own day: the
error and the noise of every mechanism, and what an attacker gets out of one rate. She is the strongest there
is, who knows what everyone else used, and looks at the house whose mean use differs most between its states:
an exact belief that costs no time.
"""

import base64
import html
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from rtp.attack.adversary import largest_gap, posterior
from rtp.attack.success import right_so_far
from rtp.core.formatting import percent, plain, plain_parts
from rtp.figures import style, theme
from rtp.figures.day import CONSUMPTION, OCCUPANCY, mean_figure, rates_figure
from rtp.figures.style import Picture
from rtp.mechanisms import FEATURED, REGISTRY, private
from rtp.metrics import ERROR_MEANS
from rtp.output.words import LIMITS, day_headline, noise_story, promise_words
from rtp.scenario import Scenario
from rtp.scenario.describe import Difference, differences, more_settings, origin_words, span_words
from rtp.scenario.habits import SENTENCES
from rtp.scenario.units import titled
from rtp.simulation import Day
from rtp.street.simulate import replay_houses

if TYPE_CHECKING:
    import pandas as pd

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


def report(day: Day, link: str = "", mechanism: str = FEATURED) -> str:
    """The report's HTML. Plotly's script is inside, so nothing is fetched."""
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
<h2>What the promise says, and what it does not</h2>
{promises_html()}
<h2>The scenario</h2>
{address}
{scenario_html(day.scenario)}"""
    span = span_words(day.scenario)
    return html_page(span, f"What privacy cost over {span}", body)


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


def list_html(lines: Iterable[str]) -> str:
    """An HTML list."""
    return f"<ul>{''.join(f'<li>{text_html(line)}</li>' for line in lines)}</ul>"


def _table(day: Day) -> str:
    """The errors, noise and protected houses of every rate."""
    rows = "".join(
        f"<tr><td>{style.label(name)}</td><td>{percent(r.error)}</td><td>{percent(r.expected_error)}</td>"
        f"<td>{plain(r.scale.min(), 4)} – {plain(r.scale.max(), 4)}</td>"
        f"<td>{r.protected.min():,} – {r.protected.max():,}</td></tr>"
        for name, r in day.release.items()
    )
    return (
        "<table><tr><th>Rate</th><th>Error</th><th>On average</th>"
        f"<th>{titled('Noise scale', day.scenario, 'rate')}</th><th>Protected houses</th></tr>{rows}</table>"
    )


def text_html(words: str) -> str:
    """Escaped words; **bold** is the only markup."""
    parts = enumerate(map(html.escape, plain_parts(words)))
    return "".join(f"<b>{part}</b>" if number % 2 else part for number, part in parts)


MAX_SETTINGS = 12  # rows of settings; the others are only counted


InsiderResult = Callable[[Day], tuple[str, str]]  # what the insider gets out of a day, in two texts


def insider_words(mechanism: str = FEATURED) -> str:
    """What she sees and knows."""
    return (
        f"The insider sees the {REGISTRY[mechanism].label} rates, knows what everyone else used, and looks "
        "at the house whose mean use differs most between its states; her belief is exact."
    )


def insider_result(day: Day, mechanism: str = FEATURED) -> tuple[str, str]:
    """How far the insider's belief moves on average, and how often she is right."""
    house = largest_gap(day.street)
    seen = posterior(day, mechanism, adversary="insider", house=house)
    occupied = replay_houses(day.street_day.spec, day.street, [house])[0][:, 0]
    hers, model_only = right_so_far(seen, 0, occupied, day.scenario.steps - 1)
    return percent(float(seen.exposure[0])), f"{percent(hers)} (habits alone {percent(model_only)})"


def result_rows(days: Sequence[Day], attack: InsiderResult = insider_result) -> list[Difference]:
    """What comes of every scenario, row by row; `attack` says what the insider gets."""
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
    moved, right = zip(*map(attack, days), strict=True)
    return [*rows, Difference("Insider: belief moves by", moved), Difference("Insider: right guesses", right)]


def setting_rows(days: Sequence[Day]) -> list[Difference]:
    """The settings that differ; where they are many, the first of them and how many more there are."""
    rows = differences([day.scenario for day in days])
    more = len(rows) - MAX_SETTINGS
    if more <= 0:
        return rows
    return [*rows[:MAX_SETTINGS], Difference(f"… and {more_settings(more)}", ("",) * len(days))]


def side_by_side(
    names: Sequence[str], days: Sequence[Day], attack: InsiderResult = insider_result
) -> "pd.DataFrame":
    """One column for each scenario, one row for each setting that differs and for each result."""
    import pandas as pd

    rows = [*setting_rows(days), *result_rows(days, attack)]
    return pd.DataFrame([row.values for row in rows], [row.setting for row in rows], list(names))
