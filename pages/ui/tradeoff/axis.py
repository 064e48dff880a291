"""Which parameter of the scenario a map varies, and over which range."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial

import streamlit as st

from pages.ui.params import ANY_NUMBER, MAP_VALUES
from pages.ui.session import lab
from pages.ui.widgets import select, url_number
from rtp.scenario import Scenario
from rtp.sweep.whatif import span, values, varied

NONE = "none"
SLOTS = ("first", "second")
ENDS = ("From", "To")


def axis(
    scenario: Scenario, slot: str, first: str | None, taken: Collection[str]
) -> dict[str, Mapping[str, object]]:
    """The parameter and its values; nothing where none is chosen, which the first axis does not offer."""
    offered: dict[str | None, str] = {a: words for a, words in varied(scenario).items() if a not in taken}
    if first is None:
        offered = {None: NONE, **offered}
    chosen: str | None = lab().setting(f"map:{slot}", first)
    address = chosen if chosen in offered else next(iter(offered))
    with st.grid(4, min_column_width=150, vertical_alignment="bottom"):
        label, save = f"{slot.capitalize()} parameter", partial(_choose, slot)
        select(label, list(offered), address, offered.__getitem__, save, key=f"map:{slot}")
        if address is None:
            return {}
        low, high = (
            url_number(ANY_NUMBER._replace(words=label), end, f"map:{slot}:{label}", width="stretch")
            for label, end in zip(ENDS, span(scenario, address), strict=True)
        )
        count = url_number(MAP_VALUES, 8 if first else 6, f"map:{slot}:count", width="stretch")
    return {address: values(low, high, int(count))}


def _choose(slot: str, address: str | None) -> None:
    """Another parameter has a range of its own."""
    here = lab()
    here.show(f"map:{slot}", address)
    for end in ENDS:
        here.show(f"map:{slot}:{end}", None)


def keep_ranges(grid: Mapping[str, Sequence[object]]) -> None:
    """Let the map's ranges stay as they were run, whatever scenario comes."""
    here = lab()
    for slot, points in zip(SLOTS, grid.values(), strict=False):
        for end, value in zip(ENDS, (points[0], points[-1]), strict=True):
            here.show(f"map:{slot}:{end}", value)
