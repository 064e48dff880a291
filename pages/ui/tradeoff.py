"""The ε–error curve, the error one can accept, and beliefs that are wrong."""

from collections.abc import Callable
from functools import partial
from math import isfinite
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from pages.ui import state
from pages.ui.show import CHART, chart
from pages.ui.sidebar import EPSILON_GRID
from rtp.figures import style
from rtp.figures.tradeoff import curve_alt, curve_figure
from rtp.mechanisms import FEATURED, NO_DATA, REGISTRY, private
from rtp.metrics import conventional
from rtp.scenario import BOUNDS, OccupancyModel, Scenario
from rtp.simulation import Day
from rtp.street.life import Life
from rtp.tradeoff import Budget, Curve, curve, epsilon_for, most_private
from rtp.tradeoff.misbelief import candidates, live_believing, verdict

NOISE_DAYS = 300
TARGET, TYPED = "tradeoff:target", "number:target"
SMALLEST, LARGEST = 1e-12, 1e6  # errors that can be asked for
FIRST_TARGET = 0.01  # where the scenario's own error is no number to start from


def clickable(figure: go.Figure, alt: str, key: str, chosen: Callable[[dict[str, Any]], None]) -> None:
    """A chart whose points can be clicked."""

    def pick() -> None:
        if points := st.session_state[key].selection.points:
            chosen(points[0])

    with st.container(border=True):
        st.plotly_chart(figure, key=key, config=CHART, alt=alt, on_select=pick, selection_mode="points")


def sampled(day: Day, belief: OccupancyModel | None = None, own: bool = True) -> Curve:
    """The curve of the day's scenario, or with another belief; kept until the scenario changes."""
    scenario = day.scenario
    budgets = tuple(sorted({*EPSILON_GRID, scenario.epsilon}))
    believed = "own" if own else belief.model_dump_json() if belief else "truth"
    return _curve(_key(scenario), budgets, believed, scenario, day.life, belief)


def _key(scenario: Scenario) -> str:
    """All that a curve depends on, which its budget is not."""
    return scenario.model_dump_json(exclude={"epsilon"})


@st.cache_resource(max_entries=32, show_spinner="Pricing the day at every budget …")
def _curve(
    key: str,
    budgets: tuple[float, ...],
    believed: str,
    _scenario: Scenario,
    _life: Life,
    _belief: OccupancyModel | None,
) -> Curve:
    life = _life if believed == "own" else live_believing(_scenario, _life, _belief)
    return curve(_scenario, budgets, NOISE_DAYS, life=life)


@st.cache_resource(max_entries=64, show_spinner="Looking for the budgets …")
def _budgets(key: str, target: float, _scenario: Scenario, _life: Life) -> dict[str, Budget]:
    return {name: epsilon_for(_scenario, name, target, life=_life) for name in private()}


def error_curve(day: Day) -> None:
    """The curve with its controls, and what an accepted error asks for."""
    lines = sampled(day)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        target = _target(lines, day.scenario.epsilon)
        log = st.toggle("Logarithmic axes", value=True, key="tradeoff:log", persist_state="session")
    clickable(
        curve_figure(lines, day.scenario.epsilon, log, target),
        curve_alt(lines, day.scenario.epsilon),
        "tradeoff:curve",
        lambda point: state.apply(epsilon=float(point["x"])),
    )
    st.caption(
        "**Click a point to set ε everywhere.** Lines: expected RMSRE, computed without sampling, over the "
        "noise and, for filter and forecast, over the days people may live. Bands: 95 % of "
        f"{lines.days} days that have today's demand and other noise. The forecast looks at no data: the "
        f"distance to its level is what real-time data is worth. {_worth(day, lines)}"
    )
    _accepted(_budgets(_key(day.scenario), target, day.scenario, day.life), target, day.scenario)


