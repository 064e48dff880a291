"""What privacy costs in money: the generator's profit and everybody's bill."""

from functools import partial

import streamlit as st

from pages.ui.cached import kept
from pages.ui.remembered import one_of
from pages.ui.show import chart, metric
from rtp.figures import style
from rtp.figures.money import change_figure
from rtp.mechanisms import private
from rtp.money.bills import MONTH, bills
from rtp.money.luck import other_noise
from rtp.money.summary import Summary, summarise
from rtp.notation import plain
from rtp.simulation import Day
from rtp.statistics import LEVEL_WORDS, Range
from rtp.words import amount

SPANS = {"A day": 1.0, f"A month ({MONTH} days)": float(MONTH)}
PROFIT = "At these rates: r̂·Z − J(Z), the negative of what the generator minimises."
LOSS = "Against the optimal rates. Centred noise takes as often as it gives."
MISMATCH = "Serving a demand that the published price does not fit: Σ(r̂ − r)²/2α, never negative."


def cost_of_privacy(day: Day) -> None:
    """One mechanism's money, beside the optimal rates."""
    with st.container(horizontal=True):
        mechanism = one_of("Published rates", private(), "money:mechanism", style.label)
        span = one_of("Over", list(SPANS), "money:span")
    key = day.scenario.to_json(None)
    own = kept("bills", key, partial(bills, day), "Writing everybody's bill …")[mechanism]
    luck = kept("luck", f"{key} {mechanism}", partial(other_noise, day, mechanism), "Drawing other noise …")
    found = summarise(day, mechanism, own, luck, SPANS[span])
    _metrics(found)
    picture = change_figure(found.changes, found.other_changes, mechanism, span.lower(), found.noise_days)
    chart(picture, "money:change")
    st.caption(_words(found, day.scenario.days))


def _metrics(found: Summary) -> None:
    with st.grid(3, min_column_width=200):
        _money("Generator's profit", found.profit, PROFIT)
        _money("Loss of profit", found.loss, LOSS)
        _money("Cost of the mismatch", found.mismatch, MISMATCH)
    paid = f"The mean bill at optimal rates is {plain(found.mean_bill, 4)}."
    with st.grid(4, min_column_width=150):
        for label, value in found.bills.items():
            _money(label, value, paid)


def _money(label: str, value: Range, help: str) -> None:
    metric(label, amount(value.value), f"{LEVEL_WORDS}: {amount(value.low)} to {amount(value.high)}", help)


def _words(found: Summary, days: int) -> str:
    return (
        f"Numbers and bars: the scenario's own noise over {'one day' if days == 1 else f'{days} days'}; "
        f"{found.paying_more:.0%} of households pay more. Ranges and the dashed line: {found.noise_days} "
        f"draws of other noise for the same demand, bills followed for {found.sampled:,} households spread "
        "over the street. Money is in the scenario's units, a rate times a step's consumption. A month "
        f"repeats this luck and so is the widest case: with Days at {MONTH} in the sidebar every day has its "
        "own."
    )
