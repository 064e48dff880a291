"""Which rate she sees, what she knows, and which house is looked at."""

from typing import NamedTuple

import streamlit as st

from pages.ui.show import one_of
from rtp.attacker.observer import Knowledge
from rtp.figures import style
from rtp.mechanisms import FEATURED, REGISTRY
from rtp.scenario import Scenario

QUICK = 2_000  # houses × days × models that she follows while one waits
KNOWS: dict[Knowledge, str] = {"model": "the model only", "others": "everyone else's consumption"}
RATE = "attacker:rate"


class Watched(NamedTuple):
    rate: str
    knows: Knowledge
    house: int | None  # None: the most exposed


def controls(scenario: Scenario) -> Watched:
    st.session_state.setdefault(RATE, FEATURED)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        rate = st.selectbox(
            "The rate she sees",
            list(REGISTRY),
            format_func=style.label,
            key=RATE,
            persist_state="session",
            width=190,
        )
        house = st.number_input(
            "House",
            0,
            scenario.households - 1,
            None,
            key="attacker:house",
            placeholder="the most exposed",
            persist_state="session",
            help="Empty: the house about which this rate tells her most.",
            width=190,
        )
        knows = one_of(
            "She knows",
            list(KNOWS),
            "attacker:knows",
            KNOWS.__getitem__,
            help="The model: habits and bounds of every house; of several models the one that is worst for "
            "privacy. Everyone else's consumption too: what is left is one house and the noise.",
        )
    if not follows_all(scenario):
        st.caption(
            f"Beyond {QUICK:,} houses × days × models she follows one house, knowing everyone else's "
            "consumption: without a pick the one whose two bounds differ most."
        )
    return Watched(rate, knows, house)


def follows_all(scenario: Scenario) -> bool:
    return scenario.households * scenario.days * len(scenario.models) <= QUICK
