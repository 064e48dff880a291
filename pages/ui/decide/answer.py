"""The answer on one page: what must stay hidden and which error is acceptable; what to publish; the bend; who
can still tell; money; what is handed over."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import NamedTuple, cast

import streamlit as st

from pages.ui import cache, jobs
from pages.ui.params import ACCEPTED, COMPARED, HIDE, HIDE_EVERY, HIDE_FROM, HIDE_OF, NOTHING
from pages.ui.session import button, lab
from pages.ui.show import (
    Point,
    chart,
    csv,
    download,
    in_cells,
    items,
    lazy_expander,
    number_of,
    table,
    warn_of_prices,
)
from pages.ui.widgets import url_optional_number, url_pills, url_segmented
from rtp.core.formatting import kept_together, plain
from rtp.core.time import StepMinutes
from rtp.core.types import Frame
from rtp.core.workers import Progress
from rtp.decision import (
    FROM,
    INTERVALS,
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
from rtp.decision.edge import Measured
from rtp.decision.frontier import at_intervals
from rtp.decision.handover import program
from rtp.decision.requirement import ASK
from rtp.exposure import Exposure, Secret
from rtp.figures.decision import answer_figure, prices_figure
from rtp.money.bills import MONTH
from rtp.money.summary import month_frame
from rtp.output import decision as words
from rtp.output.decision import money_basis
from rtp.output.decision_report import assumptions, decision_report, price_frame, shown_prices
from rtp.scenario import Scenario
from rtp.simulation import Day
from rtp.tradeoff.curves import TARGETS

HANDED, STRESS, ASSUMED, BESIDE = "What is handed over", "What if", "What is assumed", "Side by side"
NO_PART = "seed", "epsilon", "days"  # of an answer: it is for the street as it is described
HALF = 0.5  # of the work when the answer is there, without all that can still be told
PINNED, MOST_PINNED = "answers pinned", 3
HIDDEN_WORDS = {secret: each.capitalize() for secret, each in SECRETS.items()} | {NOTHING: "Nothing"}
FROM_WORDS = {who: who.capitalize() for who in FROM}


def decision(day: Day) -> None:
    """What is asked for, then the answer; it is found again whenever something that it depends on changes."""
    scenario = day.scenario
    wish, among = _wish(scenario)
    warn_of_prices(day, [])
    if wish.is_open:
        st.info(ASK.capitalize())
        return
    job = jobs.run(
        "decision",
        _asked(scenario, wish, among),
        partial(_answers, scenario, wish, among),
        "Find the answer",
        auto=True,
    )
    if job is not None and job.result is not None:
        _show(job.result.stated_for(scenario))
    elif (old := jobs.before("decision")) is not None:
        with st.container(key="before"):
            _show(old, old=True)


def _wish(scenario: Scenario) -> tuple[Wish, tuple[StepMinutes, ...]]:
    """What is asked for, and at which intervals."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        secret = url_segmented("Hide", list(HIDDEN_WORDS), HIDE, HIDDEN_WORDS.__getitem__)
        observer = url_segmented("From", list(FROM), HIDE_FROM, FROM_WORDS.__getitem__)
        error = url_optional_number(TARGETS, ACCEPTED, percents=True, empty="any", width=170)
        among = _intervals(scenario)
        groups = [group.name for group in scenario.groups]
        of = url_pills("Of", groups, HIDE_OF) if len(groups) > 1 else []
    wish = Wish(
        secret=None if secret == NOTHING else cast(Secret, secret),
        observer=observer,
        groups=tuple(of) if len(of) < len(groups) else (),
        error=error,
    )
    return wish, among


def _intervals(scenario: Scenario) -> tuple[StepMinutes, ...]:
    """The intervals between two prices: one, or all that the street can be priced at."""
    every = {str(each): each for each in _possible(scenario)}
    words = {name: name for name in every} | ({COMPARED: "Compare"} if len(every) > 1 else {})
    own = str(scenario.step_minutes)
    chosen = url_segmented("A price every … min", list(words), HIDE_EVERY, words.__getitem__, default=own)
    return tuple(every.values()) if chosen == COMPARED else (every[chosen],)


@cache.shared(apart_from=("epsilon", "alpha", "beta", "seed"))
def _possible(scenario: Scenario) -> list[StepMinutes]:
    streets, _ = at_intervals(scenario, [*INTERVALS, scenario.step_minutes])
    return sorted(streets)


