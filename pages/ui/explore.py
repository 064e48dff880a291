"""The pieces of the Explore screen: the story, the cards, the rates, the promise, files to take away."""

from collections.abc import Mapping
from functools import partial
from urllib.parse import urlencode

import streamlit as st

from pages.ui import cache, pins, show, tour
from pages.ui.session import lab
from pages.ui.show import items, lazy_expander
from pages.ui.sidebar import link_to
from pages.ui.widgets import toggle, url_pills, url_segmented
from rtp.core.formatting import change, plain, signed
from rtp.core.stats import LEVEL_WORDS
from rtp.figures import style
from rtp.figures.day import VIEWS, day_figure, flat_words
from rtp.figures.households import models_figure
from rtp.figures.style import PinMark
from rtp.figures.threat import dots_figure, threat_figure
from rtp.leakage.moment import QUICK_CELLS
from rtp.mechanisms import FEATURED, REGISTRY, YARDSTICK, private
from rtp.mechanisms.blowfish import sensitivity_by_model
from rtp.metrics import ERROR_MEANS, error_lines
from rtp.output.glossary import help_for
from rtp.output.report import report
from rtp.output.words import LIMITS, day_headline, noise_story, total_budget, unusual_words
from rtp.scenario import MAX_JSON_BYTES, Scenario, ScenarioError
from rtp.scenario.export import to_file, to_notebook, to_script
from rtp.scenario.fields import sentence
from rtp.simulation import Day
from rtp.teaching.threat import (
    BELIEVER_WORDS,
    MAX_FOLLOWED_HOUSES,
    STORY_HOUSES,
    Threat,
    beliefs_at,
    price_words,
    question,
    stake,
    story_street,
    threat,
    threat_headline,
    worst_case,
)
from rtp.tradeoff import one_day_range

OWN, MOMENT = "story:own", "story:step"


def story(scenario: Scenario) -> None:
    """On few houses, or on the street at hand; not where the tour is about the day's picture."""
    if tour.about_the_day():
        return
    own = lab().setting(OWN, False)
    here = own and STORY_HOUSES < scenario.households <= MAX_FOLLOWED_HOUSES
    day = cache.day(scenario.replace(days=1) if here else story_street(scenario))
    found = _threat(day)
    st.markdown(f"{question(found, day, here)}  \n{threat_headline(found, day)}")
    with st.container(horizontal=True, vertical_alignment="center"):
        tour.start()
        if STORY_HOUSES < scenario.households <= MAX_FOLLOWED_HOUSES:
            label = f"The same on the street at hand ({scenario.households:,} houses)"
            toggle(label, own, partial(lab().show, OWN), key=OWN)
    chosen: int | None = lab().chosen(MOMENT)
    step = chosen if chosen is not None and chosen < day.scenario.steps else None
    moment = day.scenario.steps * 3 // 4 if step is None else step
    left, right = st.columns([2, 1], gap="small")
    with left:
        make = partial(threat_figure, day, found, moment)
        drawn = cache.picture(make, "threat", day.scenario.to_json(None), moment)
        show.clickable(drawn, "threat", _choose)
    with right, st.container(border=True):
        _chances(day, found, moment)


def _threat(day: Day) -> Threat:
    """Only its private half is made anew for another ε."""
    scenario = day.scenario
    without = scenario.replace(epsilon=1.0).to_json(None)
    known = cache.cached("stake", without, partial(stake, day), "Reading every rate …")
    return cache.cached("threat", scenario.to_json(None), partial(threat, day, known))


def _choose(point: show.Point) -> None:
    lab().show(MOMENT, int(point["customdata"][0]))


def _chances(day: Day, found: Threat, step: int) -> None:
    here, epsilon = beliefs_at(day, found.stake, step), day.scenario.epsilon
    rows = [(f"Worst case, ε = {epsilon:g}", worst_case(epsilon))]
    if here is not None:
        rows.insert(
            0, (f"{day.scenario.house(found.stake.house, capital=True)}, {day.scenario.when(step)}", here)
        )
    drawn = dots_figure(rows)
    st.markdown("**ε in chances**", help=BELIEVER_WORDS)
    st.image(drawn.svg, alt=drawn.words, width="content")
    st.caption(price_words(found, day, step, here))


