"""The ε–error curve with its controls, against ε or against what leaks, and what an accepted error asks for.

Curves and budgets are kept until anything but ε changes.
"""

from functools import partial

import streamlit as st

from pages.ui import cache, pins
from pages.ui.cache import cached
from pages.ui.session import lab
from pages.ui.show import Point, chart, clickable, items, metric
from pages.ui.sidebar import EPSILON_GRID
from pages.ui.widgets import toggle, url_number, url_segmented, url_select
from rtp.core.formatting import plain
from rtp.core.stats import LEVEL_WORDS
from rtp.figures import style
from rtp.figures.leakage import price_figure
from rtp.figures.tradeoff import PinnedCurve, curve_figure
from rtp.leakage import budget
from rtp.leakage.budget import BUDGETS, MAX_HOUSE_DAYS, MomentPrice, price_of_a_moment
from rtp.mechanisms import FEATURED, REGISTRY
from rtp.metrics import ERROR_MEANS
from rtp.scenario import LIBRARY, OccupancyModel, Scenario
from rtp.simulation import Day
from rtp.street.simulate import StreetDay
from rtp.tradeoff import Curve, curve
from rtp.tradeoff.answers import (
    AGAINST,
    TARGETS,
    Budgets,
    answer,
    beaten_by,
    budgets,
    first_target,
    footing,
    footings,
    needed,
    no_data_level,
    target_rmsre,
)
from rtp.tradeoff.curves import joined
from rtp.tradeoff.misspecification import candidates, verdict, with_assumed_model

NOISE_DAYS = 300


def own_curve(day: Day) -> Curve:
    """With the belief that the scenario states."""
    return _with_own_budget(day, day.street_day, "own")


def curve_believing(day: Day, belief: OccupancyModel | None) -> Curve:
    """With another belief of filter and forecast; None is the truth."""
    words = belief.model_dump_json() if belief else "truth"
    make = partial(with_assumed_model, day.scenario, day.street_day, belief)
    return _with_own_budget(
        day, cached("believing", f"{_key(day.scenario)} {words}", make, weight="heavy"), words
    )


def _with_own_budget(day: Day, street: StreetDay, belief: str) -> Curve:
    """The curve over the slider's budgets, the same for everybody, and the scenario's own budget in it."""
    scenario = day.scenario
    make = partial(curve, scenario, EPSILON_GRID, NOISE_DAYS, street_day=street)
    common = cached(
        "curve", f"{_key(scenario)} {belief}", make, "Pricing the day at every budget …", weight="heavy"
    )
    if scenario.epsilon in EPSILON_GRID:
        return common
    make = partial(curve, scenario, [scenario.epsilon], NOISE_DAYS, street_day=street)
    return joined(common, cached("point", f"{scenario.to_json(None)} {belief}", make))


def budgets_for(day: Day, target: float) -> Budgets:
    """What every mechanism needs to reach that error."""
    make = partial(budgets, day.scenario, target, day.street_day)
    return cached("budgets", f"{_key(day.scenario)} {target!r}", make, "Looking for the budgets …")


def _key(scenario: Scenario) -> str:
    """All that a curve depends on, which the scenario's budget is not."""
    return scenario.model_dump_json(exclude={"epsilon"})


def leak_curve(day: Day, target: float, log: bool) -> None:
    """A point for every budget, the scenario's own among them."""
    scenario = day.scenario
    if scenario.households * scenario.days > MAX_HOUSE_DAYS:
        st.info(f"The leak of a moment is drawn for streets of up to {MAX_HOUSE_DAYS:,} houses × days.")
        return
    picture = price_figure(_price(day), scenario.steps, scenario.epsilon, log, target)
    clickable(picture, "tradeoff:leak", _set_epsilon_of_leak)
    st.caption(
        "**Click a point to set ε everywhere.** Across: by how much all rates of the record together can "
        "shift the log-odds of one moment of one house, exactly, for an insider, under the worst of the "
        "models; the worst moment of the worst house. Up: expected error, computed without sampling. One "
        f"point per budget; diamonds: ε = {plain(scenario.epsilon)} now. At equal leak the lower line is the "
        "better bargain. What leaks follows from the noise, whatever its ε is called: those that publish the "
        "noisy rate as it is share a line where their noise is the same all day. More on the page Over time."
    )


def _price(day: Day) -> MomentPrice:
    """The budgets that are the same for everybody, and the scenario's own."""
    scenario = day.scenario
    common = partial(price_of_a_moment, scenario, BUDGETS, street_day=day.street_day)
    own = partial(price_of_a_moment, scenario, [scenario.epsilon], street_day=day.street_day)
    key = scenario.replace(epsilon=1.0).to_json(None)
    return budget.joined(
        cached("price", key, common, "Asking every budget …", weight="heavy"),
        cached("leak", scenario.to_json(None), own),
    )


def _set_epsilon_of_leak(point: Point) -> None:
    lab().set("epsilon", float(point["customdata"][0]))


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


def accepted(day: Day, percentage: float) -> None:
    target = target_rmsre(percentage, day.scenario.steps)
    found = budgets_for(day, target)
    reply = answer(found, target, day.scenario.steps)
    with st.grid(len(found), min_column_width=150):
        for name, budget in found.items():
            best = "smallest ε" if budget is reply.best else None
            rests_on = footing(REGISTRY[name])
            metric(
                f"{style.label(name)} needs",
                needed(budget),
                best,
                budget.words,
                beneath=rests_on,
                colour="normal",
            )
    st.write(reply.words)
    with st.expander("What each ε relies on", icon=":material/shield:"):
        st.markdown("An ε compares with another one only where both rely on the same." + items(footings()))
    if reply.reading is not None and reply.reading.epsilon:
        st.button(
            f"Set {needed(reply.reading)}",
            key="tradeoff:use",
            icon=":material/check:",
            on_click=partial(lab().set, "epsilon", reply.reading.epsilon),
            disabled=reply.reading.epsilon == day.scenario.epsilon,
        )


BELIEF = "tradeoff:belief"


def wrong_model(day: Day) -> None:
    offered = candidates(day.scenario)
    if not offered:
        st.info("No other model fits this scenario; add one on the Households page.")
        return
    words = url_select("Filter and forecast believe", list(offered), BELIEF)
    right, wrong = curve_believing(day, None), curve_believing(day, offered[words])
    log, epsilon = logarithmic(), day.scenario.epsilon
    chart(curve_figure(wrong, epsilon, log, right=right), "tradeoff:wrong")
    st.write(verdict(right, wrong, epsilon, words))
    st.caption(
        f"People live by “{day.scenario.models[0].name}” in both; dotted lines believe so, too. Noise is "
        "the same and guards against the scenario's own models, so the promise stands and the other "
        f"mechanisms do not move. Lines: expected error, computed. Bands: {LEVEL_WORDS} of {wrong.days} days "
        "with today's demand and other noise."
    )
