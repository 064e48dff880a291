"""Groups of households: name, weigh, bound, remove and add them; shares always sum to one."""

from functools import partial

import streamlit as st

from pages.ui import state
from pages.ui.fields import edit_group, edit_share, number, text
from rtp.scenario import MAX_GROUPS, Group, Scenario, edits


def groups(scenario: Scenario, shown: int) -> None:
    st.subheader("Groups", anchor=False)
    for g, group in enumerate(scenario.groups):
        with st.container(border=True), st.grid(5, min_column_width=140, vertical_alignment="bottom"):
            _group(g, group, alone=len(scenario.groups) == 1)
    st.button(
        "Add a group",
        icon=":material/add:",
        disabled=len(scenario.groups) == MAX_GROUPS,
        on_click=state.edit,
        args=(edits.add_group, shown),
        help="It starts with the bounds and habits of the group shown above.",
    )


def _group(g: int, group: Group, alone: bool) -> None:
    text(group.name, partial(edit_group, g, "name"), key=f"group:{g}", label="Group")
    number("share", group.share, partial(edit_share, g), key=f"share:{g}", disabled=alone)
    for name in ("occupied_max", "empty_max"):
        number(name, getattr(group, name), partial(edit_group, g, name), key=f"{name}:{g}")
    st.button(
        "Remove",
        key=f"remove group:{g}",
        icon=":material/delete:",
        disabled=alone,
        on_click=state.edit,
        args=(edits.remove_group, g),
    )