LESS = f"What all {REGISTRY[FEATURED].label} rates can do to the odds of one moment is less: see Over time."


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
            f"ε = {day.scenario.epsilon:g} at each of {day.scenario.steps} steps; Theorem 2 adds up. {LESS}",
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


def rates(day: Day, pinned: Mapping[PinMark, Day]) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        order = url_pills("Rates", list(REGISTRY), "shown", style.label)
        kind = url_segmented("View", VIEWS, "view")
    pins.controls()
    make = partial(day_figure, day, order, kind, pinned)
    parts = day.scenario.to_json(None), order, kind, *pins.texts()
    show.chart(cache.picture(make, "day", *parts), key="day")
    show.caption(flat_words(day, order))
    if len(day.scenario.models) > 1:
        st.markdown("**Which model demands the noise**", help=help_for("Θ"))
        by_model = sensitivity_by_model(day.market.public)
        show.chart(models_figure(day.scenario, day.hours, by_model), key="models")


def promise(day: Day) -> None:
    with st.container(border=True):
        title = "What this day says" if day.scenario.days == 1 else f"What these {day.scenario.days} days say"
        st.subheader(title, anchor=False)
        st.markdown(
            f"{day_headline(day)}\n\n**Noise of the {REGISTRY[FEATURED].label} rate**\n"
            f"{items(noise_story(day))}"
        )
    lazy_expander("The promise, word for word", _promises, ":material/shield:")


def _promises() -> None:
    mechanisms = [REGISTRY[name] for name in private()]
    promises = [f"**{m.label}.** {m.promise} It relies on {m.relies_on}." for m in mechanisms]
    st.markdown("\n\n".join([*promises, f"**What it does not cover**\n{items(LIMITS)}"]))
    st.latex(
        r"r = \alpha Z + \beta \qquad \hat r = r + \mathrm{Lap}(\lambda/\varepsilon) \qquad "
        r"\lambda = \alpha \max_{h \in \kappa} u_h",
        help=help_for("ε, κ, λ"),
    )


UPLOAD, REFUSED = "upload:scenario", "upload refused"


def takeaway(day: Day) -> None:
    if not lab().presenting:
        show.lazy_expander("Take it away, or bring it back", partial(_both_ways, day), ":material/download:")


def _both_ways(day: Day) -> None:
    query = urlencode(lab().link())
    _files(day, query)
    st.caption(
        "The address of this page holds the whole scenario, seed included: copy it to share these numbers."
    )
    st.code(
        "?" + query if query else "The paper's day needs no parameters: the plain address is the link.",
        language=None,
        wrap_lines=True,
    )
    st.file_uploader(
        "Load a scenario (JSON, at most 1 MB)",
        type="json",
        key=UPLOAD,
        on_change=_load,
        max_upload_size=show.upload_limit(MAX_JSON_BYTES),
    )
    if sentence := lab().memo.pop(REFUSED, None):
        st.error(sentence, icon=":material/error:")


def _files(day: Day, query: str) -> None:
    scenario = day.scenario
    with st.grid(5, min_column_width=150):
        show.csv("Day as CSV", day.frame, "day.csv", wide=True)
        json = "application/json"
        show.download(
            "Scenario as JSON", partial(to_file, scenario), "scenario.json", json, "data_object", wide=True
        )
        script = partial(to_script, scenario, lab().preset)
        show.download("Python script", script, "run_day.py", "text/x-python", "code", wide=True)
        notebook = partial(to_notebook, scenario, lab().preset)
        kind = "application/x-ipynb+json"
        show.download("Jupyter notebook", notebook, "run_day.ipynb", kind, "menu_book", wide=True)
        page = partial(report, day, query)
        show.download("Report", page, "report.html", "text/html", "description", wide=True)


def _load() -> None:
    if (file := st.session_state[UPLOAD]) is None:
        return
    try:
        lab().open(Scenario.from_json(file.getvalue()))
    except ScenarioError as error:
        lab().memo[REFUSED] = f"{file.name} was not loaded: {sentence(error)}"
