"""Habits beside their effect: the matrices of a group's day, when its houses are occupied, the rates.

The group that is edited is the one that is plotted, on the day that is edited. What is changed rarely
(periods, the first step) and what single houses make of it are folded.
"""

from collections.abc import Callable
from functools import partial

import streamlit as st

from pages.ui import cache
from pages.ui.cache import picture
from pages.ui.matrices import Address, matrices, periods_of
from pages.ui.params import KINDS_OF_DAY
from pages.ui.session import button, lab
from pages.ui.show import chart, lazy_expander
from pages.ui.widgets import CLOCK, choice, number, number_field, text, toggle, url_segmented
from rtp.core.formatting import in_markdown
from rtp.core.time import Weekday, days_words
from rtp.figures import households as figures
from rtp.figures.day import group_figure, rates_figure
from rtp.mechanisms import FEATURED, UNPROTECTED, YARDSTICK
from rtp.output.roster import habits_words
from rtp.scenario import BOUNDS, MAX_PERIODS, Period, Scenario, edit
from rtp.scenario.habits import SENTENCES, DayField
from rtp.simulation import Day, street_key

RATES = (UNPROTECTED, YARDSTICK, FEATURED)
PERIOD = "Periods and the first step"
DAY_MEANS = "From midnight to midnight. At first such a day is as it was."
COPY_MEANS = "Saturdays and Sundays of every group then are as this one's."
SINGLE = "Single houses"


def part_button(
    label: str,
    icon: str,
    key: str,
    change: Callable[..., Scenario],
    *args: int,
    off: bool = False,
    help: str | None = None,
) -> None:
    """A button that removes, splits or moves a group, a model or a period."""
    act = lab().change_parts
    button(label, lab().part_key(key), icon, act, lab().parts, change, *args, off=off, help=help)


def habits(scenario: Scenario) -> None:
    """What is believed of a group, and what that does."""
    model, group = shown(scenario)
    weekday = KINDS_OF_DAY[lab().chosen("shown day")]
    day = cache.day(_lived_on(scenario, model, group, weekday))
    lived = bool((day.street.group == group).any())
    st.header(in_markdown(habits_words(day, model, group)), anchor=False)
    st.caption(SENTENCES[scenario.occupied_means], help="Change it under More settings, Habits.")
    _pick(scenario)
    left, right = st.columns([5, 6], gap="small")
    with left, st.container(key="habits"):
        lead = partial(_days_apart, scenario, model, group, weekday)
        matrices(scenario, model, group, weekday, lead=lead)
    with right:
        make = partial(group_figure, day, model, group, RATES) if lived else partial(rates_figure, day, RATES)
        chart(picture(make, "habits", day, model, group), "habits and rates", card=False)
    lazy_expander(PERIOD, partial(_periods, scenario, model, group, weekday))
    if lived:
        lazy_expander(SINGLE, partial(_single, day, model, group))


def shown(scenario: Scenario) -> tuple[int, int]:
    """The model and the group that were chosen, where there still are so many."""
    model, group = lab().setting("shown model", 0), lab().setting("shown group", 0)
    return model if model < len(scenario.models) else 0, group if group < len(scenario.groups) else 0


def _pick(scenario: Scenario) -> None:
    """Group and model, where there are several."""
    groups, models = [each.name for each in scenario.groups], scenario.model_names
    if len(groups) > 1 or len(models) > 1:
        with st.container(horizontal=True):
            if len(groups) > 1:
                url_segmented("Group", range(len(groups)), "shown group", groups.__getitem__, hidden=True)
            if len(models) > 1:
                url_segmented("Model θ", range(len(models)), "shown model", models.__getitem__, hidden=True)


def _lived_on(scenario: Scenario, model: int, group: int, weekday: Weekday) -> Scenario:
    """The scenario as it is shown: a day such as that which is edited, where days of the group differ."""
    habits = scenario.models[model].habits[group]
    if len(habits.day_kinds()) == 1:
        return scenario
    alike = habits.days_of(habits.day_field(weekday))
    first = scenario.first_weekday if scenario.first_weekday in alike else alike[0]
    return scenario.replace(days=1, first_weekday=first)


