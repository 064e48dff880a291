"""The tab of what rates reveal over time: of a moment, in a crowd, and over a whole day. That of a holiday is
in `holiday`."""

from functools import partial

import streamlit as st

from pages.ui import cache, jobs
from pages.ui.attack.holiday import holiday
from pages.ui.attack.observer import Observer, answered, before_progress
from pages.ui.session import lab
from pages.ui.show import Point, chart, clickable, csv, number_of, table
from pages.ui.sidebar import link_to
from pages.ui.widgets import url_number, url_segmented, url_tabs
from rtp.core.formatting import power_of_ten
from rtp.core.parallel import Progress
from rtp.figures.leakage import composition_figure, crowd_figure, moment_figure
from rtp.figures.style import Picture
from rtp.leakage.composition import TOTAL, Composition, composition_frame, compositions
from rtp.leakage.crowd import USUAL_DELTA, NoiseBySize, noise_frame, noise_still_needed
from rtp.leakage.moment import MomentLeakage, giveaway, moment_frame, moment_leakage
from rtp.mechanisms import REGISTRY
from rtp.metrics import ERROR_MEANS
from rtp.output.leakage import FORMULAS, assumed_words, crowd_help, crowd_words, moment_words
from rtp.output.words import total_budget
from rtp.scenario import DEFAULT_PRESET, LIBRARY
from rtp.simulation import Day

MOMENT, HOLIDAY, CROWD, DAY = FORMULAS
SEEN = {MOMENT: "restless houses", HOLIDAY: DEFAULT_PRESET, CROWD: "whole town", DAY: "steady houses"}
PAPERS_HOLIDAY = "At the paper's own ε an insider sees a week away."
STEP = "overtime:step"
DELTAS = (1e-3, USUAL_DELTA, 1e-9)


def over_time(day: Day, observer: Observer) -> None:
    """What many rates together reveal, by how long the secret lasts; the formula, and an example."""
    tab = url_tabs(
        "overtime:tab",
        {
            MOMENT: partial(moment, day, observer),
            HOLIDAY: partial(holiday, day, observer),
            CROWD: partial(crowd, day, observer),
            DAY: partial(whole_day, day),
        },
    )
    with st.expander("The formula", icon=":material/function:"):
        formula, letters = FORMULAS[tab]
        st.latex(formula)
        st.markdown(letters)
    name = SEEN[tab]
    st.button(
        f"Example: {name}",
        key=f"overtime:example:{tab}",
        icon=":material/home_work:",
        on_click=lab().open,
        args=(LIBRARY[name].scenario, name),
        help=f"{PAPERS_HOLIDAY if tab == HOLIDAY else LIBRARY[name].look_at} It takes the place of your "
        "scenario; Undo brings yours back.",
    )


def moment(day: Day, watched: Observer) -> None:
    rate, house = watched.rate, watched.house
    found = cache.moments(day, rate, house)
    step = min(lab().setting(STEP, found.step), day.scenario.steps - 1)
    bounded = REGISTRY[rate].assumes == "bounded" and REGISTRY[rate].adds_noise
    st.markdown(moment_words(day, found), help=assumed_words(_any_use(day, rate, house) if bounded else None))
    drawn = cache.picture(partial(_moments, day, rate, found, step), "moment", day, rate, house, step)
    clickable(drawn, "overtime:moment", _choose)
    st.caption(
        "**Click a time to see which rates give it away**: bars, what could not be learned without each.",
        help="Exact for an insider, from the privacy loss of the house at each step; of several models the "
        "worst. Each time shows the house that loses most then.",
    )
    csv("Moments as CSV", partial(moment_frame, day, found), "moments.csv")
    link_to("Decide", "What a leak costs", tab="ε for a target error", against="moment")


@cache.shared()
def _any_use(day: Day, rate: str, house: int | None) -> MomentLeakage:
    return jobs.call(moment_leakage, day, rate, house, any_use=True)


def _moments(day: Day, rate: str, found: MomentLeakage, step: int) -> Picture:
    return moment_figure(day, found, step, giveaway(day, rate, int(found.house[step]), step))


def _choose(point: Point) -> None:
    if (step := number_of(point)) is not None:
        lab().show(STEP, int(step))


def crowd(day: Day, watched: Observer) -> None:
    delta = url_segmented(
        "δ — how often the promise may fail", DELTAS, "overtime:delta", power_of_ten, default=USUAL_DELTA
    )
    answered("crowd", _crowd, _noise_needed, day, delta, watched.house)


@cache.shared(key=before_progress)
def _noise_needed(day: Day, delta: float, house: int | None, progress: Progress) -> NoiseBySize:
    return jobs.call(noise_still_needed, day, day.scenario.epsilon, delta, house=house, progress=progress)


def _crowd(day: Day, delta: float, house: int | None, found: NoiseBySize) -> None:
    st.markdown(crowd_words(found), help=crowd_help(day, found))
    chart(crowd_figure(found, day.scenario.households), "overtime:crowd")
    csv("Crowd as CSV", partial(noise_frame, found), "crowd.csv")


def whole_day(day: Day) -> None:
    own = min(max(total_budget(day), TOTAL.low), TOTAL.high)
    hint = "At first the sum of today's budgets by Theorem 2: ε·T."
    total = url_number(TOTAL, own, "overtime:total", width=240, help=hint)
    answered("ways", _ways, _compositions, day, total)


@cache.shared(key=before_progress)
def _compositions(day: Day, total: float, progress: Progress) -> list[Composition]:
    return jobs.call(compositions, day.scenario, total, street_day=day.street_day, progress=progress)


def _ways(day: Day, total: float, found: list[Composition]) -> None:
    chart(composition_figure(found, total, day.scenario.steps), "overtime:ways")
    frame = composition_frame(found, day.scenario.steps)
    table(frame.set_index("Way"))
    st.caption(
        "Noise for the houses that Algorithm 1 protects, at full use.",
        help=f"At full use a house uses its bound or nothing. {ERROR_MEANS}",
    )
    csv("Ways as CSV", lambda: frame, "ways.csv")