def _target(lines: Curve, epsilon: float) -> float:
    """The error that is accepted: as typed, or until then Blowfish's own."""
    own = lines.lines[FEATURED].expected[list(lines.epsilons).index(epsilon)]
    first = float(f"{own:.2g}") if isfinite(own) and own > 0 else FIRST_TARGET
    st.session_state[TYPED] = target = float(st.session_state.get(TARGET) or first)

    def keep() -> None:
        st.session_state[TARGET] = st.session_state[TYPED]

    st.number_input(
        "I can accept this error (RMSRE)",
        SMALLEST,
        LARGEST,
        step=1e-4,
        format="%g",
        key=TYPED,
        on_change=keep,
        width=240,
        help="RMSRE as the paper prints it. At first it is what Blowfish is expected to make.",
    )
    return target


def _worth(day: Day, lines: Curve) -> str:
    level = float(lines.lines[NO_DATA].expected[0])
    if not (isfinite(level) and level > 0):
        return ""
    found = _budgets(_key(day.scenario), level, day.scenario, day.life)
    told = ", ".join(
        f"{style.label(name)} {_from(budget.epsilon)}"
        for name, budget in found.items()
        if REGISTRY[name].reads_demand
    )
    return f"It is beaten by: {told}."


def _from(epsilon: float | None) -> str:
    if epsilon is None:
        return "never"
    return "always" if epsilon == BOUNDS["epsilon"].low else f"from ε = {epsilon:.3g}"


def _accepted(found: dict[str, Budget], target: float, scenario: Scenario) -> None:
    best = most_private(found.values())
    reading = most_private(b for b in found.values() if b.epsilon)
    typical = conventional(target, scenario.steps)
    with st.grid(len(found), min_column_width=150):
        for name, budget in found.items():
            needs = {None: "out of reach", 0.0: "no budget"}.get(
                budget.epsilon, f"ε = {budget.epsilon or 0:.4g}"
            )
            st.metric(
                f"{style.label(name)} needs",
                needs,
                delta="most private" if best is not None and budget is best else None,
                delta_arrow="off",
                help=budget.words,
                border=True,
                height="stretch",
            )
    said = f"To miss the optimal rate by {typical:.2%} of its value in a typical step (RMSRE {target:.4g}): "
    if best is None:
        st.write(said + "no mechanism gets there with any allowed budget.")
        return
    said += f"the most privacy is with **{style.label(best.mechanism)}**. {best.words} "
    if reading is not None and reading is not best:
        said += f"Of those that look at data: {reading.words}"
    st.write(said)
    if reading is not None and reading.epsilon:
        st.button(
            f"Set ε = {reading.epsilon:.4g}",
            key="tradeoff:use",
            icon=":material/check:",
            on_click=partial(state.apply, epsilon=reading.epsilon),
            disabled=reading.epsilon == scenario.epsilon,
        )


def wrong_model(day: Day) -> None:
    """The same curve when filter and forecast believe in another model than people live by."""
    offered = candidates(day.scenario)
    if not offered:
        st.info("No other model fits this scenario; add one on the Households page.")
        return
    key = "tradeoff:belief"
    if st.session_state.get(key) not in offered:
        st.session_state[key] = next(iter(offered))
    words = st.selectbox("Filter and forecast believe", list(offered), key=key, persist_state="session")
    right = sampled(day, None, own=False)
    wrong = sampled(day, offered[words], own=False)
    log = bool(st.session_state.get("tradeoff:log", True))
    epsilon = day.scenario.epsilon
    chart(curve_figure(wrong, epsilon, log, right=right), curve_alt(wrong, epsilon), "tradeoff:wrong")
    st.write(verdict(right, wrong, epsilon, words))
    st.caption(
        f"People live by “{day.scenario.models[0].name}” in both; dotted lines believe so, too. Noise is "
        "the same and guards against the scenario's own models, so the promise stands and the other "
        f"mechanisms do not move. Lines: expected RMSRE, computed. Bands: 95 % of {wrong.days} days with "
        "today's demand and other noise."
    )
