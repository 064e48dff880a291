"""The ways to promise a whole day at one total: noise, error, what is hidden and from whom."""

from functools import partial

import streamlit as st

from pages.ui import cache
from pages.ui.show import chart, csv
from pages.ui.widgets import url_number
from rtp.figures.leakage import composition_figure
from rtp.leakage.composition import TOTAL, composition_frame, compositions
from rtp.metrics import ERROR_MEANS
from rtp.output.words import total_budget
from rtp.simulation import Day

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
