"""What privacy costs in money: the generator's profit and everybody's bill."""

from collections.abc import Callable, Mapping

import numpy as np
import streamlit as st

from pages.ui.show import chart
from rtp.arrays import Floats
from rtp.figures import style
from rtp.figures.money import change_figure
from rtp.mechanisms import FEATURED, UNPROTECTED, private
from rtp.money.bills import MONTH, Bills, bills, generator
from rtp.money.luck import Luck, other_noise
from rtp.simulation import Day
from rtp.statistics import middle

SPANS = {"A day": 1.0, f"A month ({MONTH} days)": float(MONTH)}
PROFIT = "At these rates: r̂·Z − J(Z), the negative of what the generator minimises."
LOSS = "Against the optimal rates. Centred noise takes as often as it gives."
MISFIT = "Serving a demand that the published price does not fit: Σ(r̂ − r)²/2α, never negative."


@st.cache_resource(max_entries=8, show_spinner="Writing everybody's bill …")
def _bills(key: str, _day: Day) -> Mapping[str, Bills]:
    return bills(_day)


@st.cache_resource(max_entries=16, show_spinner="Drawing other noise …")
def _luck(key: str, mechanism: str, _day: Day) -> Luck:
    return other_noise(_day, mechanism)


def amount(value: float) -> str:
    """Money in the scenario's units."""
    return (f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}").replace("-", "−")


def cost_of_privacy(day: Day) -> None:
    """One mechanism's money, beside the optimal rates."""
    with st.container(horizontal=True):
        mechanism = st.segmented_control(
            "Published rates", private(), default=FEATURED, format_func=style.label, required=True,
            key="money:mechanism", persist_state="session",
        ) or FEATURED  # fmt: skip
        over = st.segmented_control(
            "Over", list(SPANS), default=next(iter(SPANS)), required=True, key="money:span",
            persist_state="session",
        ) or next(iter(SPANS))  # fmt: skip
    key = day.scenario.to_json(None)
    own, luck = _bills(key, day)[mechanism], _luck(key, mechanism, day)
    account, change = generator(day), own.change(SPANS[over])
    times = SPANS[over] / day.scenario.days
    others = luck.change * times
    of_houses: dict[str, tuple[float, Callable[[Floats], Floats]]] = {
        "Bill, mean change": (change.mean, lambda c: np.mean(c, axis=0)),
        "Median change": (change.median, lambda c: np.median(c, axis=0)),
        "95th percentile": (change.p95, lambda c: np.quantile(c, 0.95, axis=0)),
        "Worst household": (change.worst, lambda c: np.max(c, axis=0)),
    }
    paid = f"The mean bill at optimal rates is {own.optimal.mean() * times:,.4g}."
    now, best = account[mechanism], account[UNPROTECTED]
    with st.grid(3, min_column_width=200):
        _metric("Generator's profit", now.profit * times, (best.profit - luck.loss) * times, PROFIT)
        _metric("Loss of profit", now.loss * times, luck.loss * times, LOSS)
        _metric("Cost of misfit", now.mismatch * times, luck.mismatch * times, MISFIT)
    with st.grid(4, min_column_width=150):
        for label, (value, summary) in of_houses.items():
            _metric(label, value, summary(others), paid)
    span = over.lower()
    chart(
        change_figure(own.difference * times, others.ravel(), mechanism, span, luck.days),
        f"Distribution of the change of {len(own.optimal):,} bills over {span}: "
        f"mean {amount(change.mean)}, median {amount(change.median)}, "
        f"95th percentile {amount(change.p95)}, worst {amount(change.worst)}.",
        "money:change",
    )
    st.caption(
        f"Numbers and bars: the scenario's own noise over {_days(day.scenario.days)}; "
        f"{change.paying_more:.0%} of households pay more. Ranges and the dashed line: {luck.days} draws of "
        f"other noise for the same demand, bills followed for {len(luck.change):,} households spread over "
        "the street. Money is in the scenario's units, a rate times a step's consumption. A month repeats "
        f"this luck and so is the widest case: with Days at {MONTH} in the sidebar every day has its own."
    )


def _days(count: int) -> str:
    return "one day" if count == 1 else f"{count} days"


def _metric(label: str, value: float, others: Floats, help: str) -> None:
    low, high = middle(others)
    st.metric(
        label,
        amount(value),
        delta=f"95 %: {amount(float(low))} to {amount(float(high))}",
        delta_color="off",
        delta_arrow="off",
        help=help,
        border=True,
        height="stretch",
    )
