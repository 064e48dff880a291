"""What the day says, and the promise, word for word."""

import streamlit as st

from pages.ui.show import items
from rtp.mechanisms import REGISTRY, private
from rtp.simulation import Day
from rtp.words import LIMITS, headline, noise_story


def promise(day: Day) -> None:
    with st.container(border=True):
        st.subheader("What this day says", anchor=False)
        st.write(headline(day))
        st.markdown("**Noise of the Blowfish rate**\n" + items(noise_story(day)))
    with st.expander("The promise, word for word", icon=":material/shield:"):
        for name in private():
            mechanism = REGISTRY[name]
            st.markdown(f"**{mechanism.label}.** {mechanism.promise} It relies on {mechanism.relies_on}.")
        st.markdown("**What it does not cover**\n" + items(LIMITS))
        st.latex(
            r"r = \alpha Z + \beta \qquad \hat r = r + \mathrm{Lap}(\lambda/\varepsilon) \qquad "
            r"\lambda = \alpha \max_{h \in \kappa} u_h"
        )
