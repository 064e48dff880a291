"""The Explore screen: one day, every rate, what privacy cost."""

import streamlit as st

from pages.ui import cached, sidebar, state
from pages.ui.show import chart
from pages.ui.takeaway import takeaway
from rtp.figures import style
from rtp.figures.timeline import VIEWS, alt_text, day_figure
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED, YARDSTICK, private
from rtp.metrics import conventional
from rtp.simulation import Day
from rtp.tradeoff import one_day_range
from rtp.words import LIMITS, headline, noise_story, total_budget

AT_FIRST = (UNPROTECTED, FEATURED, YARDSTICK)


def metrics(day: Day, baseline: Day | None) -> None:
    """The error of every mechanism against naive or the pinned run, and the day's whole budget."""
    with st.grid(len(private()) + 1, min_column_width=150):
        ranges = one_day_range(day)
        for name in private():
            metric(name, day, baseline, *ranges[name])
        st.metric(
            "Budget for the day",
            f"ε·T = {total_budget(day):g}",
            delta=f"{total_budget(day) - total_budget(baseline):+g} to pinned" if baseline else None,
            delta_color="off",
            delta_arrow="off",
            help=f"ε = {day.scenario.epsilon:g} at each of {day.scenario.steps} steps; Theorem 2 adds up.",
            border=True,
            height="stretch",
        )


def metric(name: str, day: Day, baseline: Day | None, low: float, high: float) -> None:
    release = day.release[name]
    rival, words = (baseline.release[name], "pinned") if baseline else (day.release[YARDSTICK], YARDSTICK)
    change = release.rmsre / rival.rmsre - 1 if rival.rmsre else 0.0
    st.metric(
        f"{style.label(name)} RMSRE",
        f"{release.rmsre:.3e}",
        delta=f"{change:+.1%} to {words}" if baseline or name != YARDSTICK else "the yardstick",
        delta_color="inverse" if baseline or name != YARDSTICK else "off",
        delta_arrow="auto" if baseline or name != YARDSTICK else "off",
        help=(
            f"{REGISTRY[name].promise}\n\nExpected {release.expected_rmsre:.3e}; 95 % of single days lie "
            f"between {low:.3e} and {high:.3e}. With the mean inside the root: "
            f"{conventional(release.rmsre, day.scenario.steps):.2%} of the rate in a typical step."
        ),
        border=True,
        height="stretch",
    )


scenario = sidebar.begin(
    "Explore", "One day of a street whose electricity price is public: what privacy costs."
)
day = cached.day(scenario)
pinned = state.baseline()
baseline = cached.day(pinned) if pinned else None

metrics(day, baseline)
with st.container(horizontal=True, vertical_alignment="bottom"):
    shown = st.pills(
        "Rates",
        list(REGISTRY),
        selection_mode="multi",
        default=AT_FIRST,
        format_func=style.label,
        key="shown",
        persist_state="session",
        wrap=True,
    )
    view = st.segmented_control(
        "View", VIEWS, default=VIEWS[0], required=True, key="view", persist_state="session"
    )
    if baseline:
        st.button("Unpin", icon=":material/keep_off:", on_click=state.unpin, help="Forget the pinned run")
    st.button(
        "Pin this run", icon=":material/keep:", on_click=state.pin, help="Keep this run as a dotted baseline"
    )

order = [name for name in REGISTRY if name in (shown or ())]
chart(day_figure(day, order, view or VIEWS[0], baseline), alt_text(day, order, view or VIEWS[0]), key="day")

with st.container(border=True):
    st.subheader("What this day says", anchor=False)
    st.write(headline(day))
    st.markdown("**Noise of the Blowfish rate**\n" + "".join(f"\n- {line}" for line in noise_story(day)))
with st.expander("The promise, word for word", icon=":material/shield:"):
    for name in private():
        mechanism = REGISTRY[name]
        st.markdown(f"**{mechanism.label}.** {mechanism.promise} It relies on {mechanism.relies_on}.")
    st.markdown("**What it does not cover**\n" + "".join(f"\n- {line}" for line in LIMITS))
    st.latex(
        r"r = \alpha Z + \beta \qquad \hat r = r + \mathrm{Lap}(\lambda/\varepsilon) \qquad "
        r"\lambda = \alpha \max_{h \in \kappa} u_h"
    )
with st.expander("Take it away, or bring it back", icon=":material/download:", key="section:takeaway"):
    takeaway(day)
