"""The matrices of a group's periods, side by side: two cells of each are typed, their complements follow.

A period is one drawing, a 2×2 of rows from and columns to, each cell with a bar as long as its probability
is large, and two fields laid over the cells that are typed: they alone look so. What a field refuses hangs
beneath it and moves nothing (`lab.css`).
"""

from collections.abc import Callable
from html import escape
from itertools import takewhile
from typing import NamedTuple

import streamlit as st

from pages.ui.session import lab
from pages.ui.widgets import bare_number, segmented
from rtp.core.formatting import in_markdown, plain
from rtp.core.time import Weekday, hhmm
from rtp.scenario import BOUNDS, Basis, Habits, Period, Scenario, edit
from rtp.scenario.habits import Moves, moves

BASES: dict[Basis, str] = {"period": "per period", "step": "per step"}
NARROWEST = 150  # pixels of a period, so that four stand side by side on a beamer
_CELLS = ((0, 1, "arrive"), (1, 0, "leave"))  # what else may happen is the rest of the row


class Address(NamedTuple):
    """Of one period in the scenario; those of days that differ are counted after the others."""

    model: int
    group: int
    period: int

    def key(self, name: str, *more: int) -> str:
        return lab().part_key(":".join(map(str, (name, *self, *more))))

    def save(self, change: Callable[..., Period], *args: object) -> Callable[..., None]:
        return lab().part_change(self.put, change, *args)

    def put(self, scenario: Scenario, change: Callable[..., Period], *args: object) -> Scenario:
        """The scenario with this period changed."""
        part = scenario.models[self.model].habits[self.group].all_periods[self.period]
        return edit.put_period(scenario, *self, change(part, *args))


def periods_of(habits: Habits, day: Weekday) -> tuple[tuple[Period, ...], int]:
    """The periods of a weekday, and the number of the first."""
    before = takewhile(lambda field: field != habits.day_field(day), habits.day_kinds())
    return habits.on(day), sum(len(habits.day_kinds()[field]) for field in before)


def matrices(
    scenario: Scenario, model: int, group: int, day: Weekday = "Monday", *, lead: Callable[[], None]
) -> None:
    """The matrices of a group's weekday under a model; `lead` draws what stands before the switch of their
    basis."""
    habits = scenario.models[model].habits[group]
    basis = habits.all_periods[0].basis
    parts, first = periods_of(habits, day)
    with st.container(key="matrices", gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center"):
            lead()
            segmented(
                "Probabilities",
                list(BASES),
                basis,
                BASES.__getitem__,
                lab().part_change(edit.restate, model, group),
                key=lab().part_key(f"basis:{model}:{group}"),
                hidden=True,
                help=f"A step is {scenario.step_minutes} min. The habits stay the same; all periods are "
                "restated.",
            )
        with st.grid(4, min_column_width=NARROWEST, gap="small"):
            for index, part in enumerate(parts):
                end = parts[(index + 1) % len(parts)].start
                named = moves(scenario.occupied_means, part.start, end)
                _matrix(Address(model, group, first + index), part, end, basis, named)


def _matrix(at: Address, part: Period, end: float, basis: Basis, named: Moves) -> None:
    other = "" if part.basis == basis else f" · {BASES[part.basis]}"
    with st.container(key=at.key("matrix"), gap=None):
        st.html(_drawn(part, f"{hhmm(part.start)}–{hhmm(end)}{other}"))
        refused = {
            move: bare_number(
                f"{part.name}: {getattr(named, move)}",
                part.matrix[row][to],
                at.save(edit.set_entry, row, to),
                BOUNDS["matrix"],
                key=f"number:{at.key('cell', row, to)}",
            )
            for row, to, move in _CELLS
        }
        for move, why in refused.items():
            if why:
                with st.container(key=at.key(f"refused:{move}")):
                    st.error(in_markdown(why))


def _drawn(part: Period, hours: str) -> str:
    """All cells with their bar; those that are typed have no text, which is their field's."""
    (stay_empty, arrive), (leave, stay_occupied) = part.matrix
    return (
        f'<div class="lab-matrix"><b>{escape(part.name)}</b><i>{hours}</i>'
        "<s>from \\ to</s><s>empty</s><s>occupied</s>"
        f"<s>empty</s>{_cell(stay_empty)}{_cell(arrive, typed=True)}"
        f"<s>occupied</s>{_cell(leave, typed=True)}{_cell(stay_occupied)}</div>"
    )


def _cell(probability: float, *, typed: bool = False) -> str:
    text = "" if typed else plain(probability, 4)
    kind = ' class="typed"' if typed else ""
    return f'<span{kind} style="--share: {100 * probability:.1f}%">{text}</span>'
