"""The error of every mechanism against the yardstick or the pinned run, and the day's whole budget."""

from functools import partial

import streamlit as st

from pages.ui import cached, show
from rtp.figures import style
from rtp.mechanisms import REGISTRY, YARDSTICK, private
from rtp.metrics import conventional
from rtp.simulation import Day
from rtp.statistics import LEVEL_WORDS
from rtp.tradeoff import one_day_range
from rtp.words import total_budget


def metrics(day: Day, baseline: Day | None) -> None:
    with st.grid(len(private()) + 1, min_column_width=150):
        ranges = cached.kept("range", day.scenario.to_json(None), partial(one_day_range, day))
        for name in private():
            _error(name, day, baseline, *ranges[name])
        show.metric(
            "Budget for the day",
            f"ε·T = {total_budget(day):g}",
            f"{total_budget(day) - total_budget(baseline):+g} to pinned" if baseline else None,
            f"ε = {day.scenario.epsilon:g} at each of {day.scenario.steps} steps; Theorem 2 adds up.",
        )


def _error(name: str, day: Day, baseline: Day | None, low: float, high: float) -> None:
    release = day.release[name]
    compared = baseline is not None or name != YARDSTICK
    show.metric(
        f"{style.label(name)} RMSRE",
        f"{release.rmsre:.3e}",
        _change(name, day, baseline) if compared else "the yardstick",
        f"{REGISTRY[name].promise}\n\nExpected {release.expected_rmsre:.3e}; {LEVEL_WORDS} of single days "
        f"lie between {low:.3e} and {high:.3e}. With the mean inside the root: "
        f"{conventional(release.rmsre, day.scenario.steps):.2%} of the rate in a typical step.",
        colour="inverse" if compared else "off",
        arrow="auto" if compared else "off",
    )


def _change(name: str, day: Day, baseline: Day | None) -> str:
    rival, words = (baseline.release[name], "pinned") if baseline else (day.release[YARDSTICK], YARDSTICK)
    change = day.release[name].rmsre / rival.rmsre - 1 if rival.rmsre else 0.0
    return f"{change:+.1%} to {words}"
