"""One moment, the crowd, a whole day: what rates tell, the noise a crowd needs, ways to promise a day."""

from functools import partial

import streamlit as st

from pages.ui import cache, pool
from pages.ui.overtime.controls import Watched
from pages.ui.session import lab
from pages.ui.show import Point, chart, clickable, csv
from pages.ui.widgets import url_number, url_segmented
from rtp.core.formatting import plain
from rtp.figures.leakage import composition_figure, crowd_figure, moment_figure, price_figure
from rtp.leakage.budget import BUDGETS, MAX_HOUSE_DAYS, price_of_a_moment
from rtp.leakage.composition import TOTAL, composition_frame, compositions
from rtp.leakage.crowd import USUAL_DELTA, noise_frame, noise_still_needed
from rtp.leakage.moment import giveaway, moment_frame, moment_leakage
from rtp.leakage.words import crowd_words, moment_words
from rtp.mechanisms import REGISTRY
from rtp.metrics import ERROR_MEANS
from rtp.output.words import total_budget
from rtp.simulation import Day

STEP = "overtime:step"


def moment(day: Day, watched: Watched) -> None:
    found = cache.moments(day, *watched)
    chosen: int | None = lab().chosen(STEP)
    step = found.step if chosen is None else min(chosen, day.scenario.steps - 1)
    bounded = REGISTRY[watched.rate].assumes == "bounded" and REGISTRY[watched.rate].adds_noise
    any_use = moment_leakage(day, *watched, any_use=True) if bounded else None
    st.markdown(moment_words(day, found, any_use))
    gives = giveaway(day, watched.rate, int(found.house[step]), step)
    clickable(moment_figure(day, found, step, gives), "overtime:moment", _choose)
    st.caption(
        "**Click a time to see which rates give it away**: the bars say how much less could be learned about "
        "that moment without each of them. Exact for an insider, from the loss really spent on the house at "
        "each step, of several models the worst; each time shows the house that loses most then."
    )
    csv("Moments as CSV", partial(moment_frame, day, found), "moments.csv")
    _price(day)
    with st.expander("The formula", icon=":material/function:"):
        st.latex(r"g(x) = \ln\frac{a_1 e^x + 1 - a_1}{a_0 e^x + 1 - a_0}")
        st.markdown(
            "Each rate's evidence lies within ±e. What the rates before, or after, a moment say of its "
            "neighbour reaches it through g, with a₀ and a₁ the chances that the neighbour is occupied where "
            "the moment is empty, and where it is occupied. Past, own rate and future add up."
        )


def _choose(point: Point) -> None:
    lab().show(STEP, int(point["customdata"][0]))


def _price(day: Day) -> None:
    section = st.expander(
        "What a leak costs", key="overtime:price", on_change="rerun", icon=":material/payments:"
    )
    if not section.open:
        return
    with section:
        if day.scenario.households * day.scenario.days > MAX_HOUSE_DAYS:
            st.caption(
                f"Drawn for streets of up to {MAX_HOUSE_DAYS:,} houses × days; the command line has no limit."
            )
            return
        key = day.scenario.replace(epsilon=1.0).to_json(None)
        make = partial(price_of_a_moment, day.scenario, BUDGETS, street_day=day.street_day)
        found = cache.cached("price", key, make, "Asking every budget …", weight="heavy")
        chart(price_figure(found, day.scenario.steps, day.scenario.epsilon), "overtime:price figure")
        st.caption("Error against the leak of the worst moment, instead of ε: one point per budget.")


DELTAS = (1e-3, USUAL_DELTA, 1e-9)


def crowd(day: Day, watched: Watched) -> None:
    delta = url_segmented(
        "δ — how often the promise may fail", DELTAS, "overtime:delta", plain, default=USUAL_DELTA
    )
    key = f"{day.scenario.to_json(None)} {delta} {watched.house}"
    make = partial(pool.call, noise_still_needed, day, day.scenario.epsilon, delta, house=watched.house)
    found = cache.cached("crowd", key, make, "Adding up the neighbours …")
    st.markdown(crowd_words(found))
    chart(crowd_figure(found, day.scenario.households), "overtime:crowd")
    house = day.scenario.house(found.house, capital=True)
    st.caption(
        f"{house} at {day.scenario.when(found.step)}, among neighbours drawn like this "
        "street's, as likely to be at home as the first model says before any rate is seen. For one rate, "
        "rounded up; over many rates an outsider learns more."
    )
    csv("The crowd as CSV", partial(noise_frame, found), "crowd.csv")
    with st.expander("The formula", icon=":material/function:"):
        st.latex(
            r"\delta(\varepsilon) = \max\left(\int \max(0, f_1 - e^\varepsilon f_0),\ "
            r"\int \max(0, f_0 - e^\varepsilon f_1)\right)"
        )
        st.markdown(
            "f₁ and f₀ are the densities of the rate where the house is occupied and where it is empty."
        )


SUM = "overtime:total"


def whole_day(day: Day) -> None:
    own = min(max(total_budget(day), TOTAL.low), TOTAL.high)
    total = url_number(
        TOTAL, own, SUM, width=240, help="At first what the rates of today add up to by Theorem 2: ε·T."
    )
    key = f"{day.scenario.replace(epsilon=1.0).to_json(None)} {total}"
    found = cache.cached(
        "ways",
        key,
        partial(compositions, day.scenario, total, street_day=day.street_day),
        "Asking every way …",
    )
    chart(composition_figure(found, total, day.scenario.steps), "overtime:ways")
    st.table(composition_frame(found, day.scenario.steps).set_index("Way"))
    st.caption(f"At full use, with noise for the houses that Algorithm 1 protects. {ERROR_MEANS}")
    csv("The ways as CSV", partial(composition_frame, found, day.scenario.steps), "ways.csv")
    with st.expander("The formulas", icon=":material/function:"):
        st.latex(
            r"\text{Theorem 2: } \varepsilon_t = \tfrac{\varepsilon}{T} \qquad "
            r"\text{w-event: } \varepsilon_t = \tfrac{\varepsilon}{w} \qquad "
            r"\text{quilt: } \tfrac{\text{card}}{\varepsilon - e} \qquad "
            r"\text{Gaussian: } \Phi(\tfrac{\mu}{2} - \tfrac{\varepsilon}{\mu}) "
            r"- e^\varepsilon \Phi(-\tfrac{\mu}{2} - \tfrac{\varepsilon}{\mu}) \le \delta"
        )
        st.markdown(
            "ε is the total of the day, T its steps, w those of the window. A quilt is two moments beyond "
            "which nothing more is told; card counts those between, e is what the quilt itself tells. "
            "μ is λ√T over the noise's deviation."
        )
