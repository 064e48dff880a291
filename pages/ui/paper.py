"""The pictures and numbers of the Paper screen."""

import streamlit as st

from pages.ui.show import chart
from rtp.figures import paper as figures
from rtp.figures import style
from rtp.paper import published
from rtp.paper.alternatives import Outcome, study
from rtp.paper.picture import blur_weight, blurred, inside
from rtp.paper.reproduction import FIRST_DAYS, MECHANISMS, PAPER, Days, chance_apart, many_days, rmse, say
from rtp.simulation import Day
from rtp.statistics import spread


@st.cache_resource(show_spinner="Simulating the first days …", max_entries=1)
def first_days() -> Days:
    """Few enough to be there at once."""
    return many_days(PAPER, FIRST_DAYS)


@st.cache_resource
def _shelf() -> dict[str, list[Outcome]]:
    return {}


def alternatives() -> list[Outcome]:
    """Every alternative, computed once for all visitors, with progress."""
    shelf, key = _shelf(), PAPER.to_json()
    if key not in shelf:
        words = "Computing every alternative …"
        bar = st.progress(0.0, words)
        shelf[key] = study(lambda done: bar.progress(done, words))
        bar.empty()
    return shelf[key]


def run_metrics(day: Day) -> None:
    """One run beside the published numbers."""
    _, occupancy, consumption = published.figure2()
    with st.grid(4, min_column_width=150):
        _metric("Distance to 2a", f"{rmse(day.occupancy, occupancy):.4f}", "RMSE of this run")
        _metric("Distance to 2b", f"{rmse(day.consumption, consumption):.4f}", "RMSE of this run")
        for name, number in figures.PRINTED.items():
            release = day.release[name]
            _metric(
                f"{style.label(name)} RMSRE",
                say(release.rmsre, ".3e"),
                f"published {number.text}",
                f"Luck removed: {say(release.expected_rmsre, '.3e')}.",
            )


def _metric(label: str, value: str, beside: str, help: str | None = None) -> None:
    st.metric(
        label,
        value,
        delta=beside,
        delta_color="off",
        delta_arrow="off",
        help=help,
        border=True,
        height="stretch",
    )


def figure_2(day: Day, days: Days, view: str) -> None:
    """The paper's three pictures, side by side where there is room."""
    _, occupancy, consumption = published.figure2()
    with st.grid(3, min_column_width=320):
        for key, words, figure, ours, theirs in (
            ("2a", "Mean occupancy", figures.mean_occupancy(day, days), day.occupancy, occupancy),
            ("2b", "Mean consumption", figures.mean_consumption(day, days), day.consumption, consumption),
        ):
            with st.container():
                st.markdown(f"**{key} · {words}**")
                chart(figure, figures.curve_alt(words, ours, theirs, rmse(ours, theirs)), key=key)
        with st.container():
            st.markdown("**2c · Calculated rates**")
            chart(figures.calculated_rates(day, view), figures.rates_alt(day, view), key="2c")
    st.caption(_picture_words(days))


def _picture_words(days: Days) -> str:
    _, occupancy, consumption = published.figure2()
    weight, steps = blur_weight(days), len(occupancy)
    mean = days.occupancy.mean(axis=0)
    return (
        f"The published curves lie in the 95 % range of {len(days):,} of our days at "
        f"{inside(days.occupancy, occupancy)} (2a) and {inside(days.consumption, consumption)} (2b) of "
        f"{steps} steps. They were read off a picture that blurs steep edges: with "
        f"{say(weight, '.0%')} of either neighbour mixed into every step, fitted to 2a, it is "
        f"{inside(blurred(days.occupancy, weight), occupancy)} and "
        f"{inside(blurred(days.consumption, weight), consumption)}, and the distance of our mean curve to "
        f"2a falls from {rmse(mean, occupancy):.4f} to {rmse(blurred(mean, weight), occupancy):.4f}."
    )


def luck(days: Days) -> None:
    """How one day's RMSRE is spread, and how often luck alone makes the published difference."""
    limit = published.NAIVE_EXCESS
    above = days.excess(luck=True)
    with st.grid(4, min_column_width=150):
        for name in MECHANISMS[:2]:
            apart = chance_apart(days.errors(name), limit)
            _metric(
                f"{style.label(name)}, two runs",
                say(apart.value, ".0%"),
                f"{published.EXCESS.text} or more apart",
                f"The chance that two runs of the same mechanism differ by {published.EXCESS.text} or more, "
                f"over all pairs of days; 95 % interval {say(apart.low, '.0%')} to {say(apart.high, '.0%')}.",
            )
        _metric(
            "Naive worse",
            say(float((above >= limit).mean()), ".0%"),
            _by(),
            "The share of days, each mechanism with noise of its own.",
        )
        _metric(
            "Blowfish worse",
            say(float((1 / (1 + above) - 1 >= limit).mean()), ".0%"),
            _by(),
            "The share of days, each mechanism with noise of its own.",
        )
    ranges = [spread(days.errors(name)) for name in MECHANISMS]
    chart(figures.distribution(days), figures.distribution_alt(days, ranges), key="distribution")


def _by() -> str:
    return f"by {published.EXCESS.text} or more"
