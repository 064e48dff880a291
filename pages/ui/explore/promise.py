"""What the day says, and the promise, word for word."""

import streamlit as st

from pages.ui.show import items, lazy_expander
from rtp.mechanisms import FEATURED, REGISTRY, private
from rtp.output.glossary import help_for
from rtp.output.words import LIMITS, day_headline, noise_story
from rtp.simulation import Day


def promise(day: Day) -> None:
    with st.container(border=True):
        title = "What this day says" if day.scenario.days == 1 else f"What these {day.scenario.days} days say"
        st.subheader(title, anchor=False)
        st.markdown(
            f"{day_headline(day)}\n\n**Noise of the {REGISTRY[FEATURED].label} rate**\n"
            f"{items(noise_story(day))}"
        )
    lazy_expander("The promise, word for word", _promises, ":material/shield:")


def _promises() -> None:
    mechanisms = [REGISTRY[name] for name in private()]
    promises = [f"**{m.label}.** {m.promise} It relies on {m.relies_on}." for m in mechanisms]
    st.markdown("\n\n".join([*promises, f"**What it does not cover**\n{items(LIMITS)}"]))
    st.latex(
        r"r = \alpha Z + \beta \qquad \hat r = r + \mathrm{Lap}(\lambda/\varepsilon) \qquad "
        r"\lambda = \alpha \max_{h \in \kappa} u_h",
        help=help_for("ε, κ, λ"),
    )
