"""A day as one HTML file that opens offline: scenario, figures, metrics, interpretation."""

import html
import re
from collections.abc import Iterable

from rtp.core.formatting import plain
from rtp.figures import style, theme
from rtp.figures.day import day_figure
from rtp.mechanisms import REGISTRY
from rtp.metrics import ERROR_MEANS, error_lines
from rtp.output.words import LIMITS, day_headline, noise_story
from rtp.scenario.describe import origin_words
from rtp.scenario.units import titled
from rtp.simulation import Day

_STYLE = (
    f"""
{theme.PRINT_PAGE}
@media print {{
figure {{ zoom: var({theme.PRINT_SCALE}, 1); break-inside: avoid; }}
h2 {{ break-after: avoid; }}
tr {{ break-inside: avoid; }}
pre {{ white-space: pre-wrap; }}
}}
"""
    + """
figure { margin: 0; }
body { font: 16px/1.5 system-ui, sans-serif; color: #1b2430; }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; }
td, th { padding: .3rem .8rem; border-bottom: 1px solid #cfd6df; text-align: right; }
td:first-child, th:first-child { text-align: left; }
pre { background: #f3f5f8; padding: 1rem; overflow: auto; }
"""
)
_SCRIPT = f"""
const fits = {theme.PRINT_FITS};
for (const figure of document.querySelectorAll("figure"))
    figure.style.setProperty("{theme.PRINT_SCALE}", fits(figure));
"""


def report(day: Day, link: str = "") -> str:
    """The report's HTML. Plotly's script is inside, so nothing is fetched."""
    rates, errors = (_figure(day, view, with_script=view == "Rates") for view in ("Rates", "Error"))
    address = f"<p>Open it in the lab with <code>?{html.escape(link)}</code></p>" if link else ""
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>RTP Privacy Lab: a day</title>
<style>{_STYLE}</style></head><body>
<h1>What privacy cost on this day</h1>
<p>{_text(day_headline(day))}</p>
<h2>Errors</h2>
{_table(day)}
<p>{_text(ERROR_MEANS)}</p>
<h2>When the noise changes</h2>
{_list(noise_story(day))}
<h2>The day</h2>
<figure>{rates}</figure>
<h2>The error of every rate</h2>
<figure>{errors}</figure>
<h2>What the promise says, and what it does not</h2>
{_list(f"**{m.label}**: {m.promise} It relies on {m.relies_on}." for m in REGISTRY.values())}
{_list(LIMITS)}
<h2>The scenario</h2>
{address}
<pre>{html.escape(day.scenario.to_json())}</pre>
<p>Made by RTP Privacy Lab {origin_words(day.scenario)}.</p>
<script>{_SCRIPT}</script>
</body></html>
"""


def _figure(day: Day, view: str, *, with_script: bool) -> str:
    """All rates of the day, or their errors, as HTML; the first figure brings plotly's script along."""
    figure = day_figure(day, list(day.release), view).figure.update_layout(template="plotly_white")
    return str(figure.to_html(full_html=False, include_plotlyjs=with_script, config={"displaylogo": False}))


def _list(lines: Iterable[str]) -> str:
    """An HTML list."""
    return f"<ul>{''.join(f'<li>{_text(line)}</li>' for line in lines)}</ul>"


def _table(day: Day) -> str:
    """The errors, noise and protected houses of every rate."""
    rows = "".join(
        f"<tr><td>{style.label(name)}</td>{_error(r.rmsre, len(r.rate))}"
        f"{_error(r.expected_rmsre, len(r.rate))}"
        f"<td>{plain(r.scale.min(), 4)} – {plain(r.scale.max(), 4)}</td>"
        f"<td>{r.protected.min():,} – {r.protected.max():,}</td></tr>"
        for name, r in day.release.items()
    )
    return (
        "<table><tr><th>Rate</th><th>Error</th><th>On average</th>"
        f"<th>{titled('Noise scale', day.scenario, 'rate')}</th><th>Protected houses</th></tr>{rows}</table>"
    )


def _error(rmsre: float, steps: int) -> str:
    """A cell: the percentage, and beneath it RMSRE."""
    return f"<td>{'<br>'.join(error_lines(rmsre, steps))}</td>"


def _text(words: str) -> str:
    """Escaped words; **bold** is the only markup."""
    return re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", html.escape(words))
