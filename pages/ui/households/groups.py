"""Groups of households: name, count, bound, remove and add them."""

from functools import partial

import streamlit as st

from pages.ui.households import counts
from pages.ui.session import lab
from pages.ui.widgets import number, text
from rtp.scenario import BOUNDS, MAX_GROUPS, Group, Scenario, edit
from rtp.scenario.consumption import law_words
from rtp.scenario.units import titled

RANGES = ("occupied_min", "occupied_max", "empty_min", "empty_max")
LISTED = "The table of houses below says how many there are, and what each can use."


def groups(scenario: Scenario, shown: int) -> None:
    st.subheader("Groups", anchor=False)
    now = counts.counts(scenario)
    for g, group in enumerate(scenario.groups):
        with st.container(border=True), st.grid(7, min_column_width=112, vertical_alignment="bottom"):
            _group(scenario, g, group, now)
    counts.ask(now)
    if scenario.houses:
        st.caption(LISTED)
    if scenario.has_laws:
        st.caption(law_words([group.name for group in scenario.groups if group.law]))
        st.button(
            "Use uniformly up to the bounds",
            icon=":material/horizontal_rule:",
            on_click=lab().change,
            args=(edit.without_laws,),
            help="As in the paper. Undo brings the laws back.",
        )
    st.button(
        "Add a group",
        icon=":material/add:",
        disabled=len(scenario.groups) == MAX_GROUPS,
        on_click=lab().change,
        args=(edit.add_group, shown),
        help="It starts with the bounds and habits of the group shown above, and half of its houses.",
    )


def _group(scenario: Scenario, g: int, group: Group, now: counts.Counts) -> None:
    alone, listed = len(scenario.groups) == 1, scenario.houses is not None
    here = lab()
    save = partial(here.change_part, here.parts, edit.set_group_field, g)
    text(group.name, partial(save, "name"), key=here.part_key(f"group:{g}"), label="Group")
    counts.field(g, now, disabled=alone or listed)
    for name in RANGES:
        number(
            name,
            getattr(group, name),
            partial(save, name),
            key=here.part_key(f"{name}:{g}"),
            label=titled(BOUNDS[name].words, scenario, "power"),
            disabled=listed,
        )
    st.button(
        "Remove",
        key=here.part_key(f"remove group:{g}"),
        icon=":material/delete:",
        disabled=alone,
        on_click=here.change_parts,
        args=(here.parts, edit.remove_group, g),
        help="The group before it takes its houses; before the first, the next.",
    )
