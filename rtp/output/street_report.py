"""A street of real meters as one HTML file that opens offline: the answer first, then what it rests on."""

from dataclasses import replace

import numpy as np

from rtp.core.formatting import percent, shown_name
from rtp.figures import meters as figures
from rtp.figures.style import Picture, merged
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED, title
from rtp.meters.answering import Answer, bills_frame
from rtp.meters.check import AtHome
from rtp.meters.learned import Learned
from rtp.meters.readings import DAYS_PER_WEEK, Readings
from rtp.meters.replaying import Replay
from rtp.metrics import ERROR_MEANS
from rtp.output import meters as words
from rtp.output import replayed as replayed_words
from rtp.output.check import home_words
from rtp.output.exposure import houses_words
from rtp.output.report import (
    figure_html,
    frame_html,
    html_page,
    list_html,
    promises_html,
    scenario_html,
    text_html,
)
from rtp.scenario import Scenario
from rtp.scenario.units import titled

TOP_ROWS = 200  # rows of a table that is read
CONFIDENTIAL = "**This page shows the use and the bills of single houses: keep it as you keep the readings.**"


def street_report(
    readings: Readings, result: Answer, scenario: Scenario, home: AtHome | None = None, source: str = ""
) -> str:
    """The report's HTML, of an answer under a scenario; with when somebody was in the house that is watched,
    where `home` says it, and whose readings they are."""
    replayed = result.replay
    best = min((name for name, m in REGISTRY.items() if m.adds_noise), key=replayed.error)
    shown = list(dict.fromkeys([UNPROTECTED, FEATURED, best]))
    learned = result.learned is not None or scenario.has_laws
    observed = replace(result.observed, seen={name: result.observed.seen[name] for name in shown})
    rests = [replayed_words.replay_words(replayed), replayed_words.promise_words(learned), words.LEAKS]
    body = f"""<p>{text_html(CONFIDENTIAL)}</p>
<h2>The answer</h2>
{list_html(replayed_words.answer_words(result))}
<h2>What would have been published</h2>
<p>The first week; zoom out for the rest.</p>
{figure_html(_first_week(figures.replay_figure(replayed, shown[::-1]), replayed), with_script=True)}
{frame_html(replayed_words.replay_frame(replayed))}
<p>{text_html(ERROR_MEANS)}</p>
{list_html(rests)}
<h2>What each house would have paid</h2>
<p>{text_html(replayed_words.bills_words(replayed))}</p>
{figure_html(figures.bills_figure(replayed, shown), with_script=False)}
{_bills_html(replayed)}
<h2>An observer at the house that shows most</h2>
{figure_html(_first_week(figures.observed_figure(observed), replayed), with_script=False)}
{frame_html(replayed_words.observed_frame(result.observed))}
<p>{text_html(replayed_words.WORST_MEANS)}</p>
<h2>What was read</h2>
<p>{houses_words(len(readings.houses))}, {readings.days:,} days from {readings.date(0)}, every \
{readings.minutes} minutes. {text_html(source)}</p>
{frame_html(words.findings_frame(readings))}
{_home_html(readings, result, home)}
{_learned_html(readings, result.learned)}
<h2>What the promise says, and what it does not</h2>
{promises_html()}
<p>{text_html(replayed_words.forecast_words(replayed))}</p>
<h2>The scenario</h2>
{scenario_html(scenario)}"""
    return html_page("your street", "What privacy would have cost on this street", body)


def _home_html(readings: Readings, result: Answer, home: AtHome | None) -> str:
    """Readings, what is learned of them alone, and what was true, in the replay's first week."""
    name, learned = result.observed.name, result.learned
    if home is None or learned is None or name not in home.houses:
        return ""
    house = home.houses.index(name)
    if not (home.labelled(house) or learned.tells_of(readings.houses.index(name))):
        return ""
    day = int((np.datetime64(result.replay.first_date) - np.datetime64(home.first_date)).astype(int))
    picture = figures.home_figure(home, house, day if 0 <= day < home.days else 0, DAYS_PER_WEEK)
    return f"""<h2>When somebody was in</h2>
<p>{text_html(home_words(home, house))}</p>
{figure_html(picture, with_script=False)}"""


def _learned_html(readings: Readings, learned: Learned | None) -> str:
    if learned is None or not learned.groups:
        return ""
    houses = words.houses_frame(readings, learned)
    some = f"<p>The first {TOP_ROWS} of {len(houses):,} houses.</p>" if len(houses) > TOP_ROWS else ""
    return f"""<h2>What is learned</h2>
{list_html(words.learned_words(learned))}
{some}{frame_html(houses.head(TOP_ROWS))}
<p>{text_html(words.SURE_MEANS)}</p>
{figure_html(figures.average_days_figure(readings, learned), with_script=False)}
{figure_html(figures.profile_figure(learned), with_script=False)}
{frame_html(words.chances_frame(learned))}
<p>{text_html(words.CHANCES_MEAN)}</p>"""


def _first_week(picture: Picture, replayed: Replay) -> Picture:
    """The chart opened at its first week: a month of noise is a band. Whoever reads it can zoom out."""
    first = np.datetime64(replayed.first_date)
    week = {"xaxis": {"range": [str(first), str(first + min(replayed.days, DAYS_PER_WEEK))]}}
    return Picture(picture.traces, merged(picture.layout, week), picture.words)


def _bills_html(replayed: Replay) -> str:
    """Every house or, of many, those whose bills are largest."""
    bills = bills_frame(replayed)
    paid = [titled(title(name), replayed.scenario, "money") for name in replayed.paid]
    read = titled("For what was read, optimal", replayed.scenario, "money")
    bills.columns = ["House", "Group", "Energy (kWh)", "Filled in", read, *paid]
    bills["Filled in"] = bills["Filled in"].map(percent)
    bills["House"] = bills["House"].map(shown_name)
    rows = bills.sort_values(paid[0], ascending=False).head(TOP_ROWS) if len(bills) > TOP_ROWS else bills
    some = f"<p>The {TOP_ROWS} largest of {len(bills):,} bills.</p>" if len(bills) > TOP_ROWS else ""
    return some + frame_html(rows.set_index("House"))
