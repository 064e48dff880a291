"""The tab of what rates reveal over time: of a moment, in a crowd, and over a whole day. That of a holiday is
in `holiday`."""

from functools import partial

import streamlit as st

from pages.ui import cache, jobs
from pages.ui.attack.holiday import holiday
from pages.ui.attack.observer import Observer
from pages.ui.params import RATE
from pages.ui.session import lab
from pages.ui.show import Point, chart, clickable, csv, number_of, table
from pages.ui.sidebar import link_to
from pages.ui.widgets import url_number, url_segmented, url_tabs
from rtp.core.formatting import power_of_ten
from rtp.figures.leakage import composition_figure, crowd_figure, moment_figure
from rtp.figures.style import Picture
from rtp.leakage.composition import TOTAL, Composition, composition_frame, compositions
from rtp.leakage.crowd import USUAL_DELTA, NoiseBySize, noise_frame, noise_still_needed
from rtp.leakage.moment import MomentLeakage, giveaway, moment_frame, moment_leakage
from rtp.mechanisms import NO_DATA, REGISTRY
from rtp.metrics import ERROR_MEANS
from rtp.output.leakage import assumed_words, crowd_words, moment_words
from rtp.output.words import total_budget
from rtp.scenario import DEFAULT_PRESET, LIBRARY, edit
from rtp.simulation import Day

TAB = "overtime:tab"
FEW = 20
MOMENT, HOLIDAY, CROWD, DAY = "A moment", "A holiday", "The crowd", "A whole day"
FOR_EXPERTS = "Markov quilt", "w-event", "Gaussian"
SEEN = {MOMENT: "restless houses", HOLIDAY: DEFAULT_PRESET, CROWD: "whole town", DAY: "steady houses"}
PAPERS_HOLIDAY = "At the paper's own ε an insider sees a week's holiday."


