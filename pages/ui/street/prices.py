"""α and β by the prices that a typical day shall have, or of a measured load."""

from functools import partial

import streamlit as st

from pages.ui import jobs, show
from pages.ui.number import number_field
from pages.ui.session import lab
from rtp.core.formatting import in_markdown
from rtp.meters import read
from rtp.money.prices import HIGHEST, LOWEST, typical_prices, with_prices
from rtp.output.prices import SHOWN_DIGITS, outside_words
from rtp.scenario import Scenario, ScenarioError
from rtp.scenario.house_table import MAX_BYTES
from rtp.scenario.units import unit
from rtp.simulation import Day

UPLOAD, REFUSED = "upload:load", "load refused"


def prices(day: Day) -> None:
    """The lowest and the highest price of a typical day, which make α and β; how often others come."""
    scenario, here = day.scenario, lab()
    low, high = (float(f"{each:.{SHOWN_DIGITS}g}") for each in typical_prices(scenario))
    measured = unit(scenario, "rate")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for bounds, value, key in ((LOWEST, low, "lowest"), (HIGHEST, high, "highest")):
            number_field(
                f"{bounds.words} ({measured})" if measured else bounds.words,
                value,
                partial(here.change, _with, key, low, high),
                bounds,
                key=f"number:{key}",
                width=190,
                help="Of a typical day, without noise. It sets α and β; the other price stays.",
            )
        with st.popover("Measured load", icon=":material/show_chart:"):
            help = "Times and kW: α and β then have these prices on its mean day."
            show.upload("The feeder's load (CSV)", ["csv", "txt", "gz"], UPLOAD, MAX_BYTES, _measured)
            st.caption(help)
            if sentence := here.memo.get(REFUSED):
                st.error(sentence, icon=":material/error:")
    st.caption(in_markdown(outside_words(day, low, high)))


def _with(scenario: Scenario, which: str, low: float, high: float, price: float) -> Scenario:
    return with_prices(scenario, price, high) if which == "lowest" else with_prices(scenario, low, price)


def _measured(name: str, content: bytes | str) -> None:
    """What is refused stays said until another file is loaded."""
    here = lab()
    here.memo.pop(REFUSED, None)
    raw = content if isinstance(content, bytes) else content.encode()
    try:
        load = jobs.read(read, raw).mean_day()
        here.open(with_prices(here.scenario, *typical_prices(here.scenario), load))
    except ScenarioError as error:
        here.memo[REFUSED] = in_markdown(f"{name} was not used: {error}")
