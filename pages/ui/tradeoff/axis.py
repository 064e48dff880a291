"""Which parameter of the scenario a map varies, and over which range."""

from collections.abc import Collection, Mapping

import streamlit as st

from rtp.scenario import Scenario
from rtp.sweep.whatif import span, values, varied

MOST_VALUES = 25
NONE = "none"


def axis(
    scenario: Scenario, slot: str, first: str | None, taken: Collection[str]
) -> dict[str, Mapping[str, object]]:
    """The parameter and its values; nothing where none is chosen, which the first axis does not offer."""
    offered: dict[str | None, str] = {a: words for a, words in varied(scenario).items() if a not in taken}
    if first is None:
        offered = {None: NONE, **offered}
    key = f"map:{slot}"
    if st.session_state.get(key) not in offered:
        st.session_state[key] = first
    with st.grid(4, min_column_width=150, vertical_alignment="bottom"):
        address = st.selectbox(
            f"{slot.capitalize()} parameter",
            list(offered),
            key=key,
            format_func=offered.__getitem__,
            persist_state="session",
        )
        if address is None:
            return {}
        ends = span(scenario, address)
        low, high = (
            _end(f"{key}:{label}:{address}", label, end)
            for label, end in zip(("From", "To"), ends, strict=True)
        )
        count = st.number_input(
            "Values", 2, MOST_VALUES, 8 if first else 6, key=f"{key}:count", persist_state="session"
        )
    return {address: values(low, high, count)}


def _end(key: str, label: str, value: float) -> float:
    st.session_state.setdefault(key, value)
    return st.number_input(label, step=abs(value) / 4 or 0.1, format="%g", key=key, persist_state="session")