def over_time(day: Day, observer: Observer) -> None:
    """What many rates together reveal, by how long the secret lasts."""
    tab = url_tabs(
        TAB,
        {
            MOMENT: partial(moment, day, observer),
            HOLIDAY: partial(holiday, day, observer),
            CROWD: partial(crowd, day, observer),
            DAY: partial(whole_day, day),
        },
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("**Try this.**", width="content")
        _try_this(tab)


def _try_this(tab: str) -> None:
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
    st.button(
        "A tenth of ε",
        key="overtime:tenth",
        icon=":material/lock:",
        on_click=_tenth,
        help="A moment is hidden much better. Is a holiday?",
    )
    st.button(
        f"A street of {FEW}",
        key="overtime:few",
        icon=":material/compress:",
        on_click=partial(lab().change, edit.of_size, FEW),
        help="The crowd is gone: an outsider sees almost as much as an insider.",
    )
    st.button(
        "Publish the forecast",
        key="overtime:forecast",
        icon=":material/visibility_off:",
        on_click=partial(lab().show, RATE, NO_DATA),
        help="It looks at no data: nothing can be learned. What that costs is under A whole day.",
    )


def _tenth() -> None:
    lab().set("epsilon", lab().scenario.epsilon / 10)


STEP = "overtime:step"


@cache.shared()
def _any_use(day: Day, rate: str, house: int | None) -> MomentLeakage:
    return jobs.call(moment_leakage, day, rate, house, any_use=True)


def moment(day: Day, watched: Observer) -> None:
    rate, house = watched.rate, watched.house
    found = cache.moments(day, rate, house)
    chosen: int | None = lab().chosen(STEP)
    step = found.step if chosen is None else min(chosen, day.scenario.steps - 1)
    bounded = REGISTRY[rate].assumes == "bounded" and REGISTRY[rate].adds_noise
    st.markdown(moment_words(day, found), help=assumed_words(_any_use(day, rate, house) if bounded else None))
    drawn = cache.picture(partial(_picture, day, rate, found, step), "moment", day, rate, house, step)
    clickable(drawn, "overtime:moment", _choose)
    st.caption(
        "**Click a time to see which rates give it away**: bars, what could not be learned without each.",
        help="Exact for an insider, from the privacy loss of the house at each step; of several models the "
        "worst. Each time shows the house that loses most then.",
    )
    csv("Moments as CSV", partial(moment_frame, day, found), "moments.csv")
    link_to("Decide", "What a leak costs", tab="ε for a target error", against="moment")
    with st.expander("The formula", icon=":material/function:"):
        st.latex(r"g(x) = \ln\frac{a_1 e^x + 1 - a_1}{a_0 e^x + 1 - a_0}")
        st.markdown(
            "Each rate's evidence lies within ±e. The rates before a moment, or after it, are evidence about "
            "its neighbour; g carries that over to the moment. a₀ and a₁ are the probabilities that the "
            "neighbour is occupied if the moment is empty, and if it is occupied. Past, own rate and future "
            "add up."
        )


def _picture(day: Day, rate: str, found: MomentLeakage, step: int) -> Picture:
    gives = giveaway(day, rate, int(found.house[step]), step)
    return moment_figure(day, found, step, gives)


def _choose(point: Point) -> None:
    if (step := number_of(point)) is not None:
        lab().show(STEP, int(step))


DELTAS = (1e-3, USUAL_DELTA, 1e-9)


@cache.shared(spinner="Adding up the neighbours …")
def _noise_needed(day: Day, delta: float, house: int | None) -> NoiseBySize:
    return jobs.call(noise_still_needed, day, day.scenario.epsilon, delta, house=house)


def crowd(day: Day, watched: Observer) -> None:
    delta = url_segmented(
        "δ — how often the promise may fail", DELTAS, "overtime:delta", power_of_ten, default=USUAL_DELTA
    )
    found = _noise_needed(day, delta, watched.house)
    st.markdown(crowd_words(found))
    chart(crowd_figure(found, day.scenario.households), "overtime:crowd")
    house = day.scenario.house(found.house, capital=True)
    st.caption(
        f"{house} at {day.scenario.when(found.step)}, among neighbours like this street's. For one rate; "
        "from many rates an outsider learns more.",
        help="The neighbours are drawn like this street's, and are at home with the first model's "
        "probability before any rate is seen. Rounded up.",
    )
    csv("Crowd as CSV", partial(noise_frame, found), "crowd.csv")
    with st.expander("The formula", icon=":material/function:"):
        st.latex(
            r"\delta(\varepsilon) = \max\left(\int \max(0, f_1 - e^\varepsilon f_0),\ "
            r"\int \max(0, f_0 - e^\varepsilon f_1)\right)"
        )
        st.markdown("f₁ and f₀ are the densities of the rate if the house is occupied and if it is empty.")


SUM = "overtime:total"


@cache.shared(apart_from=("epsilon",), spinner="Computing every way …")
def _ways(day: Day, total: float) -> list[Composition]:
    return compositions(day.scenario, total, street_day=day.street_day)


def whole_day(day: Day) -> None:
    own = min(max(total_budget(day), TOTAL.low), TOTAL.high)
    total = url_number(
        TOTAL, own, SUM, width=240, help="At first the sum of today's budgets by Theorem 2: ε·T."
    )
    found = _ways(day, total)
    plain_ways = [way for way in found if way.name not in FOR_EXPERTS]
    chart(composition_figure(plain_ways, total, day.scenario.steps), "overtime:ways")
    table(composition_frame(plain_ways, day.scenario.steps).set_index("Way"))
    st.caption(
        "Noise for the houses that Algorithm 1 protects, at full use.",
        help=f"At full use a house uses its bound or nothing. {ERROR_MEANS}",
    )
    csv("Ways as CSV", partial(composition_frame, found, day.scenario.steps), "ways.csv")
    with st.expander("For experts", icon=":material/function:"):
        others = [way for way in found if way.name in FOR_EXPERTS]
        table(composition_frame(others, day.scenario.steps).set_index("Way"))
        st.latex(
            r"\text{Theorem 2: } \varepsilon_t = \tfrac{\varepsilon}{T} \qquad "
            r"\text{w-event: } \varepsilon_t = \tfrac{\varepsilon}{w} \qquad "
            r"\text{quilt: } \tfrac{\text{card}}{\varepsilon - e} \qquad "
            r"\text{Gaussian: } \Phi(\tfrac{\mu}{2} - \tfrac{\varepsilon}{\mu}) "
            r"- e^\varepsilon \Phi(-\tfrac{\mu}{2} - \tfrac{\varepsilon}{\mu}) \le \delta"
        )
        st.markdown(
            "ε is the total of the day, T its steps, w those of the window. A quilt is two moments beyond "
            "which nothing more is revealed; card counts the steps between, e is what the quilt itself "
            "reveals. μ is λ√T over the standard deviation of the noise."
        )
