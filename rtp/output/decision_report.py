"""The answer as a page of HTML that prints on two sheets: what to publish, its cost, what still shows."""

from rtp.decision import Decision
from rtp.decision.words import (
    EXPLAINED,
    answer_sentence,
    assumptions,
    exposure_frame,
    interval_frame,
    money_frame,
    rates_frame,
    warnings,
)
from rtp.output.report import html_page, list_html, scenario_html, text_html
from rtp.output.street_report import frame_html

TABLES = {
    "rates": rates_frame,
    "money": money_frame,
    "exposure": exposure_frame,
    "intervals": interval_frame,
}


def decision_report(decision: Decision) -> str:
    """Return the report's HTML; the scenario is attached to it."""
    tables = "\n".join(
        f"<h2>{title}</h2>\n{frame_html(TABLES[name](decision))}"
        for name, (title, _screen) in EXPLAINED.items()
    )
    body = f"""<p>{text_html(answer_sentence(decision))}</p>
{list_html(warnings(decision))}
{tables}
<h2>What is assumed</h2>
{list_html(assumptions(decision))}
{scenario_html(decision.scenario)}"""
    return html_page("the answer", "Which price can be published?", body)
