"""Habits beside their effect: the matrices of a group's day, when its houses are occupied, the rates.

The group that is edited is the one that is plotted. What is changed rarely (periods, the first step) and what
single houses make of it are folded.
"""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import streamlit as st

from pages.ui import cache
from pages.ui.cache import picture
from pages.ui.matrices import Address, basis_switch, matrices, periods_of
from pages.ui.number import Form, number_field
from pages.ui.params import KINDS_OF_DAY
from pages.ui.session import lab, press
from pages.ui.show import chart, lazy_expander
from pages.ui.widgets import number, segmented, select, text, toggle, url_segmented
from rtp.core.formatting import in_markdown
from rtp.core.time import WEEKDAYS, hhmm
from rtp.figures import households as figures
from rtp.figures.day import rates_figure
from rtp.figures.style import Picture
from rtp.mechanisms import FEATURED, UNPROTECTED, YARDSTICK
from rtp.output.roster import habits_words
from rtp.paper.published import figure2
from rtp.scenario import BOUNDS, LABELS, LIBRARY, MAX_PERIODS, Period, Scenario, edit
from rtp.scenario.typed import parse_hour
from rtp.simulation import Day, is_papers_street, street_key
from rtp.street.draw import evenly
from rtp.street.simulate import replay_houses

STRIPES = 30
RATES = (UNPROTECTED, YARDSTICK, FEATURED)
CLOCK = Form(hhmm, parse_hour)
PERIOD = "Periods and the first step"
SINGLE = "Single houses"
UNKNOWN = 0.5  # where a start that was known is switched back to
STATES = {0.0: "empty", 1.0: "occupied"}


def habits(scenario: Scenario) -> None:
    """What is believed of a group, and what that does."""
    day, (model, group) = cache.day(scenario), shown(scenario)
    lived = bool((day.street.group == group).any())
    if lived:
        st.subheader(in_markdown(habits_words(day, model, group)), anchor=False)
    else:
        st.info(f"No house of the street belongs to {scenario.groups[group].name}.")
    meant, _, more = LIBRARY[lab().preset].occupied.partition(". ")
    st.caption(meant, help=more or None)
    weekend = _pick(scenario, model, group)
    matrices(scenario, model, group, weekend, switch=False)
    with st.grid(2, min_column_width=320, gap="small"):
        if lived:
            chart(picture(partial(_occupancy, day, model, group), "group", day, model, group), "occupancy")
        make = partial(rates_figure, day, RATES)
        chart(picture(make, "street rates", day), "street rates")
    lazy_expander(PERIOD, partial(_periods, scenario, model, group, weekend))
    if lived:
        lazy_expander(SINGLE, partial(_single, day, model, group))


def shown(scenario: Scenario) -> tuple[int, int]:
    """The model and the group that were chosen, where there still are so many."""
    chosen = lab().setting("shown model", 0), lab().setting("shown group", 0)
    model, group = chosen
    return model if model < len(scenario.models) else 0, group if group < len(scenario.groups) else 0


def _pick(scenario: Scenario, model: int, group: int) -> bool:
    """Model and group, where there are several, and the kind of day; true where it is the weekend."""
    other = scenario.models[model].habits[group].weekend is not None
    here, weekend = lab(), False
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        if len(scenario.groups) > 1:
            _number("Group", [g.name for g in scenario.groups], "shown group")
        if len(scenario.models) > 1:
            _number("Model θ", [m.name for m in scenario.models], "shown model")
        if other:
            weekend = url_segmented("Day", KINDS_OF_DAY, "shown day") == KINDS_OF_DAY[1]
        basis_switch(scenario, model, group)
        toggle(
            "Weekends differ",
            other,
            partial(here.change_parts, here.parts, edit.set_weekend, model, group),
            key=here.part_key(f"weekend:{model}:{group}"),
            help="On Saturday and Sunday, from midnight to midnight. At first they are those of other days.",
        )
        if weekend and len(scenario.groups) > 1:
            st.button(
                "Copy this weekend to all groups",
                key="copy weekend",
                icon=":material/content_copy:",
                on_click=press,
                args=(here.change_parts, here.parts, edit.copy_weekend, model, group),
            )
    return weekend


def _number(label: str, names: Sequence[str], key: str) -> int:
    return url_segmented(label, range(len(names)), key, names.__getitem__)


def _occupancy(day: Day, model: int, group: int) -> Picture:
    published = figure2()[:2] if is_papers_street(day.scenario) else None
    return figures.occupancy_figure(day, model, group, published)


# Periods: their names and hours; what is known at the first step


def _periods(scenario: Scenario, model: int, group: int, weekend: bool) -> None:
    parts, first = periods_of(scenario.models[model].habits[group], weekend)
    with st.grid(4, min_column_width=190):
        for index, part in enumerate(parts):
            with st.container():
                _period(Address(model, group, first + index), part, len(parts))
    _start(scenario, model, group)
    if scenario.has_weekends:
        select(
            LABELS["first_weekday"],
            WEEKDAYS,
            scenario.first_weekday,
            str,
            partial(lab().set, "first_weekday"),
            key="choice:first_weekday",
            width=150,
            help=f"Days: {scenario.days}. With 7 it shows a week.",
        )


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


def _start(scenario: Scenario, model: int, group: int) -> None:
    initial = scenario.models[model].habits[group].initial_occupied
    here = lab()
    save = partial(here.change_part, here.parts, edit.set_habits_field, model, group, "initial_occupied")
    with st.grid(4, min_column_width=200, vertical_alignment="bottom"):
        toggle(
            "Everyone knows who is home at 00:00",
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


# Single houses


def _single(day: Day, model: int, group: int) -> None:
    left, right = st.columns(2, gap="small")
    street = street_key(day.scenario)
    with left:
        chart(picture(partial(_stripes, day, model, group), "single", street, model, group), key="single")
    with right:
        st.markdown("Each house's own chances per step, around the stated ones")
        chart(picture(partial(_chances, day, model, group), "habits", street, model, group), key="scatter")


def _stripes(day: Day, model: int, group: int) -> Picture:
    houses = np.flatnonzero(day.street.group == group)
    houses = houses[evenly(len(houses), STRIPES)]
    states, _ = replay_houses(day.street_day.spec, day.street, houses.tolist())
    protected = day.street_day.support_classes.protected_under(model)
    return figures.single_houses_figure(
        day, houses, states, protected, day.scenario.models[model].habits[group]
    )


def _chances(day: Day, model: int, group: int) -> Picture:
    spec = day.street_day.spec
    block = next(block for block in spec.blocks if block.group == group)
    leave, arrive = spec.transition_probabilities(day.street, model, block)
    names = figures.period_names(day.scenario.models[model].habits[group])
    return figures.habits_figure(spec.schedules[model][group], names, leave, arrive)