def _key(scenario: Scenario, wish: Wish) -> str:
    asked = cache.key_of(scenario, apart_from=NO_PART)
    return f"{asked} {cache.key_of(wish.secret, wish.observer, wish.groups, wish.error)}"


def _asked(scenario: Scenario, wish: Wish, among: Sequence[StepMinutes], progress: object = None) -> str:
    return f"{_key(scenario, wish)} {cache.key_of(tuple(among))}"


def _answers(
    scenario: Scenario, wish: Wish, among: Sequence[StepMinutes], report: jobs.Report[Answer]
) -> Answer:
    """The answer, then that with all that can still be told."""
    first, second = (partial(_part, report, start, end) for start, end in pairwise((0.0, HALF, 1.0)))
    report(HALF, _decide(scenario, wish, among, first))
    return _completed(scenario, wish, among, second)


def _part(report: jobs.Report[Answer], start: float, end: float, done: float) -> None:
    report(start + done * (end - start))


@cache.shared(key=_asked)
def _decide(scenario: Scenario, wish: Wish, among: Sequence[StepMinutes], progress: Progress) -> Answer:
    known = _exposures(questions(scenario, wish, among), progress, at_once=True)
    closer = _measured(scenario)
    found = jobs.call(decide, scenario, wish, among=among, known=known, measured=dict(closer))
    closer |= found.measured
    return found


@cache.shared(key=lambda scenario: cache.key_of(scenario, apart_from=NO_PART))
def _measured(scenario: Scenario) -> Measured:
    """What was measured closer of a street, for whatever wish. Mutable: it grows."""
    return {}


@cache.shared(key=_asked)
def _completed(scenario: Scenario, wish: Wish, among: Sequence[StepMinutes], progress: Progress) -> Answer:
    found = replace(_decide(scenario, wish, among, progress), measured=dict(_measured(scenario)))
    whole = jobs.call(completed, found, _exposures(further_questions(found), progress))
    _measured(scenario).update(whole.measured)
    return whole


def _exposures(
    asked: Sequence[Question], progress: Progress, at_once: bool = False
) -> dict[Question, Exposure]:
    """What was asked, found one after the other, or at once."""
    parts = [0.0] * len(asked)

    def report(at: int, done: float) -> None:
        parts[at] = done
        progress(sum(parts) / len(parts))

    def find_one(at: int) -> Exposure:
        found = _exposure(asked[at], partial(report, at))
        report(at, 1.0)
        return found

    works = [partial(find_one, at) for at in range(len(asked))]
    found = jobs.side_by_side(works) if at_once else [work() for work in works]
    return dict(zip(asked, found, strict=True))


@cache.shared(key=lambda asked, _: f"{cache.exposure_key(*asked[:4])} {cache.key_of(asked.group)}")
def _exposure(asked: Question, progress: Progress | None) -> Exposure:
    """What was asked; of few houses an insider's is found beside the outsider's, whom she bounds."""
    outsider = asked._replace(observer="outsider")
    known = outsider != asked and _exposure.known(outsider, None)
    beside = _exposure(outsider, None).insider if known else None
    return beside or jobs.call(find, asked, progress=progress)


def _show(found: Answer, *, old: bool = False) -> None:
    """The answer; an old one has no way on."""
    said, hint = _said(found), " · a click sets ε"
    st.markdown(said.sentence)
    st.caption(f"{said.objective} {words.which_street(found)}")
    left, right = st.columns([5, 4], gap="medium")
    with left:
        for line in said.reasons:
            st.markdown(line)
        if said.warnings:
            st.warning(said.warnings, icon=":material/visibility:")
        with st.container(horizontal=True, vertical_alignment="center"):
            _actions(found, old)
    with right:
        epsilon = lab().scenario.epsilon
        make = partial(answer_figure, found, epsilon, hint)
        picture = cache.picture(make, "answer", _found(found), epsilon, hint)
        if old:
            chart(picture, "bend:before", card=False)
        else:
            chart(picture, "bend", card=False, click=_set_epsilon)
    if not found.complete:
        if not old:
            st.caption("What can be told of other secrets, and money, are still being worked out.")
        return
    for title, rows in said.tables.items():
        st.markdown(f"**{title}**")
        st.table(rows)
    st.caption(said.money)
    lazy_expander(HANDED, partial(_handed, found), ":material/output:")
    lazy_expander(STRESS, partial(_stress, found), ":material/bolt:")
    lazy_expander(ASSUMED, partial(_assumed, found), ":material/rule:")
    if len(beside := _beside(found)) > 1:
        lazy_expander(BESIDE, partial(_side_by_side, beside), ":material/compare:")


