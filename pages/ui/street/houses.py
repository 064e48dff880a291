"""The street's houses one by one: the table that lists them, and what each pays and gives away."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from pages.ui import cache, jobs, show
from pages.ui.params import RATE
from pages.ui.session import button, lab
from pages.ui.versions import versioned
from pages.ui.widgets import offered_rates, select, url_pills, url_segmented
from rtp.core.formatting import in_markdown, kept_together
from rtp.figures import style
from rtp.mechanisms import FEATURED, private
from rtp.output import roster as output
from rtp.scenario import MAX_LISTED, Scenario, ScenarioError, edit
from rtp.scenario.house_table import NO_HABITS, NewGroups, house_frame, read_table
from rtp.scenario.spreadsheet import MAX_BYTES
from rtp.simulation import Day

if TYPE_CHECKING:
    import pandas as pd

UPLOAD, PASTED, _REFUSED, ASKED = "upload:street", "pasted street", "street refused", "street asked"
CHOOSE = ""  # no habits yet
TABLE = "Paste or upload a table"
KINDS = ["csv", "txt", "tsv", "xlsx", "parquet"]


def table(day: Day) -> None:
    """A street by its table, pasted or loaded, and this street's own to take away."""
    st.caption(output.COLUMNS, help=output.NEW_GROUPS)
    typed = lab().extras.get(PASTED, "")
    shows = versioned("street:pasted", typed, _type)
    st.text_area(
        "Pasted table", typed, key=shows.key, on_change=shows.changed, placeholder=output.EXAMPLE, height=140
    )
    with st.container(horizontal=True):
        button("Use the pasted table", "street:use", "check", _use_pasted)
        button("Start from an example", "street:example", "edit_note", _type, output.EXAMPLE, off=bool(typed))
    show.upload("Or load a table (CSV, XLSX or Parquet)", KINDS, UPLOAD, MAX_BYTES, _read)
    if sentence := lab().extras.get(_REFUSED):
        st.error(sentence, icon=":material/error:")
    _ask()
    with st.container(horizontal=True):
        few = day.scenario.households <= MAX_LISTED
        show.csv(
            "Table of houses as CSV",
            lambda: house_frame(day.scenario, output.listed_houses(day)),
            "street.csv",
            disabled=not few,
            help=None if few else f"At most {MAX_LISTED:,} houses are listed one by one.",
        )
        if day.scenario.houses is not None:
            button(
                "Forget the list, draw houses",
                "street:drawn",
                "casino",
                lab().change,
                edit.of_size,
                day.scenario.households,
                help="As many houses, drawn between the same bounds.",
            )


@dataclass
class Asked:
    """A table with groups of which it must be said whose habits they have."""

    name: str
    content: bytes | str
    offered: tuple[str, ...]
    habits: dict[str, str]  # by group; empty until chosen


def _ask() -> None:
    """Whose habits each new group of the table has; the table is used when all are said."""
    asked: Asked | None = lab().extras.get(ASKED)
    if asked is None:
        return
    st.info("Which habits do the new groups have?", icon=":material/help:")
    with st.container(horizontal=True):
        for number, (group, chosen) in enumerate(asked.habits.items()):
            select(
                f"Habits of {in_markdown(group)}",
                (CHOOSE, *asked.offered),
                chosen,
                lambda whose: f"as {whose}" if whose != CHOOSE else "Choose …",
                partial(_choose, asked, group),
                key=f"street:habits:{number}",
                width=220,
            )


def _choose(asked: Asked, group: str, whose: str) -> None:
    asked.habits[group] = whose
    if all(asked.habits.values()):
        _read(asked.name, asked.content, asked.habits)


def _use_pasted() -> None:
    _read("The pasted table", str(lab().extras.get(PASTED, "")))


def _type(text: str) -> None:
    lab().extras[PASTED] = text
    lab().extras.pop(_REFUSED, None)
    lab().extras.pop(ASKED, None)


def _read(name: str, content: bytes | str, habits: Mapping[str, str] = NO_HABITS) -> None:
    """What is refused or asked stays said until something else is pasted or loaded."""
    lab().extras.pop(_REFUSED, None)
    lab().extras.pop(ASKED, None)
    read = partial(jobs.read, read_table) if isinstance(content, bytes) else read_table
    try:
        lab().open(read(lab().scenario, content, dict(habits)))
    except NewGroups as question:
        lab().extras[ASKED] = Asked(name, content, question.offered, dict.fromkeys(question.names, CHOOSE))
    except ScenarioError as error:
        lab().extras[_REFUSED] = in_markdown(f"{name} was not used: {error}")


def one_by_one(scenario: Scenario) -> None:
    """What each house pays and gives away."""
    day, claim = cache.day(scenario), st.container()
    rates = offered_rates(scenario, RATE, private())
    mechanism = url_segmented("Published rates", rates, RATE, style.title, default=FEATURED)
    if gone := output.left_out(scenario):
        back = "Bring everyone back" if len(gone) > 1 else f"Bring {gone[0].name} back"
        words = output.effect_words(cache.day(output.everyone(scenario)), day, mechanism)
        _offer(words, back, "undo", lab().change, output.everyone)
    if scenario.households > MAX_LISTED:
        st.info(f"Houses are shown one by one on streets of at most {MAX_LISTED:,}.")
        return
    frame = _roster(day, mechanism)
    claim.header(kept_together(output.bills_words(frame, mechanism)), anchor=False)
    groups = [group.name for group in scenario.groups]
    shown = url_pills("Groups shown", groups, "houses:groups") if len(groups) > 1 else ()
    part = frame[frame["Group"].isin(shown)] if shown else frame
    st.caption("Tick houses to see the street without them; click a column's name to sort.")
    key = f"houses:{hash(cache.key_of(day, tuple(shown)))}"
    _without(day, mechanism, [int(part.index[row]) for row in show.selectable_table(part, key)])
    show.csv("Houses as CSV", lambda: frame, "houses.csv")


@cache.shared(weight=lambda day, mechanism: cache.weight_per_house(day.scenario))
def _roster(day: Day, mechanism: str) -> "pd.DataFrame":
    return output.roster(day, mechanism, cache.bills_of(day))


def _without(day: Day, mechanism: str, chosen: Sequence[int]) -> None:
    if len(chosen) == day.scenario.households:
        st.warning("At least one house must stay.", icon=":material/error:")
    elif chosen:
        after = output.leave_out(day, chosen)
        words = output.effect_words(day, cache.day(after), mechanism)
        _offer(
            words, "Leave them out" if len(chosen) > 1 else "Leave it out", "person_remove", lab().open, after
        )


def _offer(words: str, label: str, icon: str, act: Callable[..., None], *args: object) -> None:
    """What another street would change, and a button that takes it."""
    with st.container(border=True):
        st.markdown(words)
        button(label, f"houses:{icon}", icon, act, *args)
