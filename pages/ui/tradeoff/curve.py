"""The ε–error curve with its controls."""

from functools import partial

import streamlit as st

from pages.ui import state, view
from pages.ui.fields import toggle, typed
from pages.ui.show import Point, clickable
from pages.ui.tradeoff.sampled import budgets_for, own_curve
from rtp.figures.tradeoff import curve_figure
from rtp.mechanisms import FEATURED, REGISTRY
from rtp.notation import ERROR_MEANS
from rtp.scenario import Bounds
from rtp.simulation import Day
from rtp.statistics import LEVEL_WORDS
from rtp.tradeoff import Curve
from rtp.tradeoff.answers import beaten_by, first_target, no_data_level

TARGET, LOG = "tradeoff:target", "tradeoff:log"
ERRORS = Bounds(1e-10, 1e8, "I can accept this error (%)")  # that can be asked for


def error_curve(day: Day) -> float:
    """The curve; gives the error that is accepted, in percent."""
    lines, epsilon = own_curve(day), day.scenario.epsilon
    with st.container(horizontal=True, vertical_alignment="bottom"):
        target = _target(lines, epsilon)
        log = logarithmic()
        toggle("Logarithmic axes", log, partial(view.put, LOG), key=LOG)
    clickable(curve_figure(lines, epsilon, log, target), "tradeoff:curve", _set_epsilon)
    st.caption(
        "**Click a point to set ε everywhere.** Lines: expected error, computed without sampling, over the "
        f"noise and, for filter and forecast, over the days people may live. Bands: {LEVEL_WORDS} of "
        f"{lines.days} days that have today's demand and other noise. The forecast looks at no data: the "
        f"distance to its level is what real-time data is worth. {_worth(day, lines)}"
    )
    return target


def _set_epsilon(point: Point) -> None:
    state.apply(epsilon=float(point["x"]))


def logarithmic() -> bool:
    return view.fact(LOG, True).value


def _target(lines: Curve, epsilon: float) -> float:
    """The error that is accepted, in percent: as typed, or until then the featured mechanism's own."""
    target = view.fact(TARGET, first_target(lines, epsilon))
    typed(
        ERRORS,
        target.value,
        target.commit,
        step=0.1,
        key="target",
        width=240,
        help=f"{ERROR_MEANS}\n\nAt first it is what {REGISTRY[FEATURED].label} is expected to make.",
    )
    return target.value


def _worth(day: Day, lines: Curve) -> str:
    level = no_data_level(lines)
    return "" if level is None else beaten_by(budgets_for(day, level))
