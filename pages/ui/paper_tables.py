"""The tables of the Paper screen: published against ours, and what the paper leaves open."""

import pandas as pd
import streamlit as st

from pages.ui import state
from pages.ui.show import chart
from rtp.figures import paper as figures
from rtp.figures import style
from rtp.paper import published
from rtp.paper.alternatives import Headline, Outcome
from rtp.paper.choices import Choice
from rtp.paper.comparison import SECTIONS, Row
from rtp.paper.reasons import reason
from rtp.paper.reproduction import MECHANISMS, Days, say
from rtp.scenario import DEFAULT_PRESET
from rtp.simulation import Day
from rtp.tables import to_csv

VERDICTS = {"agrees": "✓ agrees", "explained": "≈ explained", "open": "? open"}


def verdict_words(rows: list[Row]) -> str:
    counts = {name: sum(row.verdict == name for row in rows) for name in VERDICTS}
    return (
        f"Of {len(rows)} published numbers {counts['agrees']} agree with ours, {counts['explained']} do not "
        f"but are explained, {counts['open']} open."
    )


def comparison_table(rows: list[Row]) -> None:
    """One tab per part of the section; nothing is left out, and what does not agree says why."""
    for section, tab in zip(SECTIONS, st.tabs(SECTIONS), strict=True):
        mine = [row for row in rows if row.section == section]
        with tab:
            st.table(narrow_frame(mine).set_index("Quantity"))
            st.markdown(
                "\n".join(f"- **{row.quantity}:** {row.why}" for row in mine if row.verdict != "agrees")
            )
    st.download_button(
        "Table as CSV",
        lambda: to_csv(comparison_frame(rows)),
        "published_and_ours.csv",
        "text/csv",
        icon=":material/table:",
        on_click="ignore",
    )


def narrow_frame(rows: list[Row]) -> pd.DataFrame:
    """The table in four columns that a phone can hold: numbers stay whole, words wrap."""
    return pd.DataFrame(
        {
            "Quantity": [row.quantity for row in rows],
            "Published": [unbroken(row.published) for row in rows],
            "Ours (95 % of days)": [
                f"{unbroken(row.value())} ({' to '.join(unbroken(end) for end in row.range().split(' to '))})"
                if row.range()
                else unbroken(row.value())
                for row in rows
            ],
            "Verdict": [VERDICTS[row.verdict] for row in rows],
        }
    )


def unbroken(number: str) -> str:
    """A number that no line break can split."""
    return whole_exponents(number).replace(" ", "\u00a0").replace("-", "\u2011")


def whole_exponents(text: str) -> str:
    """Text in which no line break can split 1.089e-3."""
    return text.replace("e-", "e\u2011")


def comparison_frame(rows: list[Row]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "Quantity": [row.quantity for row in rows],
            "Published": [row.published for row in rows],
            "Ours": [row.value() for row in rows],
            "95 % of days": [row.range() for row in rows],
            "Verdict": [VERDICTS[row.verdict] for row in rows],
            "Why": [row.why for row in rows],
        }
    )


def alternatives_table(outcomes: list[Outcome]) -> None:
    st.dataframe(
        alternatives_frame(outcomes),
        hide_index=True,
        height="content",
        placeholder="—",
        alt="What every other answer to an open question gives, one row each.",
        column_config={
            "Answer": st.column_config.TextColumn(pinned=True, width=170),
            **{style.label(name): st.column_config.NumberColumn(format="%.3e") for name in MECHANISMS},
            "Steps dropping": st.column_config.NumberColumn(format="%.0f"),
            "To 2a": st.column_config.NumberColumn(format="%.4f"),
            "To 2b": st.column_config.NumberColumn(format="%.4f"),
        },
    )


def alternatives_frame(outcomes: list[Outcome]) -> pd.DataFrame:
    """Ours once, then a row per other answer; what does not exist has no numbers."""
    ours = next(o for o in outcomes if o.ours)
    chosen = {o.choice.name: o.option.name for o in outcomes if o.ours}
    rows = [{"Answer": "as we chose", **_numbers(ours.headline), "Left open": "", "We chose": ""}]
    rows += [
        {
            "Answer": o.option.name,
            **_numbers(o.headline),
            "Left open": o.choice.name,
            "We chose": chosen[o.choice.name],
        }
        for o in outcomes
        if not o.ours
    ]
    return pd.DataFrame(rows)


def _numbers(given: Headline | None) -> dict[str, float | str | None]:
    names = [style.label(name) for name in MECHANISMS]
    if given is None:
        return {**dict.fromkeys(names), "Naive above Blowfish": "does not exist"}
    return {
        **dict(zip(names, given.errors, strict=True)),
        "Naive above Blowfish": f"{say(given.excess.low, '.1%')} to {say(given.excess.high, '.1%')}",
        "Steps dropping": given.dropping,
        "To 2a": given.occupancy_rmse,
        "To 2b": given.consumption_rmse,
    }


def look_closer(choice: Choice, outcomes: list[Outcome], days: Days, day: Day) -> None:
    """One open question: what the paper says, what the numbers say, and the curves."""
    mine = [o for o in outcomes if o.choice.name == choice.name]
    st.markdown(f"**What is open.** {choice.silence}")
    st.markdown(f"**What the numbers say.** {reason(choice, outcomes, days)}")
    for outcome in mine:
        if outcome.problem:
            st.warning(f"{outcome.option.name}: {outcome.problem}", icon=":material/block:")
    curves = {
        (f"{o.option.name} (ours)" if o.ours else o.option.name): o.headline.occupancy
        for o in mine
        if o.headline
    }
    _, theirs, _ = published.figure2()
    chart(figures.rivals(curves, theirs, day), figures.rivals_alt(curves, theirs), key="rivals")
    with st.container(horizontal=True):
        for outcome in mine:
            option = outcome.option
            if outcome.headline and not (outcome.ours or option.redraw or option.conventional):
                scenario = option.make()
                if st.button(
                    f"Explore “{option.name}”", icon=":material/open_in_new:", key=f"open:{option.name}"
                ):
                    state.replace(scenario, DEFAULT_PRESET)
                    st.switch_page("app.py")
