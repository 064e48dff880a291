"""What privacy costs in money: the generator's profit and everybody's bill."""

from functools import partial

import streamlit as st

from pages.ui.cache import cached
from pages.ui.show import chart, metric
from pages.ui.widgets import url_segmented
from rtp.core.formatting import percent
from rtp.core.stats import LEVEL_WORDS, Range
from rtp.figures import style
from rtp.figures.tradeoff import change_figure
from rtp.mechanisms import private
from rtp.money.bills import MONTH
from rtp.money.summary import (
    Summary,
    group_frame,
    loss_words,
    money_of_runs,
    profit_words,
    simulate_runs,
    summarise,
)
from rtp.scenario import Scenario
from rtp.scenario.units import amount, bare_amount
from rtp.simulation import Day, street_key

SPANS = {"A day": 1.0, f"A month ({MONTH} days)": float(MONTH)}
PROFIT = "At these rates: r̂·Z − J(Z), the negative of what the generator minimises."
UNITS = "Money is in the scenario's units, a rate times a step's consumption."
WORST_TENTH = "The tenth of the households whose bill rises most, on average."
PAYING_MORE = "At the published rates instead of the optimal ones, on average."
MISMATCH = "Serving a demand that the published price does not fit: Σ(r̂ − r)²/2α, never negative."


def cost_of_privacy(day: Day) -> None:
    """One mechanism's money, beside the optimal rates."""
    with st.container(horizontal=True):
        mechanism = url_segmented("Published rates", private(), "money:mechanism", style.label)
        span = url_segmented("Over", list(SPANS), "money:span")
    key = day.scenario.to_json(None)
    summary = cached(
        "luck",
        f"{key} {mechanism} {span}",
        partial(_summary, day, mechanism, span),
        "Simulating other days …",
    )
    _metrics(summary, loss_words(day, mechanism, summary), day.scenario)
    chart(change_figure(summary, mechanism, span.lower(), day.scenario), "money:change")
    st.caption(_words(summary, day.scenario))
    if len(summary.groups) > 1:
        st.markdown("**By group**")
        st.table(group_frame(summary, day.scenario))


def _metrics(summary: Summary, loss: str, scenario: Scenario) -> None:
    with st.grid(3, min_column_width=200):
        _money("Generator's profit", summary.profit, PROFIT, scenario)
        less = Range(-summary.loss.value, -summary.loss.high, -summary.loss.low)
        _money("The utility earns", less, loss, scenario, profit_words(summary, scenario))
        _money("Cost of the mismatch", summary.mismatch, MISMATCH, scenario)
    bills = summary.bills
    with st.grid(3, min_column_width=150):
        paid = f"The mean bill at optimal rates is {amount(bills.bill, scenario)}."
        _money("Bill, mean change", bills.mean, paid, scenario)
        _money("Bill, worst tenth", bills.worst, WORST_TENTH, scenario)
        metric("Households that pay more", percent(bills.paying_more, 2), None, PAYING_MORE)


def _money(label: str, shown: Range, help: str, scenario: Scenario, value: str = "") -> None:
    low, high = bare_amount(shown.low), bare_amount(shown.high)
    metric(label, value or amount(shown.value, scenario), f"{LEVEL_WORDS}: {low} to {high}", help)


def _summary(day: Day, mechanism: str, span: str) -> Summary:
    """The other days are simulated once, whatever the budget and the tariff."""
    runs = cached(
        "lived again", street_key(day.scenario), partial(simulate_runs, day.street_day), weight="heavy"
    )
    return summarise(day, money_of_runs(day, mechanism, runs), SPANS[span])


def _words(summary: Summary, scenario: Scenario) -> str:
    units = "" if scenario.currency or scenario.power_unit else f" {UNITS}"
    return (
        f"Every number is the mean of {summary.spans} repetitions on the same street, with other occupancy "
        f"and other noise. {LEVEL_WORDS} of them fall into the range. Bills are followed for "
        f"{len(summary.weight):,} households spread over it.{units}"
    )
