"""How many houses each group has, as typed.

The groups' houses add up to the street. While someone types, they need not: what was typed is kept as a draft
and shown, the street stays as it was, and the user is asked. Nothing is rescaled unless the user says so.
"""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import streamlit as st

from pages.ui.lab import REMOVED
from pages.ui.number import number_field
from pages.ui.session import lab
from rtp.scenario import BOUNDS, Bounds, Scenario, edit
from rtp.street.draw import group_sizes

DRAFT = "counts draft"
COUNT = Bounds(0, int(BOUNDS["households"].high), "Houses")


class Counts(NamedTuple):
    applied: tuple[int, ...]  # the street's
    typed: tuple[int, ...]  # the same, or a draft that does not add up


def counts(scenario: Scenario) -> Counts:
    """A draft belongs to the counts from which it started: others, as after Undo, end it."""
    applied = tuple(group_sizes([group.share for group in scenario.groups], scenario.households))
    draft: Counts | None = lab().memo.get(DRAFT)
    return draft if draft and draft.applied == applied else Counts(applied, applied)


def field(group: int, now: Counts, *, disabled: bool) -> None:
    number_field(
        COUNT.words,
        now.typed[group],
        partial(_type, lab().parts, group),
        COUNT,
        key=lab().part_key(f"number:count:{group}"),
        disabled=disabled,
        help="How many of the street's houses. They apply once they add up to all of them.",
    )


def ask(now: Counts) -> None:
    """What does not add up, and what to do about it."""
    if now.typed == now.applied:
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
    now = counts(here.scenario)
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
