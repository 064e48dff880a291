"""The paper reproduced: Figure 2 and every number, published and ours; one run, or many; how its text is
read: what it leaves open, its theorems and notes; fairness to its authors."""

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from pages.ui import cache, jobs, show
from pages.ui.params import PAPER_DAYS
from pages.ui.screens import ALGORITHM
from pages.ui.session import lab
from pages.ui.show import chart, csv, items, lazy_expander, metric
from pages.ui.widgets import url_number, url_segmented, url_select
from rtp.core.formatting import percent
from rtp.core.stats import LEVEL_WORDS
from rtp.figures import paper as figures
from rtp.figures import style
from rtp.figures.day import VIEWS
from rtp.figures.style import Picture
from rtp.metrics import ERROR_MEANS
from rtp.output import paper as output
from rtp.output.theorems import PROOF, THEOREMS, Note, notes
from rtp.paper import published, reproduction
from rtp.paper.choices import NOISE_QUESTION, OPEN_CHOICES, STREETS, Choice, OptionOutcome, study
from rtp.paper.comparison import ComparisonRow, table
from rtp.paper.remarks import WINS
from rtp.paper.reproduction import MECHANISMS, PAPER, PaperDays, as_printed, rmse
from rtp.paper.state_dependent import most_exposed
from rtp.scenario import DEFAULT_PRESET, PRESETS, Bounds
from rtp.simulation import Day, draw_day

NAME, READINGS, WHY = "paper", "Readings", "Why some differ, and what counts as a match"
REDRAW = 2.0  # seconds between pictures while days are being simulated


def _how_many(days: PaperDays) -> str:
    """All start with the same days."""
    return str(len(days))


_rows, _finding = cache.shared(key=_how_many)(table), cache.shared(key=_how_many)(output.finding)
_notes, _leak = cache.shared()(notes), cache.shared()(output.leak_words)
_win = cache.shared()(output.win_words)


def verdict() -> None:
    """What came of it, in one line."""
    words = output.verdict_words(_rows(days_so_far()))
    st.markdown(f"**{words}**", help="Always of the paper's own street.")


def asked_tab() -> str:
    """The tab of what a link asks for that names none of today's, as those of earlier versions."""
    if lab().chosen("paper:tab") in PARTS or lab().chosen("paper:choice"):
        return READINGS
    return "Figures" if any(map(lab().chosen, ("paper:part", "paper:run", "paper:days"))) else ALGORITHM


def days_so_far() -> PaperDays:
    """The longer of what is there at once and what has been simulated."""
    first = _first_days()
    job: jobs.Job[PaperDays] | None = jobs.current(NAME)
    result = job.result if job is not None else None
    return result if result is not None and len(result) > len(first) else first


@cache.shared(weight="heavy", spinner="Simulating the first days …")
def _first_days() -> PaperDays:
    return reproduction.many_days(PAPER, reproduction.FIRST_DAYS)


def figure_2() -> None:
    """The paper's three pictures beside ours."""
    with st.container(horizontal=True):
        run = int(url_number(Bounds(0, reproduction.MAX_DAYS, "Our run (seed)"), PAPER.seed, "paper:run"))
        view = url_segmented("Figure 2c shows", VIEWS, "paper:view")
    day = cache.day(PAPER.replace(seed=run))
    _pictures(day, days_so_far(), view)
    _metrics(day)


def _metrics(day: Day) -> None:
    """One run beside the published numbers."""
    _, occupancy, consumption = published.figure2()
    with st.grid(4, min_column_width=150):
        metric("RMSE to 2a", f"{rmse(day.occupancy, occupancy):.4f}")
        metric("RMSE to 2b", f"{rmse(day.consumption, consumption):.4f}")
        for name, number in figures.PRINTED.items():
            release = day.release[name]
            metric(
                f"{style.label(name)} RMSRE",
                as_printed(release.rmsre, ".3e"),
                f"published {number.text}",
                f"On average: {as_printed(release.expected_rmsre, '.3e')}, or "
                f"{percent(release.expected_error)} of a typical step.\n\n{ERROR_MEANS}",
                beneath=f"{percent(release.error)} of a typical step",
            )


