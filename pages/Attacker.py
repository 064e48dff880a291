"""The Attacker screen: what an observer learns from the published rates, and whether the promise holds."""

import streamlit as st

from pages.ui import attacker, audit, cached, sidebar

scenario = sidebar.begin(
    "Attacker", "What an observer of the rates learns about each house, and whether the promise holds."
)
day = cached.day(scenario)
attacker.try_this(scenario)
rate, knows, house = attacker.controls(scenario)
if not attacker.follows_all(scenario):
    st.caption(
        f"Beyond {attacker.QUICK:,} houses × days × models she follows one house, knowing everyone else's "
        "consumption: without a pick the one whose two bounds differ most."
    )
one, well, street, promise = st.tabs(
    ["One house", "How well does she do?", "The street", "The audit"], key="attacker:tab", on_change="rerun"
)
if promise.open:
    with promise:
        audit.audit(day)
else:
    seen = attacker.watch(day, rate, knows, house)
    with well if well.open else street if street.open else one:
        if well.open:
            audit.how_well(day, seen)
        elif street.open:
            attacker.street(day, seen)
        else:
            column = attacker.column_of(seen, house)
            st.markdown(attacker.who(day, seen, column))
            attacker.one_house(day, seen, column)
        attacker.download(day, seen)
