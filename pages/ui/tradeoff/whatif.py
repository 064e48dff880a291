"""What-if maps: choose what to vary, run, see, load a point, take the numbers away."""

from functools import partial

import streamlit as st

from pages.ui import jobs, pool
from pages.ui.params import MAP_DAYS
from pages.ui.session import lab
from pages.ui.show import Point, clickable, csv
from pages.ui.tradeoff.axis import axis, keep_ranges
from pages.ui.widgets import url_number, url_select
from rtp.figures import style
from rtp.figures.tradeoff import heat_figure, lines_figure
from rtp.mechanisms import FEATURED, REGISTRY
from rtp.metrics import ERROR_MEANS
from rtp.scenario import Scenario, ScenarioError
from rtp.sweep.measures import MEASURES
from rtp.sweep.plan import Plan, make
from rtp.sweep.whatif import Map, compute

REDRAW = 1.0  # seconds between pictures while the map is being computed
NAME = "map"


def whatif(scenario: Scenario) -> None:
    """One parameter gives lines, two a heat map. A map stays until the next one is run."""
    grid = axis(scenario, "first", "epsilon", {})
    grid |= axis(scenario, "second", None, grid)
    days = int(url_number(MAP_DAYS, 20, "map:days"))
    job: jobs.Job[Map] | None = jobs.current(NAME)
    try:
        plan = make(scenario, grid, days)
        hint = f"{len(plan)} points, {days} days each; the same days at every point."
        job = jobs.run(NAME, NAME, partial(_compute, plan), "Run the map", hint)
    except ScenarioError as error:
        st.error(str(error), icon=":material/error:")
    if job is not None:
        jobs.while_running(job, REDRAW, partial(_so_far, job, scenario))


def _compute(plan: Plan, report: jobs.Report[Map]) -> Map:
    return pool.call(compute, plan, progress=report)


def _so_far(job: jobs.Job[Map], scenario: Scenario) -> None:
    if lab().scenario != scenario:
        st.rerun()  # a point was loaded: the rest of the page follows
    if job.result is not None and job.result.parts:
        _map(job.result, scenario)


def _map(found: Map, scenario: Scenario) -> None:
    if misfit := found.misfit(scenario):
        st.warning(
            f"This map is of another scenario ({misfit}). Run it again for this one; loading a point of it "
            "brings the other back.",
            icon=":material/history:",
        )
    measure, mechanism = _shown(found)
    picture = heat_figure(found, measure, mechanism) if mechanism else lines_figure(found, measure)
    clickable(picture, "map:chart", partial(_load_clicked, found.plan))
    st.caption(f"**Click a point to load its scenario.** {found.certainty(measure, mechanism)}")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        point = url_select("Or choose a point", sorted(found.parts), "map:point", found.name, width=420)
        st.button("Load this scenario", key="map:load", on_click=_load, args=(found.plan, point))
        csv("Map as CSV", found.frame, "whatif.csv")


def _shown(found: Map) -> tuple[str, str | None]:
    """Which measure, and on a heat map of which mechanism."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        measure = url_select(
            "Shown", list(MEASURES), "map:measure", MEASURES.__getitem__, width=320, help=ERROR_MEANS
        )
        if len(found.plan.grid) == 1:
            return measure, None
        mechanism = url_select(
            "of", list(REGISTRY), "map:mechanism", style.label, default=FEATURED, width=160
        )
    return measure, mechanism


def _load_clicked(plan: Plan, point: Point) -> None:
    _load(plan, int(point["customdata"][0]))


def _load(plan: Plan, point: int) -> None:
    """Put the scenario of one point in place; the ranges stay as they were run."""
    keep_ranges(plan.grid)
    lab().change(_at, plan, point)


def _at(scenario: Scenario, plan: Plan, point: int) -> Scenario:
    return plan.at(point)