def _pictures(day: Day, days: PaperDays, view: str) -> None:
    """Side by side where there is room."""
    with st.grid(3, min_column_width=320):
        for key, words, make in (
            ("2a", "Mean occupancy", partial(figures.mean_occupancy_figure, day, days)),
            ("2b", "Mean consumption", partial(figures.mean_consumption_figure, day, days)),
            ("2c", "Calculated rates", partial(figures.rates_figure, day, view)),
        ):
            with st.container():
                st.markdown(f"**{key} · {words}**")
                chart(cache.picture(make, "paper", key, day.scenario.seed, len(days), view), key=key)
    st.caption(output.reading_error_words(days))


def numbers() -> None:
    """Every number of the section, many days of ours, and what the authors say themselves."""
    every_number(days_so_far())
    one_or_many()
    fairness()


def every_number(days: PaperDays) -> None:
    """One part of the section at a time; nothing is left out, and what does not agree says why."""
    rows = _rows(days)
    part = url_segmented("Numbers of the", list(output.JUDGED), "paper:part", str.lower)
    mine = [row for row in rows if row.section == part]
    show.table(output.narrow_frame(mine).set_index("Quantity"))
    lazy_expander(WHY, partial(_why, mine, len(days)))
    frame = partial(output.comparison_frame, rows)
    csv("Table as CSV", frame, "published_and_ours.csv", of=PRESETS[DEFAULT_PRESET])


def _why(rows: Sequence[ComparisonRow], days: int) -> None:
    differ = [f"**{row.quantity}:** {output.why(row)}" for row in rows if row.verdict != "agrees"]
    st.markdown(items(differ))
    ours = f"Ours: the mean of {days:,} days, and the range of {LEVEL_WORDS} of them."
    st.caption(f"{output.JUDGED[rows[0].section]} {ours}")


def one_or_many() -> None:
    """What chance makes of single days, and the work that simulates more."""
    st.subheader("One run, or many", anchor=False)
    count = int(url_number(PAPER_DAYS, reproduction.MANY_DAYS, "paper:days"))
    job = jobs.run(
        NAME,
        PAPER.to_json(),
        partial(_simulate, count),
        f"Simulate {count:,} days",
        f"The first {reproduction.FIRST_DAYS} are there at once.",
    )
    jobs.while_running(job, REDRAW, _scatter)


def _simulate(count: int, report: jobs.Report[PaperDays]) -> PaperDays:
    return jobs.call(reproduction.many_days, PAPER, count, progress=report)


def _scatter() -> None:
    days = days_so_far()
    drawn = cache.picture(partial(figures.distribution_figure, days), "distribution", len(days))
    chart(drawn, key="distribution")
    with st.container(border=True):
        st.markdown(f"**The finding.** {_finding(days)} {output.conclusion(days)}")


def theorems() -> None:
    """The two theorems, a correction of the proof, and notes, each with what checks it."""
    for theorem in THEOREMS:
        with st.container(border=True):
            _note(theorem._replace(words=f"**{theorem.title}.** {theorem.words}"))
    for note in (PROOF, *_notes()):
        lazy_expander(note.title, partial(_note, note), ":material/edit_note:")


def _note(note: Note) -> None:
    st.markdown(note.words)
    for formula in note.formulas:
        st.latex(formula)
    if note.after:
        st.markdown(note.after)
    checked(note.checks)


def checked(checks: Mapping[str, str]) -> None:
    """What tests of the lab hold; which they are on hover."""
    words = "Checked, each by a test of the lab:\n" + items(list(checks))
    st.markdown(words, help=items([f"`tests/{test}`" for test in checks.values()]))


def choices() -> None:
    """What the paper leaves open, and what we chose."""
    outcomes = _study()
    names = [choice.name for choice in OPEN_CHOICES]
    chosen = url_select("The paper leaves open", names, "paper:choice")
    _look_closer(OPEN_CHOICES[names.index(chosen)], outcomes)
    st.subheader("Every other answer", anchor=False)
    _table(outcomes)
    st.caption(
        f"RMSRE: expected, the mean of the same {STREETS} streets for every answer. On average, and on one "
        f"day (for {LEVEL_WORDS} of days): by how much the naive error is above Blowfish's. Steps dropping: "
        "in how many steps Algorithm 1 drops houses. Least noise: Blowfish's smallest scale over the naive "
        "one. To 2a and to 2b: the root mean square distance to the published curve. Scatter: of mean "
        "consumption from step to step."
    )


