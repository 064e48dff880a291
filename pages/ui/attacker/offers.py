"""What to try, each one click away: a street of few houses, and the strongest attack, which is announced."""

from functools import partial

import streamlit as st

from pages.ui.attacker.controls import KNOWLEDGE, RATE, Watched, known, without_budget
from pages.ui.attacker.house import followed
from pages.ui.cache import cached
from pages.ui.lab import Lab
from pages.ui.session import lab
from rtp.attack.success import strongest
from rtp.attack.words import strongest_words
from rtp.mechanisms import UNPROTECTED
from rtp.scenario import Scenario, edit
from rtp.simulation import Day

FEW = 5
BEFORE, RATE_BEFORE = "attacker:before", "attacker:rate before"
SHRINK = f"Let her see the unprotected rate of {FEW} houses only: how soon does she know who is at home?"
BACK = f"Which of {FEW} houses can still deny being at home? And what if she saw the calibrated rate?"


def shrink(scenario: Scenario) -> str:
    """The button, and the words that go with it."""
    here = lab()
    before: Scenario | None = here.memo.get(BEFORE) if scenario.households == FEW else None
    if before:
        st.button(
            f"Back to {before.households:,} houses", icon=":material/undo:", on_click=_back, args=(here,)
        )
        return BACK
    st.button(
        f"Shrink to {FEW} houses",
        icon=":material/compress:",
        on_click=_shrink,
        args=(here,),
        disabled=scenario.households <= FEW,
    )
    return SHRINK


def _shrink(here: Lab) -> None:
    if here.scenario.households <= FEW:  # a second click
        return
    here.memo[BEFORE], here.memo[RATE_BEFORE] = here.scenario, here.chosen(RATE)
    here.show(RATE, UNPROTECTED)
    here.change(edit.of_size, FEW)


def _back(here: Lab) -> None:
    """The houses as they were, listed ones too; whatever else was changed since stays."""
    if before := here.memo.pop(BEFORE, None):
        here.show(RATE, here.memo.pop(RATE_BEFORE))
        here.change(Scenario.replace, households=before.households, houses=before.houses)


def try_this(day: Day, watched: Watched) -> None:
    house = followed(day, watched.house)
    key = f"{without_budget(day.scenario)} {house} {watched.inference}"
    found = cached("strongest", key, partial(strongest, day, house, watched.inference), weight="heavy")
    with st.container(horizontal=True):
        words = shrink(day.scenario)
        if watched.adversary == "outsider":
            _button("Let her know what everyone else used", ":material/bolt:", "others")
        elif "model" in known(day.scenario):
            _button("Back to the model only", ":material/undo:", "model")
    st.markdown(f"**Try this.** {words} {strongest_words(found, watched.adversary == 'insider')}")


def _button(words: str, icon: str, knows: str) -> None:
    st.button(words, key=f"strongest:{knows}", icon=icon, on_click=lab().show, args=(KNOWLEDGE, knows))
