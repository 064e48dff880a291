"""Which rate she sees, what she knows, and which house is looked at."""

from typing import NamedTuple

import streamlit as st

from pages.ui import view
from pages.ui.bound import bind
from pages.ui.show import from_list, one_of
from rtp.attacker.observer import Knowledge
from rtp.figures import style
from rtp.mechanisms import FEATURED, REGISTRY
from rtp.scenario import Scenario

QUICK = 2_000  # houses × days × models that she follows while one waits
KNOWS: dict[Knowledge, str] = {"model": "the model only", "others": "everyone else's consumption"}
RATE, HOUSE = "attacker:rate", "attacker:house"


class Watched(NamedTuple):
    rate: str
    knows: Knowledge
    house: int | None  # None: the most exposed


def controls(scenario: Scenario) -> Watched:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        rate = from_list("The rate she sees", list(REGISTRY), RATE, style.label, first=FEATURED, width=190)
        house = _house(scenario)
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


def _house(scenario: Scenario) -> int | None:
    chosen: view.Fact[int | None] = view.fact(HOUSE, None)
    there = chosen.value is not None and chosen.value < scenario.households
    house = chosen.value if there else None
    here = bind(HOUSE, house, chosen.commit)
    st.number_input(
        "House",
        0,
        scenario.households - 1,
        house,
        key=here.key,
        on_change=here.changed,
        placeholder="the most exposed",
        help="Empty: the house about which this rate tells her most.",
        width=190,
    )
    return house


def follows_all(scenario: Scenario) -> bool:
    return scenario.households * scenario.days * len(scenario.models) <= QUICK
