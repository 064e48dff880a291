"""How a group lives: its kinds of day, the cards of their periods, what is known at the start."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from pages.ui.matrices import Address, matrices, periods_of
from pages.ui.number import Form, number_field
from pages.ui.params import KINDS_OF_DAY
from pages.ui.session import lab, press
from pages.ui.show import lazy_expander
from pages.ui.widgets import number, segmented, select, text, toggle, url_segmented
from rtp.core.time import WEEKDAYS, hhmm
from rtp.scenario import BOUNDS, LABELS, MAX_PERIODS, Period, Scenario, edit
from rtp.scenario.typed import parse_hour


def week(scenario: Scenario, model: int, group: int) -> bool:
    """True where the cards show the weekend."""
    other = scenario.models[model].habits[group].weekend is not None
    here, weekend = lab(), False
    with st.container(horizontal=True, vertical_alignment="bottom"):
        toggle(
            "Other habits at the weekend",
            other,
            partial(here.change_parts, here.parts, edit.set_weekend, model, group),
            key=here.part_key(f"weekend:{model}:{group}"),
            help="On Saturday and Sunday, from midnight to midnight. At first they are those of other days.",
        )
        if other:
            weekend = url_segmented("Cards show", KINDS_OF_DAY, "shown day") == KINDS_OF_DAY[1]
            if len(scenario.groups) > 1:
                st.button(
                    "Copy this weekend to all groups",
                    key="copy weekend",
                    icon=":material/content_copy:",
                    on_click=press,
                    args=(here.change_parts, here.parts, edit.copy_weekend, model, group),
                )
        if scenario.has_weekends:
            select(
                LABELS["first_weekday"],
                WEEKDAYS,
                scenario.first_weekday,
                str,
                partial(lab().set, "first_weekday"),
                key="choice:first_weekday",
                width=180,
            )
    if scenario.has_weekends and scenario.days < 7:
        st.caption(_reach(scenario))
    return weekend


def _reach(scenario: Scenario) -> str:
    days = "one day" if scenario.days == 1 else f"{scenario.days} days"
    return f"The scenario runs {days} from {scenario.first_weekday} on; with Days at 7 it shows a week."


CLOCK = Form(hhmm, parse_hour)
PERIOD = "Name, start, split, remove"


def cards(scenario: Scenario, model: int, group: int, weekend: bool) -> None:
    """The matrices of a group's day, or of its weekend's, under a model, and its periods in a fold."""
    matrices(scenario, model, group, weekend)
    parts, first = periods_of(scenario.models[model].habits[group], weekend)
    with st.grid(4, min_column_width=220):
        for index, part in enumerate(parts):
            at = Address(model, group, first + index)
            lazy_expander(PERIOD, partial(_period, at, part, len(parts)), of=f" {model}:{group}:{at.period}")


def _period(at: Address, part: Period, count: int) -> None:
    """The name and the start of a period; two of one, or one of two."""
    here = lab()
    text(part.name, at.save(_with, "name"), key=at.key("period"), label="Period")
    number_field(
        BOUNDS["start"].words,
        part.start,
        at.save(_with, "start"),
        BOUNDS["start"],
        key=at.key("number:start"),
        form=CLOCK,
        help="On the clock, such as 7:15, or as a number, such as 7.25.",
    )
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Split",
            key=at.key("split"),
            icon=":material/content_cut:",
            disabled=count == MAX_PERIODS,
            on_click=press,
            args=(here.change_parts, here.parts, edit.split_period, *at),
            help="Two periods of half its length. Nothing else changes until you edit one.",
        )
        st.button(
            "Remove",
            key=at.key("remove period"),
            icon=":material/delete:",
            disabled=count == 1,
            on_click=press,
            args=(here.change_parts, here.parts, edit.remove_period, *at),
            help="The period before it lasts until this one ended.",
        )


def _with(part: Period, field: str, value: str | float) -> Period:
    return part.replace(**{field: value})


UNKNOWN = 0.5  # where a start that was known is switched back to
STATES = {0.0: "empty", 1.0: "occupied"}


def start(scenario: Scenario, model: int, group: int) -> None:
    initial = scenario.models[model].habits[group].initial_occupied
    here = lab()
    save = partial(here.change_part, here.parts, edit.set_habits_field, model, group, "initial_occupied")
    with st.grid(4, min_column_width=200, vertical_alignment="bottom"):
        toggle(
            "Known at the start",
            initial in STATES,
            partial(_know, save, initial),
            key=here.part_key(f"known:{model}:{group}"),
            help="Everyone knows which state these houses are in at the first step.",
        )
        if initial in STATES:
            segmented(
                "At the first step they are",
                list(STATES),
                initial,
                STATES.__getitem__,
                save,
                key=here.part_key(f"known state:{model}:{group}"),
            )
        else:
            key = here.part_key(f"page initial_occupied:{model}:{group}")
            number("initial_occupied", initial, save, key=key)
        number(
            "habit_spread",
            scenario.habit_spread,
            partial(lab().set, "habit_spread"),
            key="page habit_spread",
            help="Standard deviation of each house's own chances around the group's, per 15 minutes.",
        )


def _know(save: Callable[[float], None], initial: float, known: bool) -> None:
    save(float(round(initial)) if known else UNKNOWN)