def _days_apart(scenario: Scenario, model: int, group: int, weekday: Weekday) -> None:
    """Whether Saturday and Sunday differ and, where they do, which kind of day is shown."""
    habits = scenario.models[model].habits[group]
    kinds: dict[DayField, str] = {}
    for name, day in KINDS_OF_DAY.items():
        kinds.setdefault(habits.day_field(day), name)
    here = habits.day_field(weekday)
    if len(kinds) > 1:
        words = {name: _days(habits.days_of(field)) for field, name in kinds.items()}
        url_segmented("Day", list(words), "shown day", words.__getitem__, default=kinds[here], hidden=True)
    if here != "periods" and len(scenario.groups) > 1:
        copy = "Copy to all groups"
        part_button(copy, "content_copy", "copy weekend", edit.copy_weekend, model, group, help=COPY_MEANS)
    saturdays = "Saturdays differ" if habits.sunday else "Weekends differ"
    apart: dict[DayField, tuple[str, str | None]] = {
        "weekend": (saturdays, None),
        "sunday": ("Sundays differ", DAY_MEANS),
    }
    for kind, (label, help) in apart.items():
        save = partial(lab().change_parts, lab().parts, edit.set_day_apart, model, group, kind)
        toggle(label, kind in kinds, save, key=lab().part_key(f"{kind}:{model}:{group}"), help=help)


def _days(alike: tuple[Weekday, ...]) -> str:
    """ "Monday to Saturday", "Weekend", "Sunday"."""
    return f"{alike[0]} to {alike[-1]}" if len(alike) > 2 else days_words(alike).capitalize()


# Periods: their names and hours; what is known at the first step


def _periods(scenario: Scenario, model: int, group: int, weekday: Weekday) -> None:
    parts, first = periods_of(scenario.models[model].habits[group], weekday)
    with st.grid(4, min_column_width=190):
        for index, part in enumerate(parts):
            with st.container():
                _period(Address(model, group, first + index), part, len(parts))
    with st.grid(4, min_column_width=200, vertical_alignment="bottom"):
        name, value = "initial_occupied", scenario.models[model].habits[group].initial_occupied
        save = lab().part_change(edit.set_habits_field, model, group, name)
        help = "With 0 or 1 everyone knows which state these houses are in at the first step."
        number(name, value, save, key=lab().part_key(f"page {name}:{model}:{group}"), help=help)
        name, save = "habit_spread", partial(lab().set, "habit_spread")
        help = "Standard deviation of each house's own chances around the group's, per 15 minutes."
        number(name, scenario.habit_spread, save, key=f"page {name}", help=help)
        if scenario.has_weekends:
            choice("first_weekday", help=f"Days: {scenario.days}. With 7 it shows a week.")


def _period(at: Address, part: Period, count: int) -> None:
    """The name and the start of a period; two of one, or one of two."""
    text(part.name, at.save(_with, "name"), key=at.key("period"), label="Period")
    bounds, save, key = BOUNDS["start"], at.save(_with, "start"), at.key("number:start")
    help = "On the clock, such as 7:15, or as a number, such as 7.25."
    number_field(bounds.words, part.start, save, bounds, key=key, form=CLOCK, help=help)
    place = ":".join(map(str, at))
    with st.container(horizontal=True, gap="small"):
        halves = "Two periods of half its length. Nothing else changes until you edit one."
        full = count == MAX_PERIODS
        part_button("Split", "content_cut", f"split:{place}", edit.split_period, *at, off=full, help=halves)
        gone = "The period before it lasts until this one ended."
        remove, alone = f"remove period:{place}", count == 1
        part_button("Remove", "delete", remove, edit.remove_period, *at, off=alone, help=gone)


def _with(part: Period, field: str, value: str | float) -> Period:
    return part.replace(**{field: value})


def _single(day: Day, model: int, group: int) -> None:
    pictures = {"single": figures.single_houses_figure, "scatter": figures.habits_figure}
    with st.grid(2, min_column_width=320):
        for name, make in pictures.items():
            street = street_key(day.scenario), model, group
            chart(picture(partial(make, day, model, group), name, *street), name)
