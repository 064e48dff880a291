"""Groups of households: name, weigh, bound, remove and add them."""

from functools import partial

import streamlit as st

from pages.ui import state
from pages.ui.fields import edit_group, number, text
from pages.ui.households import shares
from rtp.scenario import MAX_GROUPS, Group, Scenario, edits


def groups(scenario: Scenario, shown: int) -> None:
    st.subheader("Groups", anchor=False)
    weights = shares.weights(scenario)
    for g, group in enumerate(scenario.groups):
        with st.container(border=True), st.grid(5, min_column_width=140, vertical_alignment="bottom"):
            _group(g, group, weights, alone=len(scenario.groups) == 1)
    shares.ask(weights)
    st.button(
        "Add a group",
        icon=":material/add:",
        disabled=len(scenario.groups) == MAX_GROUPS,
        on_click=state.edit,
        args=(edits.add_group, shown),
        help="It starts with the bounds and habits of the group shown above, and half of its share.",
    )


def _group(g: int, group: Group, weights: shares.Weights, alone: bool) -> None:
    text(group.name, partial(edit_group, g, "name"), key=f"group:{g}", label="Group")
    shares.field(g, weights, disabled=alone)
    for name in ("occupied_max", "empty_max"):
        number(name, getattr(group, name), partial(edit_group, g, name), key=f"{name}:{g}")
    st.button(
        "Remove",
        key=f"remove group:{g}",
        icon=":material/delete:",
        disabled=alone,
        on_click=state.edit,
        args=(edits.remove_group, g),
        help="The group before it takes its share; before the first, the next.",
    )
