"""α and β by the prices that a typical day shall have, or of a measured load."""

from functools import partial

import streamlit as st

from pages.ui import jobs, show
from pages.ui.number import number_field
from pages.ui.session import lab
from rtp.core.formatting import in_markdown
from rtp.meters import read
from rtp.output.tradeoff import measured_words, outside_words
from rtp.scenario import BOUNDS, ScenarioError
from rtp.scenario.spreadsheet import MAX_BYTES
from rtp.scenario.units import unit
from rtp.simulation import Day
from rtp.simulation.prices import prices_of, with_price, with_prices

UPLOAD, REFUSED, MEASURED = "upload:load", "load refused", "load measured"


def prices(day: Day) -> None:
    """The lowest and the highest price of a typical day, which make α and β; how often others come."""
    scenario, here = day.scenario, lab()
    low, high = prices_of(scenario)
    measured = unit(scenario, "rate")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for words, value, key in (("Lowest price", low, "lowest"), ("Highest price", high, "highest")):
            number_field(
                f"{words} ({measured})" if measured else words,
                value,
                partial(here.change, with_price, key),
                BOUNDS["price"]._replace(words=words),
                key=f"number:{key}",
                width=190,
                help="Of a typical day, without noise. α and β follow it, also when the street changes, "
                "until you set one of them. The other price stays, or moves along where this one passes it.",
            )
        with st.popover("Measured load", icon=":material/show_chart:"):
            help = "Times and kW: α and β then have the two prices beside this on its mean day."
            show.upload("The feeder's load (CSV)", ["csv", "txt", "gz"], UPLOAD, MAX_BYTES, _measured)
            st.caption(help)
            if sentence := here.extras.get(REFUSED):
                st.error(sentence, icon=":material/error:")
    st.caption(in_markdown(outside_words(day, low, high)))
    tariff, sentence = here.extras.get(MEASURED, (None, ""))
    if tariff == (scenario.alpha, scenario.beta):
        st.caption(in_markdown(sentence))


def _measured(name: str, content: bytes | str) -> None:
    """What is refused stays said until another file is loaded."""
    here = lab()
    here.extras.pop(REFUSED, None)
    raw = content if isinstance(content, bytes) else content.encode()
    try:
        load, prices = jobs.read(read, raw).mean_day(), prices_of(here.scenario)
        here.open(with_prices(here.scenario, *prices, load))
        made = here.scenario
        here.extras[MEASURED] = (made.alpha, made.beta), measured_words(made, *prices, load)
    except ScenarioError as error:
        here.extras[REFUSED] = in_markdown(f"{name} was not used: {error}")