class Said(NamedTuple):
    """What stands on the page of an answer: it is the same at every ε of the sidebar."""

    sentence: str
    objective: str
    reasons: tuple[str, ...]
    warnings: str
    tables: Mapping[str, Frame]  # by title; none until the answer is complete
    money: str


def _found(found: Answer) -> str:
    """What an answer that was found depends on."""
    among = tuple(sorted({*found.moved, *found.refused}))
    return f"{_asked(found.scenario, found.wish, among)} {found.complete}"


@cache.shared(key=lambda found: cache.key_of_words(_found(found)))
def _said(found: Answer) -> Said:
    reasons = (*words.reason(found), words.stress_words(found))
    tables = {title: in_cells(make(found)) for title, make in words.TABLES.items() if found.complete}
    return Said(
        sentence=f"## {kept_together(words.answer_sentence(found))}",
        objective=words.objective(found),
        reasons=tuple(filter(None, reasons)),
        warnings=items(words.warnings(found)),
        tables=tables,
        money=money_basis(found.money, found.scenario) if found.complete else "",
    )


def _actions(found: Answer, old: bool) -> None:
    """What can be done with an answer."""
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
    if found.complete and not old:
        button(
            "Pin this answer",
            "answer:pin",
            "keep",
            _pin,
            found,
            help=f"Keeps it with its money and exposure, to compare with; the last {MOST_PINNED}.",
            off=any(found.stated == each.stated and found.wish == each.wish for each in _pinned()),
        )
        download(
            "Report", partial(decision_report, found), "answer.html", "text/html", "description",
            help="What is published, who can still tell, money, what is assumed; the scenario is attached.",
        )  # fmt: skip
        helps = f"A row for each group and simulated month of {MONTH} days."
        csv(
            "Money as CSV",
            partial(month_frame, found.money, found.stated),
            "months.csv",
            help=helps,
            of=found.stated,
        )


def _set_epsilon(point: Point) -> None:
    """Where somebody clicks a curve; what is no curve says no ε."""
    if (epsilon := number_of(point)) is not None:
        lab().set("epsilon", epsilon)


def _use(epsilon: float, minutes: StepMinutes) -> None:
    lab().set_step_minutes(minutes, epsilon=epsilon)


# What is handed over, and what it rests on


def _handed(found: Answer) -> None:
    """The timetable or the noise, in a picture, a table and files."""
    chart(prices_figure(found), "prices", card=False)
    with st.container(horizontal=True):
        csv("Prices as CSV", partial(price_frame, found), "prices.csv", of=found.stated)
        if (code := program(found)) is not None:
            helps = "Publishes this rate, step by step; it needs nothing but Python."
            download("Code that publishes it", lambda: code, "price.py", "text/x-python", "code", help=helps)
    table(shown_prices(found))


def _stress(found: Answer) -> None:
    table(words.stress_frame(found))
    st.caption(words.STRESS_MEANS)


def _assumed(found: Answer) -> None:
    st.markdown(items(assumptions(found)))


# Before and after


def _pinned() -> list[Answer]:
    kept: list[Answer] = lab().extras.setdefault(PINNED, [])
    return kept


def _pin(found: Answer) -> None:
    lab().extras[PINNED] = [*_pinned(), found][-MOST_PINNED:]


def _beside(found: Answer) -> Mapping[str, Answer]:
    """The answer, the one before it, and those that are pinned."""
    before: Answer | None = jobs.before("decision")
    answers = {"Now": found}
    if before is not None and before.complete and (before.wish, before.stated) != (found.wish, found.stated):
        answers["Before"] = before
    return answers | {f"Pinned {number}": each for number, each in enumerate(_pinned(), start=1)}


def _side_by_side(answers: Mapping[str, Answer]) -> None:
    table(words.compared_frame(answers))
