"""The promise over time: what all rates together reveal of a moment, and what a whole day may cost."""

from contextlib import nullcontext
from functools import partial

import streamlit as st

from pages.ui import cache, jobs
from pages.ui.attack.observer import Observer
from pages.ui.session import lab
from pages.ui.show import Point, chart, csv, number_of, table
from pages.ui.widgets import url_number
from rtp.figures.leakage import composition_figure, moment_figure
from rtp.figures.style import Picture
from rtp.leakage.composition import TOTAL, Composition, composition_frame, compositions
from rtp.leakage.moment import MomentLeakage, giveaway, moment_frame, moment_leakage
from rtp.mechanisms import REGISTRY
from rtp.metrics import ERROR_MEANS
from rtp.output.attack import FORMULAS, assumed_words, moment_words
from rtp.output.words import total_budget
from rtp.simulation import Day

STEP = "overtime:step"
Ways = tuple[list[Composition], float]  # at which total


def over_time(day: Day, observer: Observer) -> None:
    """Both in one section, each with its formula."""
    drawn = partial(moment, day, observer), partial(whole_day, day)
    for (title, (formula, letters)), part in zip(FORMULAS.items(), drawn, strict=True):
        st.header(title, anchor=False)
        part()
        st.latex(formula)
        st.caption(letters)


def moment(day: Day, watched: Observer) -> None:
    rate, house = watched.rate, watched.house
    found = cache.moments(day, rate, house)
    step = min(lab().setting(STEP, found.step), day.scenario.steps - 1)
    bounded = REGISTRY[rate].assumes == "bounded" and REGISTRY[rate].adds_noise
    st.markdown(moment_words(day, found), help=assumed_words(_any_use(day, rate, house) if bounded else None))
    drawn = cache.picture(partial(_moments, day, rate, found, step), "moment", day, rate, house, step)
    chart(drawn, "overtime:moment", click=_choose)
    st.caption(
        "**Click a time to see which rates give it away**: bars, what could not be learned without each.",
        help="Exact for an insider, from the privacy loss of the house at each step; of several models the "
        "worst. Each time shows the house that loses most then.",
    )
    csv("Moments as CSV", partial(moment_frame, day, found), "moments.csv")


@cache.shared()
def _any_use(day: Day, rate: str, house: int | None) -> MomentLeakage:
    return jobs.call(moment_leakage, day, rate, house, any_use=True)


def _moments(day: Day, rate: str, found: MomentLeakage, step: int) -> Picture:
    return moment_figure(day, found, step, giveaway(day, rate, int(found.house[step]), step))


def _choose(point: Point) -> None:
    if (step := number_of(point)) is not None:
        lab().show(STEP, int(step))


def whole_day(day: Day) -> None:
    own = min(max(total_budget(day), TOTAL.low), TOTAL.high)
    hint = "At first the sum of today's budgets by Theorem 2: ε·T."
    total = url_number(TOTAL, own, "overtime:total", width=240, help=hint)
    work = partial(_compositions, day, total)
    job = jobs.run("ways", cache.key_of(day, total), work, "Compute it", auto=True)
    found = job.result if job is not None else None
    if (shown := found or jobs.before("ways")) is not None:
        with nullcontext() if found else st.container(key="before"):  # an old answer is pale
            _ways(*shown)


def _compositions(day: Day, total: float, report: jobs.Report[Ways]) -> Ways:
    return jobs.call(compositions, day.scenario, total, street_day=day.street_day, progress=report), total


def _ways(found: list[Composition], total: float) -> None:
    chart(composition_figure(found, total), "overtime:ways")
    frame = composition_frame(found)
    table(frame.set_index("Way"))
    st.caption(
        "Noise for the houses that Algorithm 1 protects, at full use.",
        help=f"At full use a house uses its bound or nothing. {ERROR_MEANS}",
    )
    csv("Ways as CSV", lambda: frame, "ways.csv")
