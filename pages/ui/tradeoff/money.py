"""What privacy costs in money: the generator's profit and everybody's bill."""

from functools import partial

import streamlit as st

from pages.ui.cache import bills_of, cached
from pages.ui.show import chart, metric
from pages.ui.widgets import url_segmented
from rtp.core.stats import LEVEL_WORDS, Range
from rtp.figures import style
from rtp.figures.tradeoff import change_figure
from rtp.mechanisms import private
from rtp.money.bills import MONTH, group_frame
from rtp.money.summary import MoneyRuns, Summary, loss_words, money_of_runs, simulate_runs, summarise
from rtp.scenario import Scenario
from rtp.scenario.units import amount, bare_amount
from rtp.simulation import Day, street_key

SPANS = {"A day": 1.0, f"A month ({MONTH} days)": float(MONTH)}
PROFIT = "At these rates: r̂·Z − J(Z), the negative of what the generator minimises."
UNITS = "Money is in the scenario's units, a rate times a step's consumption."
MISMATCH = "Serving a demand that the published price does not fit: Σ(r̂ − r)²/2α, never negative."


def cost_of_privacy(day: Day) -> None:
    """One mechanism's money, beside the optimal rates."""
    with st.container(horizontal=True):
        mechanism = url_segmented("Published rates", private(), "money:mechanism", style.label)
        span = url_segmented("Over", list(SPANS), "money:span")
    key = day.scenario.to_json(None)
    own = bills_of(day)[mechanism]
    runs = cached("luck", f"{key} {mechanism}", partial(_runs, day, mechanism), "Drawing other days …")
    found = summarise(day, mechanism, own, runs, SPANS[span])
    _metrics(found, loss_words(day, mechanism, found), day.scenario)
    chart(change_figure(found, mechanism, span.lower(), day.scenario), "money:change")
    st.caption(_words(found, day.scenario))
    if len(day.scenario.groups) > 1:
        st.markdown("**By group**: the scenario's own bills")
        st.table(group_frame(day, own, SPANS[span]))


def _metrics(found: Summary, loss: str, scenario: Scenario) -> None:
    with st.grid(3, min_column_width=200):
        _money("Generator's profit", found.profit, PROFIT, scenario)
        _money("Loss of profit", found.loss, loss, scenario)
        _money("Cost of the mismatch", found.mismatch, MISMATCH, scenario)
    paid = f"The mean bill at optimal rates is {amount(found.mean_bill, scenario)}."
    with st.grid(4, min_column_width=150):
        for label, value in found.bills.items():
            _money(label, value, paid, scenario)


def _money(label: str, shown: Range, help: str, scenario: Scenario) -> None:
    low, high = bare_amount(shown.low), bare_amount(shown.high)
    metric(label, amount(shown.value, scenario), f"{LEVEL_WORDS}: {low} to {high}", help)


def _runs(day: Day, mechanism: str) -> MoneyRuns:
    """The lives are drawn once, whatever the budget and the tariff."""
    lived = cached(
        "lived again", street_key(day.scenario), partial(simulate_runs, day.street_day), weight="heavy"
    )
    return money_of_runs(day, mechanism, lived)


def _words(found: Summary, scenario: Scenario) -> str:
    lived = "day" if scenario.days == 1 else f"{scenario.days} days"
    more = f"{found.paying_more:.0%} of households pay more"
    units = "" if scenario.currency or scenario.power_unit else f" {UNITS}"
    if found.own:
        shown = (
            f"Numbers and bars: the scenario's own {lived}; {more}. Ranges and the line: {found.runs} "
            "independent repetitions of it"
        )
    else:
        shown = (
            f"Numbers: the mean of {found.runs} such spans, in which every day has luck of its own; {more}. "
            "Ranges and the line: all of these; bars: one of them"
        )
    return (
        f"{shown}, on the same street, with other lives and other noise, bills followed for "
        f"{found.followed:,} households spread over it.{units}"
    )
