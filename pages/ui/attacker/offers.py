"""What to try, each one click away: a street of few houses, and the strongest attack, which is announced."""

from functools import partial

import streamlit as st

from pages.ui.attacker.controls import KNOWLEDGE, Watched, known, without_budget
from pages.ui.attacker.shrink import shrink
from pages.ui.attacker.watch import followed
from pages.ui.cache import cached
from pages.ui.session import lab
from rtp.attack.success import strongest
from rtp.attack.words import strongest_words
from rtp.simulation import Day


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