@cache.shared()
def _study() -> list[OptionOutcome]:
    """Computed once for all visitors, with progress."""
    words = "Computing every alternative …"
    bar = st.progress(0.0, words)
    outcomes = study(lambda done: bar.progress(done, words))
    bar.empty()
    return outcomes


def _table(outcomes: Sequence[OptionOutcome]) -> None:
    numbers = st.column_config.NumberColumn
    st.dataframe(
        output.alternatives_frame(outcomes),
        hide_index=True,
        height="content",
        placeholder="—",
        alt="Expected RMSRE, and what else every other answer to an open question gives, one row each.",
        column_config={
            "Answer": st.column_config.TextColumn(pinned=True, width=170),
            **{style.label(name): numbers(format="%.3e") for name in MECHANISMS},
            "Steps dropping": numbers(format="%.0f"),
            "Least noise": numbers(format="%.3f"),
            "To 2a": numbers(format="%.4f"),
            "To 2b": numbers(format="%.4f"),
            "Scatter": numbers(format="%.4f"),
        },
    )


def _look_closer(choice: Choice, outcomes: Sequence[OptionOutcome]) -> None:
    """One open question: what the paper says, which numbers to compare, and the curves."""
    mine = [o for o in outcomes if o.choice.name == choice.name]
    leak = f"{_leak()} " if choice.name == NOISE_QUESTION else ""
    st.markdown(f"{choice.silence} {leak}See the column *{choice.judged_by}* below.")
    for outcome in mine:
        if outcome.problem:
            st.warning(f"{outcome.option.name}: {outcome.problem}", icon=":material/block:")
    chart(cache.picture(partial(_picture, choice, mine), "rivals", choice.name), key="rivals")
    with st.container(horizontal=True):
        for outcome in mine:
            _explore(outcome)


def _picture(choice: Choice, mine: Sequence[OptionOutcome]) -> Picture:
    """What one rate tells where the noise is in question; else expected occupancy by every answer."""
    if choice.name == NOISE_QUESTION:
        return figures.state_dependent_figure(
            most_exposed(draw_day(PAPER).street), PAPER.epsilon, PAPER.alpha
        )
    curves = {
        (f"{o.option.name} (ours)" if o.ours else o.option.name): o.headline.occupancy
        for o in mine
        if o.headline
    }
    _, theirs, _ = published.figure2()
    return figures.alternatives_figure(curves, theirs, cache.day(PAPER))


def _explore(outcome: OptionOutcome) -> None:
    """A button that makes the answer the scenario in use, where the scenario can say it."""
    option = outcome.option
    if not outcome.headline or outcome.ours or not option.is_scenario:
        return
    if st.button(f"Explore “{option.name}”", icon=":material/open_in_new:", key=f"open:{option.name}"):
        lab().open(option.make(), DEFAULT_PRESET)
        st.switch_page("app.py")


def fairness() -> None:
    """Whose work this is, what its authors say themselves, and a street on which they win."""
    st.subheader("In fairness to the paper", anchor=False)
    with st.container(border=True):
        st.markdown(f"{output.CITATION} What they say themselves:\n{items(output.CAVEATS)}")
        st.markdown(_win())
        if st.button(f"Explore “{WINS.capitalize()}”", icon=":material/open_in_new:", key="open:wins"):
            lab().open(PRESETS[WINS], WINS)
            st.switch_page("app.py")


PARTS = {"Choices": choices, "Theorems": theorems}


def readings() -> None:
    """How the paper's text is read; an older link says which part by the name of its tab."""
    old = lab().chosen("paper:tab")
    part = url_segmented(
        "How we read the text", list(PARTS), "paper:reading", default=old if old in PARTS else None
    )
    PARTS[part]()
