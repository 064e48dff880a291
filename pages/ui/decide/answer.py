"""The answer: two questions, one answer, and the page that says why."""

from functools import partial

import streamlit as st

from pages.ui import cache, jobs
from pages.ui.params import ACCEPTED, RATE
from pages.ui.session import lab
from pages.ui.show import csv, download, items, lazy_expander, table, warn_of_prices
from pages.ui.sidebar import link_to
from pages.ui.widgets import offered_rates, url_number, url_segmented
from rtp.core.formatting import plain
from rtp.core.parallel import Progress
from rtp.decision import Decision, decide
from rtp.figures import style
from rtp.mechanisms import FEATURED, REGISTRY, private
from rtp.money.summary import span_frame
from rtp.output import decision as words
from rtp.scenario import Scenario
from rtp.simulation import Day
from rtp.tradeoff.answers import TARGETS, first_target

ANY_EPSILON = 1.0
WHY = "The numbers behind it"


def decision(day: Day) -> None:
    """Two questions, then the answer; it is found again whenever something that it depends on changes."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        first = first_target(day.release[FEATURED].expected_error)
        accepted = url_number(TARGETS, first, ACCEPTED, percents=True, width=240)
        mechanism = url_segmented(
            "The rate you publish",
            offered_rates(day.scenario, RATE, private()),
            RATE,
            style.label,
            default=FEATURED,
        )
    warn_of_prices(day, [mechanism])
    job = jobs.run(
        "decision",
        cache.key_of(day, mechanism, accepted),
        partial(_find, day.scenario, mechanism, accepted),
        "Find the answer",
        auto=True,
    )
    if job is not None and job.result is not None:
        _show(job.result)
    elif (old := jobs.before("decision")) is not None:
        with st.container(key="before"):
            _show(old, old=True)


def _find(scenario: Scenario, mechanism: str, accepted: float, report: jobs.Report[Decision]) -> Decision:
    """The answer does not depend on the scenario's own ε, unless no budget reaches the accepted error."""
    for asked in (scenario.replace(epsilon=ANY_EPSILON), scenario):
        found = _decide(asked, mechanism, accepted, report)
        if found.reached:
            break
    return found


@cache.shared(key=lambda asked, mechanism, accepted, progress: cache.key_of(asked, mechanism, accepted))
def _decide(asked: Scenario, mechanism: str, accepted: float, progress: Progress) -> Decision:
    return jobs.call(decide, asked, mechanism, accepted, progress=progress)


def _show(found: Decision, *, old: bool = False) -> None:
    """The answer; an old one has no way on."""
    st.markdown(f"## {words.answer_sentence(found)}")
    if visible := words.warnings(found):
        st.warning(items(visible), icon=":material/visibility:")
    with st.container(horizontal=True, vertical_alignment="center"):
        epsilon = found.scenario.epsilon
        if REGISTRY[found.mechanism].reads_demand and found.reached:
            st.button(
                f"Use ε = {plain(epsilon)}",
                key="answer:use",
                icon=":material/check:",
                on_click=partial(lab().set, "epsilon", epsilon),
                help="Sets ε on every screen.",
                disabled=old or epsilon == lab().scenario.epsilon,
            )
        download(
            "Report", partial(words.decision_report, found), "answer.html", "text/html", "description",
            help="Two pages that print well; the scenario is attached.",
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


def _why(found: Decision) -> None:
    for name, (title, screen) in words.EXPLAINED.items():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{title}**", width="content")
            if screen != lab().screen:
                link_to(screen, f"More on {screen}")
        table(words.TABLES[name](found))
    st.markdown(f"**What is assumed**\n{items(words.assumptions(found))}")
