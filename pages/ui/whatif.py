"""What-if maps: choose what to vary, run, see, load a point, take the numbers away."""

from typing import Any

import streamlit as st

from pages.ui import jobs, state
from pages.ui.tradeoff import clickable
from rtp.figures import style
from rtp.figures.whatif import heat_figure, lines_figure
from rtp.mechanisms import FEATURED, REGISTRY
from rtp.scenario import Scenario, ScenarioError
from rtp.sweep.measures import MEASURES
from rtp.sweep.plan import Plan, make
from rtp.sweep.whatif import Map, compute, span, values, varied
from rtp.tables import to_csv

REDRAW = 1.0  # seconds between pictures while the map is being computed
MOST_VALUES = 25  # of one field
MOST_DAYS = 1000
NAME = "map"


def whatif(scenario: Scenario) -> None:
    """One parameter gives lines, two a heat map. A map stays until the next one is run."""
    grid = _axis(scenario, "first", "epsilon", {})
    grid |= _axis(scenario, "second", None, grid)
    days = st.number_input(
        "Days at every point", 2, MOST_DAYS, 20, key="map:days", persist_state="session", width=160
    )
    job: jobs.Job | None = st.session_state.get(f"job:{NAME}")
    try:
        plan = make(scenario, grid, days)
        hint = f"{len(plan)} points, {days} days each; the same days at every point."
        job = jobs.run(NAME, NAME, lambda report: compute(plan, report), "Run the map", hint)
    except ScenarioError as error:
        st.error(str(error), icon=":material/error:")
    if job is not None:
        _results(job, scenario)


def _axis(scenario: Scenario, slot: str, first: str | None, taken: dict[str, Any]) -> dict[str, Any]:
    """Which parameter to vary, over which range."""
    offered = {address: words for address, words in varied(scenario).items() if address not in taken}
    options = [*offered] if first else [None, *offered]
    key = f"map:{slot}"
    if st.session_state.get(key) not in options:
        st.session_state[key] = first
    with st.grid(4, min_column_width=150, vertical_alignment="bottom"):
        address = st.selectbox(
            f"{slot.capitalize()} parameter",
            options,
            key=key,
            format_func=lambda a: offered[a] if a else "none",
            persist_state="session",
        )
        if address is None:
            return {}
        numbers = []
        for label, end in zip(("From", "To"), span(scenario, address), strict=True):
            st.session_state.setdefault(f"{key}:{label}:{address}", end)
            numbers.append(
                st.number_input(
                    label,
                    step=abs(end) / 4 or 0.1,
                    format="%g",
                    key=f"{key}:{label}:{address}",
                    persist_state="session",
                )
            )
        count = st.number_input(
            "Values", 2, MOST_VALUES, 8 if first else 6, key=f"{key}:count", persist_state="session"
        )
    return {address: values(numbers[0], numbers[1], count)}


def _results(job: jobs.Job, scenario: Scenario) -> None:
    @st.fragment(run_every=REDRAW if job.state == "running" else None)
    def show() -> None:
        if state.current() != scenario:
            st.rerun()  # a point was loaded: the rest of the page follows
        if job.result is not None and job.result.parts:
            _picture(job.result)

    show()


def _picture(found: Map) -> None:
    mechanism = None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        measure = st.selectbox(
            "Shown",
            list(MEASURES),
            format_func=MEASURES.__getitem__,
            key="map:measure",
            width=320,
            persist_state="session",
        )
        if len(found.plan.grid) > 1:
            mechanism = st.selectbox(
                "of",
                list(REGISTRY),
                list(REGISTRY).index(FEATURED),
                format_func=style.label,
                key="map:mechanism",
                width=160,
                persist_state="session",
            )
    figure = heat_figure(found, measure, mechanism) if mechanism else lines_figure(found, measure)
    told = found.certainty(measure, mechanism)
    alt = f"{MEASURES[measure]} over {' and '.join(found.words().values())}. {told}"
    clickable(figure, alt, "map:chart", lambda point: load(found.plan, int(point["customdata"][0])))
    st.caption(f"**Click a point to load its scenario.** {told}")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        point = st.selectbox(
            "Or choose a point", sorted(found.parts), format_func=found.name, key="map:point", width=420
        )
        st.button("Load this scenario", key="map:load", on_click=load, args=(found.plan, point))
        st.download_button(
            "Map as CSV",
            lambda: to_csv(found.frame()),
            "whatif.csv",
            "text/csv",
            icon=":material/table:",
            on_click="ignore",
        )


def load(plan: Plan, point: int) -> None:
    """Put the scenario of one point in place."""
    state.edit(lambda _: plan.at(point))
