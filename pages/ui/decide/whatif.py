"""What-if maps: choose what to vary and over which range, run, see, load a point, take the numbers away."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial

import streamlit as st

from pages.ui import jobs
from pages.ui.params import ACCEPTED, ANY_NUMBER, MAP_DAYS, MAP_VALUES
from pages.ui.session import button, lab
from pages.ui.show import Point, chart, csv, number_of
from pages.ui.widgets import CLOCK, offered_rates, select, url_number, url_select
from rtp.core.formatting import in_markdown
from rtp.decision import SECRETS
from rtp.figures import style
from rtp.figures.decision import Limits, heat_figure, lines_figure
from rtp.mechanisms import FEATURED
from rtp.metrics import ERROR_MEANS
from rtp.output.decision import certainty_words, misfit_words
from rtp.scenario import Scenario, ScenarioError
from rtp.scenario.edit import allowed_intervals
from rtp.scenario.fields import sentence
from rtp.sweep.measures import ASKED
from rtp.sweep.plan import Plan, make
from rtp.sweep.whatif import INTERVAL, Map, compute, hours, is_hour, span, values, varied

NONE = "none"
SLOTS = ("first", "second")
ENDS = ("From", "To")
TELLS_MEANS = (
    "Also finds how often that observer tells that secret, on every street of the map: seconds each."
)
REDRAW = 1.0  # seconds between pictures while the map is being computed
NAME = "map"
MAP_SHOWS = (
    "The map shows how far every rate is off, or what it costs, over the first parameter: a curve for each "
    "rate. With a second parameter it is a heat map of one rate. A click on it loads that scenario."
)


def axis(
    scenario: Scenario, slot: str, first: str | None, taken: Collection[str]
) -> dict[str, Mapping[str, object] | Sequence[float]]:
    """The parameter and its values; nothing where none is chosen, which the first axis does not offer."""
    offered: dict[str | None, str] = {a: words for a, words in varied(scenario).items() if a not in taken}
    if first is None:
        offered = {None: NONE, **offered}
    chosen: str | None = lab().setting(f"map:{slot}", first)
    address = chosen if chosen in offered else next(iter(offered))
    with st.grid(4, min_column_width=150, vertical_alignment="bottom"):
        label, save = f"{slot.capitalize()} parameter", partial(_choose, slot)
        select(label, list(offered), address, offered.__getitem__, save, key=f"map:{slot}")
        if address is None:
            return {}
        if address == INTERVAL:
            listed = allowed_intervals(scenario)
            st.caption(f"{', '.join(map(str, listed))} minutes")
            return {address: listed}
        look = {"width": "stretch"} | ({"form": CLOCK} if is_hour(address) else {})
        low, high = (
            url_number(ANY_NUMBER._replace(words=label), end, f"map:{slot}:{label}", **look)
            for label, end in zip(ENDS, span(scenario, address), strict=True)
        )
        count = url_number(MAP_VALUES, 8 if first else 6, f"map:{slot}:count", width="stretch")
    if is_hour(address):
        return {address: hours(scenario, low, high, int(count))}
    return {address: values(low, high, int(count))}


def _choose(slot: str, address: str | None) -> None:
    """Another parameter has a range of its own."""
    lab().show(f"map:{slot}", address)
    for end in ENDS:
        lab().show(f"map:{slot}:{end}", None)


def whatif(scenario: Scenario) -> None:
    """One parameter gives lines, two a heat map. A map stays until the next one is run."""
    grid = axis(scenario, "first", "epsilon", {})
    grid |= axis(scenario, "second", None, grid)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        days = int(url_number(MAP_DAYS, 20, "map:days"))
        asked = url_select("Tells", [NONE, *ASKED], "map:secret", _asked_words, width=260, help=TELLS_MEANS)
    job: jobs.Job[Map] | None = jobs.current(NAME)
    try:
        plan = make(scenario, grid, days, [] if asked == NONE else [asked])
        hint = f"{len(plan)} points, {days} days each; the same days at every point."
        if job is None:
            st.caption(MAP_SHOWS)
        job = jobs.run(
            NAME, NAME, lambda report: jobs.call(compute, plan, progress=report), "Run the map", hint
        )
    except ScenarioError as error:
        st.error(in_markdown(sentence(error, scenario)), icon=":material/error:")
    if job is not None:
        jobs.while_running(job, REDRAW, partial(_so_far, job, scenario))


def _asked_words(asked: str) -> str:
    if asked == NONE:
        return NONE
    secret, observer = ASKED[asked]
    return f"{SECRETS[secret]}, an {observer}"


def _so_far(job: jobs.Job[Map], scenario: Scenario) -> None:
    if lab().scenario != scenario:
        st.rerun()  # a point was loaded: the rest of the page follows
    if job.result is not None and job.result.parts:
        _map(job.result, scenario)


def _map(found: Map, scenario: Scenario) -> None:
    if misfit := misfit_words(found, scenario):
        words = f"This map is of another scenario ({in_markdown(misfit)}). Run it again for this one."
        st.warning(words, icon=":material/history:")
    measure, mechanism = _shown(found)
    limits = Limits(lab().chosen(ACCEPTED))
    if mechanism:
        picture = heat_figure(found, measure, mechanism, limits)
    else:
        picture = lines_figure(found, measure, limits)
    chart(picture, "map:chart", click=partial(_load_clicked, found.plan))
    st.caption(f"**Click a point to load its scenario.** {certainty_words(found, measure, mechanism)}")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        point = url_select("Or choose a point", sorted(found.parts), "map:point", found.name, width=420)
        button("Load this scenario", "map:load", "", _load, found.plan, point)
        csv("Map as CSV", found.frame, "whatif.csv")


def _shown(found: Map) -> tuple[str, str | None]:
    """Which measure, and on a heat map of which mechanism."""
    shown = found.measures()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        measure = url_select(
            "Shown", list(shown), "map:measure", shown.__getitem__, width=320, help=ERROR_MEANS
        )
        if len(found.plan.grid) == 1:
            return measure, None
        rates = offered_rates(found.plan.at(0), "map:mechanism")
        return measure, url_select("of", rates, "map:mechanism", style.title, default=FEATURED, width=160)


def _load_clicked(plan: Plan, point: Point) -> None:
    if (number := number_of(point)) is not None and number < len(plan):
        _load(plan, int(number))


def _load(plan: Plan, point: int) -> None:
    """Put the scenario of one point in place; the ranges stay as they were run."""
    for slot, (address, points) in zip(SLOTS, plan.grid.items(), strict=False):
        if address != INTERVAL:  # of which there are always all
            for end, value in zip(ENDS, (points[0], points[-1]), strict=True):
                lab().show(f"map:{slot}:{end}", value)
    lab().open(plan.at(point))
