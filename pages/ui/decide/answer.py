"""The answer: what must stay hidden, and which error is acceptable; what to publish, and why in a picture."""

from functools import partial
from typing import cast

import streamlit as st
from rtp.decision.sight import ROUGH

from pages.ui import cache, jobs
from pages.ui.params import ACCEPTED, HIDE, HIDE_FROM, HIDE_OF, NOTHING
from pages.ui.session import button, lab
from pages.ui.show import (
    Point,
    chart,
    csv,
    download,
    items,
    lazy_expander,
    number_of,
    table,
    warn_of_prices,
)
from pages.ui.widgets import url_optional_number, url_pills, url_segmented
from rtp.core.formatting import plain
from rtp.core.time import StepMinutes
from rtp.core.workers import Progress
from rtp.decision import INTERVALS, SECRETS, Answer, Secret, Wish, decide
from rtp.decision.requirement import ASK
from rtp.figures.decision import SYMBOL_WORDS, frontier_figure
from rtp.leakage.overview import OBSERVERS
from rtp.money.summary import span_frame
from rtp.output import decision as words
from rtp.output.decision_report import decision_report
from rtp.scenario import Scenario, ScenarioError
from rtp.simulation import Day
from rtp.tradeoff.curves import TARGETS

WHY = "Numbers"
FIRST = 0.15  # of the work is the first look
HIDDEN_WORDS = {secret: each.capitalize() for secret, each in SECRETS.items()} | {NOTHING: "Nothing"}


def decision(day: Day) -> None:
    """What is asked for, then the answer; it is found again whenever something that it depends on changes."""
    wish = _wish(day.scenario)
    warn_of_prices(day, [])
    if wish.is_open:
        st.info(ASK.capitalize())
        return
    job = jobs.run(
        "decision",
        _key(day.scenario, wish),
        partial(_answers, day.scenario, wish),
        "Find the answer",
        auto=True,
    )
    if job is not None and job.result is not None:
        _show(job.result, first=job.running)
    elif (old := jobs.before("decision")) is not None:
        with st.container(key="before"):
            _show(old, old=True)


def _wish(scenario: Scenario) -> Wish:
    """What is asked for."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        secret = url_segmented("Hide", list(HIDDEN_WORDS), HIDE, HIDDEN_WORDS.__getitem__)
        observer = url_segmented("From", list(OBSERVERS), HIDE_FROM, str.capitalize)
        error = url_optional_number(TARGETS, ACCEPTED, percents=True, empty="any", width=190)
        groups = [group.name for group in scenario.groups]
        of = url_pills("Of", groups, HIDE_OF) if len(groups) > 1 else []
    return Wish(
        secret=None if secret == NOTHING else cast(Secret, secret),
        observer=observer,
        groups=tuple(of) if len(of) < len(groups) else (),
        error=error,
    )


def _key(scenario: Scenario, wish: Wish) -> str:
    """The answer is for the street as described: neither its seed nor its ε matters, nor how long it runs."""
    asked = cache.key_of(scenario, apart_from=("seed", "epsilon", "days", "step_minutes"))
    return f"{asked} {cache.key_of(wish.secret, wish.observer, wish.groups, wish.error)}"


def _answers(scenario: Scenario, wish: Wish, report: jobs.Report[Answer]) -> Answer:
    """A first look, which stays in sight until all intervals have been looked at closely."""
    first = _first_look(scenario, wish, lambda done: report(FIRST * done))
    report(FIRST, first)
    return _decide(scenario, wish, lambda done: report(FIRST + (1 - FIRST) * done))


@cache.shared(key=lambda scenario, wish, progress: _key(scenario, wish))
def _first_look(scenario: Scenario, wish: Wish, progress: Progress) -> Answer:
    try:
        return jobs.call(decide, scenario, wish, repetitions=ROUGH, among=INTERVALS[-1:], progress=progress)
    except ScenarioError:  # an interval into which the periods do not fit
        return jobs.call(decide, scenario, wish, repetitions=ROUGH, progress=progress)


@cache.shared(key=lambda scenario, wish, progress: _key(scenario, wish))
def _decide(scenario: Scenario, wish: Wish, progress: Progress) -> Answer:
    return jobs.call(decide, scenario, wish, progress=progress)


def _show(found: Answer, *, old: bool = False, first: bool = False) -> None:
    """The answer; an old one has no way on, nor has a first look."""
    st.markdown(f"## {words.answer_sentence(found)}\n{words.reason(found)}")
    picture = frontier_figure(found)
    if first:
        st.caption(
            f"A first look, with a price every {found.scenario.step_minutes} minutes only and wide ranges: "
            "it may still change."
        )
        chart(picture, "frontier:first")
        return
    if old:
        chart(picture, "frontier:before")
    else:
        chart(picture, "frontier", click=_take)
    st.caption(f"{SYMBOL_WORDS} Click one to use it.")
    if visible := words.warnings(found):
        st.warning(items(visible), icon=":material/visibility:")
    with st.container(horizontal=True, vertical_alignment="center"):
        if (choice := found.choice) is not None:
            used = found.scenario.epsilon, found.scenario.step_minutes
            button(
                f"Use ε = {plain(choice.epsilon)}, {choice.minutes} min",
                "answer:use",
                "check",
                _use,
                choice.epsilon,
                choice.minutes,
                help="Sets both on every screen.",
                off=old or used == (lab().scenario.epsilon, lab().scenario.step_minutes),
            )
        download(
            "Report", partial(decision_report, found), "answer.html", "text/html", "description",
            help="Two sheets, one for the data protection officer; the scenario is attached.",
        )  # fmt: skip
        months = partial(span_frame, found.money, found.scenario)
        csv(
            "Money as CSV",
            months,
            "months.csv",
            help="Every simulated month and household.",
            of=found.scenario,
        )
    lazy_expander(WHY, partial(_why, found), ":material/table:")


def _take(point: Point) -> None:
    """A point of the frontier: its ε, and its interval."""
    epsilon, minutes = (number_of(point, at) for at in range(2))
    for each in INTERVALS:
        if epsilon and minutes == each:
            _use(epsilon, each)


def _use(epsilon: float, minutes: StepMinutes) -> None:
    lab().set_step_minutes(minutes, epsilon=epsilon)


def _why(found: Answer) -> None:
    for title, make in words.TABLES.items():
        st.markdown(f"**{title}**")
        table(make(found))
    st.markdown(f"**What is assumed**\n{items(words.assumptions(found))}")
