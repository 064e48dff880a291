"""How much of the street each group is: counts or shares, as typed.

A scenario's shares sum to one. While someone types, they need not: what was typed is kept as a draft and
shown, the street stays as it was, and the user is asked. Nothing is rescaled unless the user says so.
"""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import streamlit as st

from pages.ui import state
from pages.ui.number import number_field
from rtp.scenario import BOUNDS, Bounds, Scenario, edits
from rtp.scenario.habits import TOLERANCE
from rtp.scenario.typed import shown

DRAFT = "shares draft"
WEIGHT = Bounds(0.0, BOUNDS["households"].high, BOUNDS["share"].words)  # a share, or a count of houses


class Weights(NamedTuple):
    applied: tuple[float, ...]  # the scenario's
    typed: tuple[float, ...]  # the same, or a draft that does not add up

    @property
    def total(self) -> float:
        return round(sum(self.typed), edits.DIGITS)


def weights(scenario: Scenario) -> Weights:
    """A draft belongs to the shares from which it started: other shares, as after Undo, end it."""
    applied = tuple(group.share for group in scenario.groups)
    draft: Weights | None = st.session_state.get(DRAFT)
    return draft if draft and draft.applied == applied else Weights(applied, applied)


def field(group: int, now: Weights, *, disabled: bool) -> None:
    number_field(
        WEIGHT.words,
        now.typed[group],
        partial(_type, group),
        WEIGHT,
        key=f"number:share:{group}",
        disabled=disabled,
        help="A share such as 0.3 or 30 %, or a count of houses. They apply once they add up to 1.",
    )


def ask(now: Weights) -> None:
    """What does not add up, and what to do about it."""
    if now.typed == now.applied:
        return
    with st.container(border=True, key="shares do not add up"):
        st.warning(
            f"The shares add up to {shown(now.total)}, not to 1: the street still has "
            f"{', '.join(map(shown, now.applied))}. Type on, or:",
            icon=":material/balance:",
        )
        with st.container(horizontal=True):
            scaled = edits.proportions(now.typed)
            st.button(
                f"Use them as proportions: {', '.join(map(shown, scaled))}",
                icon=":material/check:",
                on_click=_apply,
                args=(scaled,),
                disabled=now.total == 0,
            )
            st.button("Keep the street's", icon=":material/undo:", on_click=_forget)


def _type(group: int, weight: float) -> None:
    now = weights(state.current())
    typed = (*now.typed[:group], weight, *now.typed[group + 1 :])
    if abs(sum(typed) - 1) <= TOLERANCE:
        _apply(typed)
    else:
        st.session_state[DRAFT] = Weights(now.applied, typed)


def _apply(shares: Sequence[float]) -> None:
    _forget()
    state.edit(edits.set_shares, shares)


def _forget() -> None:
    st.session_state.pop(DRAFT, None)
