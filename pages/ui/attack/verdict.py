"""The verdict above the tabs: how often each observer tells a moment, a day and a week away of a house, and
where that shows most."""

import streamlit as st

from pages.ui import cache
from pages.ui.attack.observer import Observer
from pages.ui.session import button, lab
from pages.ui.show import chart, items
from rtp.attack.joint_filter import MAX_JOINT_HOUSES
from rtp.core.formatting import kept_together
from rtp.exposure import Secret
from rtp.figures.leakage import dimmed, verdict_figure
from rtp.mechanisms import UNPROTECTED
from rtp.output.attack import MEASURE, places_words, verdict_words
from rtp.scenario import LIBRARY, Scenario

SMALL = "tiny street"
LAST = "verdict:last"  # what was said and drawn last
MOMENT: list[Secret] = ["moment"]
AWAY: list[Secret] = ["day", "week"]


def verdict(scenario: Scenario, observer: Observer) -> None:
    """The claim and its picture; until there are others, the last ones stay, dimmed."""
    claim, aside = st.columns([4, 1], vertical_alignment="center")
    with aside:
        found = _found(scenario, observer.house)
        if found and scenario.households > MAX_JOINT_HOUSES:
            button(
                "Tiny street",
                "attack:small",
                "compress",
                lab().open,
                LIBRARY[SMALL].scenario,
                SMALL,
                help="Five houses take the place of your street; Undo brings it back.",
            )
    if not found:
        nothing = "Looking for the house that shows most …", verdict_figure({}, [], scenario)
        words, drawn = lab().extras.get(LAST, nothing)
        claim.markdown(f"## :gray[{words}]")
        chart(dimmed(drawn), "verdict")
        return
    words = kept_together(verdict_words(found, observer.private, scenario))
    drawn = verdict_figure(found, [UNPROTECTED, observer.private], scenario)
    lab().extras[LAST] = words, drawn
    claim.markdown(f"## {words}", help=items(MEASURE))
    chart(drawn, "verdict")
    st.caption(places_words(found, observer.private, scenario))


def _found(scenario: Scenario, house: int | None) -> cache.Told:
    """What has been found of this street or house so far, a moment first. No budget and no rate moves it."""
    found: cache.Told = {}
    for secrets in (MOMENT, AWAY):
        if (seen := cache.exposures("verdict", [scenario], secrets, house)) is None:
            break
        found |= seen[0]
    return found
