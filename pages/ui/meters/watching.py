"""An observer at one house of the feeder, on the rates of the replay."""

from collections.abc import Sequence

import streamlit as st

from pages.ui.session import lab
from pages.ui.show import chart
from pages.ui.widgets import url_segmented, url_select
from rtp.attack.adversary import BY_KNOWLEDGE, QUICK
from rtp.attack.words import KNOWS, method_words
from rtp.figures.meters import watched_figure
from rtp.meters import Replay
from rtp.meters.answer import WORST_MEANS, watched_frame, watched_words
from rtp.meters.watching import Watched, watch

HELD = "meters:watching"


def watching(found: Replay, key: str, rates: Sequence[str]) -> None:
    """What she makes of the rates that are shown; `key` tells this replay from others."""
    st.subheader("An observer at one house", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        house = url_select(
            "House", list(range(len(found.houses))), "meters:watched", found.houses.__getitem__, width=200
        )
        knows = url_segmented("She knows", _known(found), "meters:knows", _knows_words)
    if not rates:
        st.caption("Choose a rate to see what it tells.")
        return
    seen = _watched(found, f"{key} {house} {knows} {list(rates)}", found.houses[house], knows, rates)
    st.markdown(watched_words(seen))
    chart(watched_figure(seen), "meters:watched")
    st.table(watched_frame(seen))
    how = method_words(
        next(iter(seen.seen.values())), has_distributions=seen.day.street.distributions is not None
    )
    st.caption(f"{WORST_MEANS} {how} Over the first four weeks, or the span.")


def _known(found: Replay) -> list[str]:
    """An outsider follows all houses: offered where one can wait for it."""
    quick = len(found.houses) * found.pieces[0].scenario.days <= QUICK
    return ["others", "model"] if quick else ["others"]


def _knows_words(knows: str) -> str:
    return KNOWS[BY_KNOWLEDGE[knows]]


def _watched(found: Replay, key: str, house: str, knows: str, rates: Sequence[str]) -> Watched:
    """Kept by the session alone, as the readings are."""
    kept: tuple[str, Watched] | None = lab().memo.get(HELD)
    if kept is None or kept[0] != key:
        with st.spinner("Reading every rate …"):
            kept = (key, watch(found, house, knows=knows, mechanisms=rates))
        lab().memo[HELD] = kept
    return kept[1]
