"""The groups of the street: named, counted, bounded, removed and added.

The groups' houses add up to the street. While someone types, they need not: what was typed is kept as a draft
and shown, the street stays as it was, and the user is asked. Nothing is rescaled unless the user says so.
"""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import streamlit as st

from pages.ui import cache
from pages.ui.cache import picture
from pages.ui.lab import REMOVED
from pages.ui.number import number_field
from pages.ui.session import lab, press
from pages.ui.show import chart
from pages.ui.street.houses import table
from pages.ui.widgets import number, text
from rtp.core.formatting import in_markdown
from rtp.figures import households as figures
from rtp.mechanisms import FEATURED
from rtp.output.roster import noise_words
from rtp.scenario import BOUNDS, MAX_GROUPS, Bounds, Group, Scenario, edit
from rtp.scenario.consumption import law_words
from rtp.simulation import street_key
from rtp.simulation.day import loudest_house
from rtp.street.draw import group_sizes

DRAFT = "counts draft"
COUNT = Bounds(0, int(BOUNDS["households"].high), "Houses")


class Counts(NamedTuple):
    applied: tuple[int, ...]  # the street's
    typed: tuple[int, ...]  # the same, or a draft that does not add up


def counts_of(scenario: Scenario) -> Counts:
    """A draft belongs to the counts_of from which it started: others, as after Undo, end it."""
    applied = tuple(group_sizes([group.share for group in scenario.groups], scenario.households))
    draft: Counts | None = lab().memo.get(DRAFT)
    return draft if draft and draft.applied == applied else Counts(applied, applied)


def _count_field(group: int, now: Counts, *, disabled: bool) -> None:
    number_field(
        COUNT.words,
        now.typed[group],
        partial(_type, lab().parts, group),
        COUNT,
        key=lab().part_key(f"number:count:{group}"),
        disabled=disabled,
        help="How many of the street's houses. They apply once they add up to all of them.",
    )


def _ask(now: Counts) -> None:
    """What does not add up, and what to do about it."""
    if now.typed == now.applied:
        st.empty()  # its place: what moves is made anew by the browser, with what is being typed
        return
    street, total = sum(now.applied), sum(now.typed)
    with st.container(border=True, key="counts do not add up"):
        st.warning(
            f"The groups add up to {total:,} houses, and the street has {street:,}: it still has "
            f"{_listed(now.applied)}. Type on, or:",
            icon=":material/balance:",
        )
        with st.container(horizontal=True):
            st.button(
                f"Make it a street of {total:,}",
                icon=":material/check:",
                on_click=_apply,
                args=(now.typed,),
                disabled=not BOUNDS["households"].low <= total <= BOUNDS["households"].high,
            )
            if total:
                scaled = group_sizes([each / total for each in now.typed], street)
                st.button(
                    f"Share out {street:,} in these proportions: {_listed(scaled)}",
                    icon=":material/percent:",
                    on_click=_apply,
                    args=(scaled,),
                )
            st.button("Keep the street's", icon=":material/undo:", on_click=_forget)


def _listed(houses: Sequence[int]) -> str:
    return ", ".join(f"{each:,}" for each in houses)


def _type(parts: int, group: int, count: float) -> None:
    here = lab()
    if parts != here.parts:
        here.refused = REMOVED
        return
    now = counts_of(here.scenario)
    typed = (*now.typed[:group], int(count), *now.typed[group + 1 :])
    if sum(typed) == sum(now.applied):
        _apply(typed)
    else:
        lab().memo[DRAFT] = Counts(now.applied, typed)


def _apply(houses: Sequence[int]) -> None:
    _forget()
    lab().change(edit.set_counts, houses)


def _forget() -> None:
    lab().memo.pop(DRAFT, None)


RANGES = {
    "occupied_min": "Peak from",
    "occupied_max": "Peak to",
    "empty_min": "Standby from",
    "empty_max": "Standby to",
}
MEANS = (
    "**Peak** is the most that a house can use while someone is at home, **standby** while nobody is. "
    "A group's houses vary between the two numbers."
)
LISTED = "The table of houses says how many there are, and what each can use."


def groups(scenario: Scenario) -> None:
    """A row for each group, the table they can come from, and the bounds that were drawn."""
    day = cache.day(scenario)
    st.subheader(in_markdown(noise_words(day)), anchor=False)
    st.caption(f"{MEANS} Both are in {scenario.power_unit}." if scenario.power_unit else MEANS)
    now = counts_of(scenario)
    with st.container(key="group-rows", gap="xsmall"):
        for g, group in enumerate(scenario.groups):
            _group(scenario, g, group, now)
    _ask(now)
    if scenario.houses:
        st.caption(LISTED)
    if scenario.has_laws:
        st.caption(law_words([group.name for group in scenario.groups if group.law]))
        st.button(
            "Use uniformly up to the bounds",
            icon=":material/horizontal_rule:",
            on_click=lab().change,
            args=(edit.without_laws,),
            help="As in the paper. Undo brings the distributions back.",
        )
    st.button(
        "Add a group",
        key="add group",
        icon=":material/add:",
        disabled=len(scenario.groups) == MAX_GROUPS,
        on_click=press,
        args=(lab().change, edit.add_group, len(scenario.groups) - 1),
        help="It starts with the peak, standby and habits of the last group, and half of its houses. They "
        "vary from half to all of both.",
    )
    table(day)
    setter = loudest_house(day.release[FEATURED])
    make = partial(figures.bounds_figure, day, setter)
    chart(picture(make, "bounds", street_key(scenario), setter), key="bounds")


def _group(scenario: Scenario, g: int, group: Group, now: Counts) -> None:
    """A name three tracks wide, then five numbers and a button of two each."""
    alone, listed = len(scenario.groups) == 1, scenario.houses is not None
    row = st.grid(15, min_column_width=33, vertical_alignment="bottom", gap=("xsmall", "xxsmall"))
    here = lab()
    save = partial(here.change_part, here.parts, edit.set_group_field, g)
    with row.cell(column_span=3):
        text(group.name, partial(save, "name"), key=here.part_key(f"group:{g}"), label="Group")
    with row.cell(column_span=2):
        _count_field(g, now, disabled=alone or listed)
    for name, words in RANGES.items():
        with row.cell(column_span=2):
            number(
                name,
                getattr(group, name),
                partial(save, name),
                key=here.part_key(f"{name}:{g}"),
                label=words,
                disabled=listed,
            )
    row.cell(column_span=2).button(
        "Remove",
        key=here.part_key(f"remove group:{g}"),
        icon=":material/delete:",
        disabled=alone,
        on_click=press,
        args=(here.change_parts, here.parts, edit.remove_group, g),
        help=f"Remove {group.name}: the group before it takes its houses; before the first, the next.",
    )
