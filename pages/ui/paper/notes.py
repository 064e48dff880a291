"""In fairness to the paper, and notes on what it says beside its theorems."""

import streamlit as st

from pages.ui.cache import cached
from pages.ui.paper.theorems import checked
from pages.ui.session import lab
from pages.ui.show import items
from rtp.paper.remarks import CAVEATS, CITATION, WINS, notes, win, win_words
from rtp.scenario import PRESETS


def fairness() -> None:
    """Whose work this is, what its authors say themselves, and a street on which they win."""
    st.subheader("In fairness to the paper", anchor=False)
    with st.container(border=True):
        st.markdown(f"{CITATION} What they say themselves:\n{items(CAVEATS)}")
        st.markdown(win_words(cached("paper", "win", win)))
        if st.button(f"Explore “{WINS.capitalize()}”", icon=":material/open_in_new:", key="open:wins"):
            lab().open(PRESETS[WINS], WINS)
            st.switch_page("app.py")


def all_notes() -> None:
    """What the paper remarks, held against an example that is computed."""
    st.subheader("Notes, each with a computed example", anchor=False)
    for note in cached("paper", "notes", notes):
        with st.container(border=True):
            st.markdown(f"**{note.title}** {note.words}")
            checked(note.tests)
