"""α and β by the prices that a typical day shall have, or of a measured load."""

from functools import partial

import streamlit as st

from pages.ui import jobs, show
from pages.ui.number import number_field
from pages.ui.session import lab
from rtp.core.formatting import in_markdown
from rtp.meters import read
from rtp.money.prices import HIGHEST, LOWEST, typical_prices, with_price, with_prices
from rtp.output.prices import SHOWN_DIGITS, measured_words, outside_words
from rtp.scenario import ScenarioError
from rtp.scenario.spreadsheet import MAX_BYTES
from rtp.scenario.units import unit
from rtp.simulation import Day

UPLOAD, REFUSED, MEASURED = "upload:load", "load refused", "load measured"


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
                partial(here.change, with_price, key),
                bounds,
                key=f"number:{key}",
                width=190,
                help="Of a typical day, without noise. It sets α and β; the other price stays, or moves in "
                "proportion where this one passes it.",
            )
        with st.popover("Measured load", icon=":material/show_chart:"):
            help = "Times and kW: α and β then have the two prices beside this on its mean day."
            show.upload("The feeder's load (CSV)", ["csv", "txt", "gz"], UPLOAD, MAX_BYTES, _measured)
            st.caption(help)
            if sentence := here.memo.get(REFUSED):
                st.error(sentence, icon=":material/error:")
    st.caption(in_markdown(outside_words(day, low, high)))
    tariff, sentence = here.memo.get(MEASURED, (None, ""))
    if tariff == (scenario.alpha, scenario.beta):
        st.caption(in_markdown(sentence))


def _measured(name: str, content: bytes | str) -> None:
    """What is refused stays said until another file is loaded."""
    here = lab()
    here.memo.pop(REFUSED, None)
    raw = content if isinstance(content, bytes) else content.encode()
    try:
        load, prices = jobs.read(read, raw).mean_day(), typical_prices(here.scenario)
        here.open(with_prices(here.scenario, *prices, load))
        made = here.scenario
        here.memo[MEASURED] = (made.alpha, made.beta), measured_words(made, *prices, load)
    except ScenarioError as error:
        here.memo[REFUSED] = in_markdown(f"{name} was not used: {error}")
