"""Which parameter of the scenario a map varies, and over which range."""

from collections.abc import Collection, Mapping

import streamlit as st

from pages.ui import view
from pages.ui.number import number_field
from pages.ui.remembered import asked, from_list
from rtp.scenario import Bounds, Scenario
from rtp.sweep.whatif import span, values, varied

MOST_VALUES = 25
NONE = "none"
ANY = Bounds(-1e12, 1e12, "Any number")  # a parameter's own bounds are the map's to refuse


def axis(
    scenario: Scenario, slot: str, first: str | None, taken: Collection[str]
) -> dict[str, Mapping[str, object]]:
    """The parameter and its values; nothing where none is chosen, which the first axis does not offer."""
    offered: dict[str | None, str] = {a: words for a, words in varied(scenario).items() if a not in taken}
    if first is None:
        offered = {None: NONE, **offered}
    key = f"map:{slot}"
    with st.grid(4, min_column_width=150, vertical_alignment="bottom"):
        address = from_list(
            f"{slot.capitalize()} parameter", list(offered), key, offered.__getitem__, first=first
        )
        if address is None:
            return {}
        ends = span(scenario, address)
        low, high = (
            _end(f"{key}:{label}:{address}", label, end)
            for label, end in zip(("From", "To"), ends, strict=True)
        )
        values_of = Bounds(2, MOST_VALUES, "Values")
        count = asked(values_of, 8 if first else 6, f"{key}:count", width="stretch")
    return {address: values(low, high, count)}


def _end(key: str, label: str, value: float) -> float:
    end = view.fact(key, value)
    view.put(key, end.value)  # the range stays while a point of the map is loaded
    number_field(label, end.value, end.commit, ANY._replace(words=label), key=f"number:{key}")
    return end.value
