"""The paper reproduced: Figure 2 and every number, published and ours; one run, or many; how its text is
read: what it leaves open, its theorems and notes; fairness to its authors."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st

from pages.ui import cache, jobs, show
from pages.ui.params import PAPER_DAYS
from pages.ui.session import button, lab
from pages.ui.show import chart, csv, items, lazy_expander, metric
from pages.ui.widgets import url_number, url_segmented, url_select
from rtp.core.formatting import kept_together
from rtp.core.stats import LEVEL_WORDS
from rtp.figures import paper as figures
from rtp.figures.paper import VIEWS
from rtp.figures.style import Picture
from rtp.output import paper as output
from rtp.output.paper import PROOF, THEOREMS, Note, notes
from rtp.paper import comparison, published
from rtp.paper.comparison import PAPER, ComparisonRow, PaperDays, table
from rtp.paper.readings import NOISE_QUESTION, WINS, OpenQuestion, open_choices
from rtp.paper.readings import readings as recorded
from rtp.scenario import DEFAULT_PRESET, PRESETS, Bounds, Scenario

_NAME, WHY = "paper", "Why some differ, and what counts as a match"
_REDRAW = 2.0  # seconds between pictures while days are being simulated


def _how_many(days: PaperDays) -> str:
    """All start with the same days."""
    return str(len(days))


_rows, _finding = cache.shared(key=_how_many)(table), cache.shared(key=_how_many)(output.finding)


@cache.shared(key=_how_many)
def _verdict_words(days: PaperDays) -> str:
    return output.agreement_words(_rows(days))


def _verdict() -> None:
    """What came of it, in one line."""
    st.markdown(f"**{_verdict_words(days_so_far())}**", help=output.WHAT_IS_COUNTED)


def days_so_far() -> PaperDays:
    """The longer of what is there at once and what has been simulated."""
    first = _first_days()
    job: jobs.Job[PaperDays] | None = jobs.current(_NAME)
    result = job.result if job is not None else None
    return result if result is not None and len(result) > len(first) else first


@cache.shared(weight="heavy", spinner="Simulating the first days …")
def _first_days() -> PaperDays:
    return comparison.many_days(PAPER, comparison.FIRST_DAYS)


def figure_2() -> None:
    """The paper's three pictures with ours in them, side by side where there is room; one run's numbers."""
    _verdict()
    with st.container(horizontal=True):
        run = int(url_number(Bounds(0, comparison.MAX_DAYS, "Our run (seed)"), PAPER.seed, "paper:run"))
        view = url_segmented("Figure 2c shows", VIEWS, "paper:view")
    day, days = cache.day(PAPER.replace(seed=run)), days_so_far()
    pictures = {
        "2a · Mean occupancy": partial(figures.mean_figure, day, days, "occupancy"),
        "2b · Mean consumption": partial(figures.mean_figure, day, days, "consumption"),
        "2c · Calculated rates": partial(figures.published_rates_figure, day, view),
    }
    with st.grid(3, min_column_width=320):
        for title, make in pictures.items():
            with st.container():
                st.markdown(f"**{title}**")
                chart(cache.picture(make, title, run, len(days), view), key=title[:2])
    st.caption(output.reading_error_words(days))
    with st.grid(4, min_column_width=150):
        for number in output.run_numbers(day):
            metric(*number)


def numbers() -> None:
    """Every number of the section, many days of ours, and what the authors say themselves."""
    _verdict()
    _every_number(days_so_far())
    st.header("One run, or many", anchor=False)
    count = int(url_number(PAPER_DAYS, comparison.MANY_DAYS, "paper:days"))
    work, hint = partial(_simulate, count), f"The first {comparison.FIRST_DAYS} are there at once."
    job = jobs.run(_NAME, PAPER.to_json(), work, f"Simulate {count:,} days", hint)
    jobs.while_running(job, _REDRAW, _scatter)
    st.header("In fairness to the paper", anchor=False)
    with st.container(border=True):
        st.markdown(f"{output.CITATION} What they say themselves:\n{items(output.CAVEATS)}")
        st.markdown(output.win_words())
        _explore(WINS.capitalize(), PRESETS[WINS], WINS, "open:wins")


def _every_number(days: PaperDays) -> None:
    """One part of the section at a time; nothing is left out, and what does not agree says why."""
    rows = _rows(days)
    part = url_segmented("Numbers of the", list(output.JUDGED), "paper:part", str.lower)
    mine = [row for row in rows if row.section == part]
    show.table(output.narrow_frame(mine).set_index("Quantity"))
    lazy_expander(WHY, partial(_why, mine, len(days)))
    frame = partial(output.comparison_frame, rows)
    csv("Table as CSV", frame, "published_and_ours.csv", of=PRESETS[DEFAULT_PRESET])


def _why(rows: Sequence[ComparisonRow], days: int) -> None:
    st.markdown(items([f"**{row.quantity}:** {output.why(row)}" for row in rows if row.verdict != "agrees"]))
    ours = f"Ours: the mean of {days:,} days, and the range of {LEVEL_WORDS} of them."
    st.caption(f"{output.JUDGED[rows[0].section]} {ours}")


def _simulate(count: int, report: jobs.Report[PaperDays]) -> PaperDays:
    return jobs.call(comparison.many_days, PAPER, count, progress=report)


def _scatter() -> None:
    """What chance makes of single days."""
    days = days_so_far()
    drawn = cache.picture(partial(figures.distribution_figure, days), "distribution", len(days))
    chart(drawn, key="distribution")
    with st.container(border=True):
        words = kept_together(f"**The finding.** {_finding(days)}")
        st.markdown(words.replace("e-", "e\u2011"))  # no line ends within a number


def theorems() -> None:
    """The two theorems, a correction of the proof, and notes, each with what checks it."""
    for theorem in THEOREMS:
        with st.container(border=True):
            _note(theorem._replace(words=f"**{theorem.title}.** {theorem.words}"))
    st.caption("*The audit* puts this promise to the test on the street that you choose.")
    for note in (PROOF, *notes()):
        lazy_expander(note.title, partial(_note, note), ":material/edit_note:")


def _note(note: Note) -> None:
    """Its words and formulas; what tests of the lab hold, and which they are on hover."""
    st.markdown(note.words)
    for formula in note.formulas:
        st.latex(formula)
    if note.after:
        st.markdown(note.after)
    words = "Checked, each by a test of the lab:\n" + items(list(note.checks))
    st.markdown(words, help=items([f"`tests/{test}`" for test in note.checks.values()]))


def choices() -> None:
    """What the paper leaves open, and what we chose."""
    by_name = {choice.name: choice for choice in open_choices()}
    choice = by_name[url_select("The paper leaves open", list(by_name), "paper:choice")]
    _look_closer(choice)
    every = output.alternatives_frame()
    show.table(output.answers_frame(every, choice))
    st.caption(output.ALTERNATIVES_WORDS)
    csv("All answers as CSV", lambda: every, "answers.csv", of=PRESETS[DEFAULT_PRESET])


def _look_closer(choice: OpenQuestion) -> None:
    """One open question: what the paper says, which numbers to compare, and the curves."""
    leak = f"{output.leak_words()} " if choice.name == NOISE_QUESTION else ""
    st.markdown(f"{choice.silence} {leak}What tells is *{choice.judged_by}*, below.")
    for answer in choice.others:
        if answer.refused:
            st.warning(f"{answer.name}: {answer.refused}", icon=":material/block:")
    chart(cache.picture(partial(_picture, choice), "rivals", choice.name), key="rivals")
    with st.container(horizontal=True):
        for answer in choice.others:
            if answer.scenario is not None:
                _explore(answer.name, answer.scenario, DEFAULT_PRESET, f"open:{answer.name}")


def _picture(choice: OpenQuestion) -> Picture:
    """What one rate tells where the noise is in question; else expected occupancy by every answer."""
    found = recorded()
    if choice.name == NOISE_QUESTION:
        return figures.state_dependent_figure(found.state_dependent, PAPER.epsilon)
    curves = {f"{choice.ours} (ours)": np.array(found.ours.occupancy)}
    curves |= {
        answer.name: np.array(found.others[answer.name].occupancy)
        for answer in choice.others
        if answer.name in found.others
    }
    _, theirs, _ = published.figure2()
    return figures.alternatives_figure(curves, theirs, cache.day(PAPER))


def _explore(name: str, scenario: Scenario, preset: str, key: str) -> None:
    """A button that makes a scenario the one in use."""
    if button(f"Explore “{name}”", key, "open_in_new", lab().open, scenario, preset):
        st.switch_page("app.py")


_PARTS = {"Choices": choices, "Theorems": theorems}


def readings() -> None:
    """How the paper's text is read."""
    _verdict()
    _PARTS[url_segmented("How we read the text", list(_PARTS), "paper:reading")]()
