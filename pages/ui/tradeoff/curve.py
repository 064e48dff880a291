"""The ε–error curve with its controls."""

from functools import partial

import streamlit as st

from pages.ui import cache, pins
from pages.ui.session import lab
from pages.ui.show import Point, clickable
from pages.ui.tradeoff.leak import leak_curve
from pages.ui.tradeoff.sampled import budgets_for, own_curve
from pages.ui.widgets import toggle, url_number, url_segmented
from rtp.core.stats import LEVEL_WORDS
from rtp.figures.tradeoff import PinnedCurve, curve_figure
from rtp.mechanisms import FEATURED, REGISTRY
from rtp.metrics import ERROR_MEANS
from rtp.scenario import LIBRARY
from rtp.simulation import Day
from rtp.tradeoff import Curve
from rtp.tradeoff.answers import AGAINST, TARGETS, beaten_by, first_target, no_data_level

TARGET, LOG = "tradeoff:target", "tradeoff:log"


def error_curve(day: Day) -> float:
    """The curve; gives the error that is accepted, in percent."""
    lines = own_curve(day)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        target = _target()
        against = url_segmented("Draw it against", list(AGAINST), "tradeoff:against", AGAINST.__getitem__)
        log = logarithmic()
        toggle("Logarithmic axes", log, partial(lab().show, LOG), key=LOG)
    pins.controls()
    if against == "ε":
        _over_epsilon(day, lines, target, log)
    else:
        leak_curve(day, target, log)
    return target


def _over_epsilon(day: Day, lines: Curve, target: float, log: bool) -> None:
    epsilon = day.scenario.epsilon
    pinned = {
        mark: PinnedCurve(own_curve(other), other.scenario.epsilon) for mark, other in pins.days().items()
    }
    clickable(curve_figure(lines, epsilon, log, target, pins=pinned), "tradeoff:curve", _set_epsilon)
    st.caption(
        "**Click a point to set ε everywhere.** Lines: expected error, computed without sampling, over the "
        f"noise and, for filter and forecast, over the days people may live. Bands: {LEVEL_WORDS} of "
        f"{lines.days} days that have today's demand and other noise. The forecast looks at no data: the "
        f"distance to its level is what real-time data is worth. {_worth(day, lines)}"
    )


def _set_epsilon(point: Point) -> None:
    lab().set("epsilon", float(point["x"]))


def logarithmic() -> bool:
    return lab().setting(LOG, True)


def _target() -> float:
    """The error that is accepted, in percent: as typed, or until then the featured mechanism's own in the
    preset as it was chosen, so that it stays where it is while the scenario is edited."""
    chosen = cache.day(LIBRARY[lab().preset].scenario)
    return url_number(
        TARGETS,
        first_target(chosen.release[FEATURED].expected_error),
        TARGET,
        percents=True,
        width=240,
        help=f"{ERROR_MEANS}\n\nAt first it is what {REGISTRY[FEATURED].label} is expected to make "
        "in the preset as it was chosen.",
    )


def _worth(day: Day, lines: Curve) -> str:
    level = no_data_level(lines)
    return "" if level is None else beaten_by(budgets_for(day, level))
