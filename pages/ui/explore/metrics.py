"""The error of every mechanism against the yardstick or the pinned run, and the day's whole budget."""

from collections.abc import Mapping
from functools import partial

import streamlit as st

from pages.ui import cache, show
from pages.ui.sidebar import link_to
from rtp.core.formatting import change, plain, signed
from rtp.core.stats import LEVEL_WORDS
from rtp.figures import style
from rtp.figures.style import PinMark
from rtp.leakage.moment import QUICK_CELLS
from rtp.mechanisms import FEATURED, REGISTRY, YARDSTICK, private
from rtp.metrics import ERROR_MEANS, error_lines
from rtp.output.words import total_budget, unusual_words
from rtp.simulation import Day
from rtp.tradeoff import one_day_range

WORST = f"What all {REGISTRY[FEATURED].label} rates can do to the odds of one moment is less: see Over time."


def metrics(day: Day, pinned: Mapping[PinMark, Day]) -> None:
    """Against the pinned run while there is one; several are compared in the table."""
    baseline = next(iter(pinned.values())) if len(pinned) == 1 else None
    ranges = cache.cached("range", day.scenario.to_json(None), partial(one_day_range, day))
    with st.grid(len(private()) + 1, min_column_width=165):  # or "to naive" is cut
        for name in private():
            _error(name, day, baseline, *ranges[name])
        show.metric(
            "Budget for the day" if day.scenario.days == 1 else f"Budget for {day.scenario.days} days",
            f"ε·T = {plain(total_budget(day), 6)}",
            f"{signed(total_budget(day) - total_budget(baseline))} to pinned" if baseline else None,
            f"ε = {day.scenario.epsilon:g} at each of {day.scenario.steps} steps; Theorem 2 adds up. {WORST}",
            beneath=_worst_moment(day),
        )
    show.caption(unusual_words(day, ranges))
    link_to("Over time", "What all rates together tell: Over time")


def _worst_moment(day: Day) -> str | None:
    """What all rates together can really shift the odds of one moment by, where it is quickly told."""
    if day.scenario.households * day.scenario.steps > QUICK_CELLS:
        return None
    return f"worst moment {plain(cache.moments(day, FEATURED).worst)}"


def _error(name: str, day: Day, baseline: Day | None, low: float, high: float) -> None:
    release, steps = day.release[name], day.scenario.steps
    error = error_lines(release.rmsre, steps)
    expected, least, most = (error_lines(e, steps).percent for e in (release.expected_rmsre, low, high))
    compared = baseline is not None or name != YARDSTICK
    show.metric(
        f"{style.label(name)} error",
        error.percent,
        _change(name, day, baseline) if compared else "the yardstick",
        f"{REGISTRY[name].promise}\n\nOn average: {expected}; {LEVEL_WORDS} of draws of other noise give "
        f"{least} to {most}.\n\n{ERROR_MEANS}",
        beneath=error.rmsre,
        colour="inverse" if compared else "off",
        arrow="auto" if compared else "off",
    )


def _change(name: str, day: Day, baseline: Day | None) -> str:
    rival, words = (baseline.release[name], "pinned") if baseline else (day.release[YARDSTICK], YARDSTICK)
    return f"{change(day.release[name].error / rival.error - 1 if rival.error else 0.0)} to {words}"
