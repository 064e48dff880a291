"""Which rate she sees, what she knows, which house and moment are looked at."""

from typing import NamedTuple

import streamlit as st

from pages.ui.player import Pace, Player, time_slider
from pages.ui.session import lab
from pages.ui.widgets import url_house, url_segmented, url_select
from rtp.attack.adversary import BY_HORIZON, BY_KNOWLEDGE, QUICK, AdversaryKind, Inference
from rtp.attack.words import KNOWS
from rtp.figures import style
from rtp.mechanisms import REGISTRY
from rtp.scenario import Scenario

LONGEST = 100_000  # the same, up to which she follows one house knowing the model only
HORIZONS: dict[Inference, str] = {"filtering": "the rates so far", "smoothing": "the whole day"}
WORST = "the worst"
RATE, HOUSE, KNOWLEDGE = "attacker:rate", "attacker:house", "attacker:knows"


class Watched(NamedTuple):
    rate: str
    adversary: AdversaryKind
    house: int | None  # None: the most exposed
    inference: Inference
    model: str | None  # None: the worst


def controls(scenario: Scenario) -> Watched:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        rate = url_select("The rate she sees", list(REGISTRY), RATE, style.label, width=190)
        house = _house(scenario)
        knows = url_segmented(
            "She knows",
            known(scenario),
            KNOWLEDGE,
            _knows_words,
            help="The model: habits and bounds of every house. Everyone else's consumption too: what is left "
            "is one house and the noise.",
        )
        horizon = url_segmented(
            "She judges by",
            list(BY_HORIZON),
            "attacker:horizon",
            _horizon_words,
            help="What she knows about a moment when it comes, or at the end of its day.",
        )
        model = _model(scenario)
    if not follows_all(scenario):
        st.caption(_one_house_only(scenario))
    return Watched(rate, BY_KNOWLEDGE[knows], house, BY_HORIZON[horizon], model)


def _model(scenario: Scenario) -> str | None:
    """The model she believes in, where there are several; None is the worst."""
    if len(scenario.models) == 1:
        return None
    chosen = url_select(
        "The model she believes",
        [WORST, *scenario.model_names],
        "attacker:model",
        width=190,
        help="The worst: the one under which the rates move her beliefs furthest from what that model alone "
        "says, on average over the day and the houses she follows.",
    )
    return None if chosen == WORST else chosen


def known(scenario: Scenario) -> list[str]:
    """What she may know, where there is time to follow it."""
    return list(BY_KNOWLEDGE) if size(scenario) <= LONGEST else ["others"]


def _knows_words(knows: str) -> str:
    return KNOWS[BY_KNOWLEDGE[knows]]


def _horizon_words(horizon: str) -> str:
    return HORIZONS[BY_HORIZON[horizon]]


def _one_house_only(scenario: Scenario) -> str:
    words = (
        f"Beyond {QUICK:,} houses × days × models she follows one house: without a pick the one whose "
        "mean use differs most between its states."
    )
    if size(scenario) <= LONGEST:
        return words
    return f"{words} Beyond {LONGEST:,} she is followed only as one who knows everyone else's consumption."


def _house(scenario: Scenario) -> int | None:
    return url_house(
        HOUSE,
        scenario,
        empty="the most exposed",
        help="Empty: the house about which this rate tells her most.",
    )


def follows_all(scenario: Scenario) -> bool:
    return size(scenario) <= QUICK


def size(scenario: Scenario) -> int:
    return scenario.households * scenario.days * len(scenario.models)


def without_budget(scenario: Scenario) -> str:
    """All that a rate without noise depends on: one key for whoever looks at another ε."""
    return scenario.replace(epsilon=1.0).to_json(None)


PACE = Pace(tick=1.0, stride=2, forgotten=10.0)


def cursor() -> Player:
    here: Player = lab().memo.setdefault("attacker:cursor", Player(PACE, "attacker:step"))
    return here


def chosen_step(scenario: Scenario, label: str) -> int:
    return time_slider(cursor(), label, label, scenario.steps, scenario.when)
