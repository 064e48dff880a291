"""The answer: what must stay hidden, and which error is acceptable; what to publish, and why in a picture."""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import cast

import streamlit as st

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
from rtp.core.workers import Progress, partial_progress
from rtp.decision import (
    INTERVALS,
    OBSERVERS,
    SECRETS,
    Answer,
    Question,
    Wish,
    completed,
    decide,
    find,
    further_questions,
    questions,
)
from rtp.decision.frontier import at_intervals
from rtp.decision.requirement import ASK, described_street
from rtp.exposure import Exposure, Secret
from rtp.figures.decision import SYMBOL_WORDS, frontier_figure, pale_words
from rtp.money.summary import span_frame
from rtp.output import decision as words
from rtp.output.decision_report import decision_report
from rtp.scenario import Scenario
from rtp.simulation import Day
from rtp.tradeoff.curves import TARGETS

WHY = "Numbers"
FIRST, FULL = 0.15, 0.5  # of the work when a first look is there, and when the answer is
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
        _show(job.result, first=job.running and len(job.result.frontier.timetable) == 1)
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
    """A first look at one interval, then the answer, then that with all that can still be told."""
    streets, _ = at_intervals(described_street(scenario))
    ends = pairwise((0.0, FIRST, FULL, 1.0))
    first, second, third = (partial(_part, report, start, end) for start, end in ends)
    report(FIRST, _decide(scenario, wish, (max(streets),), first))
    report(FULL, _decide(scenario, wish, INTERVALS, second))
    return _completed(scenario, wish, third)


def _part(report: jobs.Report[Answer], start: float, end: float, done: float) -> None:
    report(start + done * (end - start))


def _asked(scenario: Scenario, wish: Wish, among: Sequence[StepMinutes], progress: object = None) -> str:
    return f"{_key(scenario, wish)} {cache.key_of(tuple(among))}"


@cache.shared(key=_asked)
def _decide(scenario: Scenario, wish: Wish, among: Sequence[StepMinutes], progress: Progress) -> Answer:
    known = _exposures(questions(scenario, wish, among), progress)
    return jobs.call(decide, scenario, wish, among=among, known=known)


@cache.shared(key=lambda scenario, wish, _: _key(scenario, wish))
def _completed(scenario: Scenario, wish: Wish, progress: Progress) -> Answer:
    found = _decide(scenario, wish, INTERVALS, progress)
    return jobs.call(completed, found, _exposures(further_questions(found), progress))


def _exposures(asked: Sequence[Question], progress: Progress) -> dict[Question, Exposure]:
    found = {}
    for at, question in enumerate(asked):
        part = partial_progress(progress, at / len(asked), (at + 1) / len(asked))
        found[question] = _exposure(question, part)
    return found


@cache.shared(key=lambda asked, _: f"{cache.exposure_key(*asked[:4])} {cache.key_of(asked.group)}")
def _exposure(asked: Question, progress: Progress | None) -> Exposure:
    return jobs.call(find, asked, progress=progress)


def _show(found: Answer, *, old: bool = False, first: bool = False) -> None:
    """The answer; an old one has no way on, nor has a first look."""
    parts = f"## {words.answer_sentence(found)}", words.reason(found), words.rarer_words(found)
    st.markdown("\n".join(filter(None, parts)))
    picture = frontier_figure(found)
    if first:
        st.caption(
            f"A first look, with a price every {found.scenario.step_minutes} minutes only: "
            "it may still change."
        )
        chart(picture, "frontier:first")
        return
    if old:
        chart(picture, "frontier:before")
    else:
        chart(picture, "frontier", click=_take)
    st.caption(f"{SYMBOL_WORDS} Click one to use it.{pale_words(found)}")
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
        if found.complete:
            _take_away(found)
    if found.complete:
        lazy_expander(WHY, partial(_why, found), ":material/table:")
    elif not old:
        st.caption("What can be told of other secrets, and money, are still being worked out.")


def _take_away(found: Answer) -> None:
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
