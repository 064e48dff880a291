"""The Households screen: how groups live, with its pictures; groups and the set Θ of models, which are named,
counted, bounded, removed and added.

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
from pages.ui.show import chart, lazy_expander
from pages.ui.street.houses import table
from pages.ui.street.periods import cards, start, week
from pages.ui.widgets import number, text, url_segmented, url_select
from rtp.figures import households as figures
from rtp.figures.households import period_names
from rtp.figures.style import Picture
from rtp.mechanisms import FEATURED
from rtp.mechanisms.blowfish import sensitivity_by_model
from rtp.output.glossary import help_for
from rtp.output.words import group_words
from rtp.paper.published import figure2
from rtp.scenario import (
    BOUNDS,
    LIBRARY,
    MAX_GROUPS,
    MAX_MODELS,
    PRESETS,
    Bounds,
    Group,
    OccupancyModel,
    Scenario,
    edit,
)
from rtp.scenario.consumption import law_words
from rtp.simulation import Day, is_papers_street, street_key
from rtp.simulation.day import loudest_house
from rtp.street.draw import Block, evenly, group_sizes
from rtp.street.simulate import replay_houses

STRIPES = 30


def charts(day: Day, model: int, group: int) -> None:
    _occupancy(day, model, group)
    left, right = st.columns(2)
    with left:
        _habits(day, model, group)
    with right:
        st.markdown("**Drawn bounds**: the largest among the uncertain houses sets the noise")
        setter = loudest_house(day.release[FEATURED])
        make = partial(figures.bounds_figure, day, setter)
        chart(picture(make, "bounds", street_key(day.scenario), setter), key="bounds")


def _occupancy(day: Day, model: int, group: int) -> None:
    make = partial(_occupancy_picture, day, model, group)
    chart(picture(make, "occupancy", street_key(day.scenario), model, group), key="occupancy")


def _occupancy_picture(day: Day, model: int, group: int) -> Picture:
    houses = evenly(day.scenario.households, STRIPES)
    states, _ = replay_houses(day.street_day.spec, day.street, houses.tolist())
    protected = day.street_day.support_classes.protected_under(model)
    published = figure2()[:2] if is_papers_street(day.scenario) else None
    whose = day.scenario.models[model].habits[group]
    return figures.occupancy_figure(day, houses, states, protected, published, whose)


def _habits(day: Day, model: int, group: int) -> None:
    spec, scenario = day.street_day.spec, day.scenario
    blocks = [block for block in spec.blocks if block.group == group]
    if not blocks:
        st.info("No house belongs to this group: its share of the street is too small.")
        return
    count = len(blocks[0])
    st.markdown(f"**Personal habits**: {group_words(scenario.groups[group].name, count)}")
    make = partial(_habits_picture, day, model, group, blocks[0])
    chart(picture(make, "habits", street_key(scenario), model, group), key="scatter")


def _habits_picture(day: Day, model: int, group: int, block: Block) -> Picture:
    leave, arrive = day.street_day.spec.transition_probabilities(day.street, model, block)
    names = period_names(day.scenario.models[model].habits[group])
    return figures.habits_figure(day.street_day.spec.schedules[model][group], names, leave, arrive)


def sensitivity(day: Day) -> None:
    """Which model sets the noise, where there are several."""
    if len(day.scenario.models) > 1:
        by_model = sensitivity_by_model(day.market.public)
        chart(figures.models_figure(day.scenario, day.hours, by_model), key="models")


def pick(scenario: Scenario) -> tuple[int, int]:
    model = group = 0
    with st.container(horizontal=True):
        if len(scenario.models) > 1:
            model = _number("Model θ shown", [m.name for m in scenario.models], "shown model")
        if len(scenario.groups) > 1:
            group = _number("Group shown", [g.name for g in scenario.groups], "shown group")
    return model, group


def _number(label: str, names: Sequence[str], key: str) -> int:
    return url_segmented(label, range(len(names)), key, names.__getitem__)


def habits(scenario: Scenario) -> None:
    day = cache.day(scenario)
    groups(scenario)
    table(day)
    st.subheader("Habits", anchor=False)
    st.caption(LIBRARY[lab().preset].occupied)
    model, group = pick(scenario)
    cards(scenario, model, group, week(scenario, model, group))
    start(scenario, model, group)
    charts(day, model, group)
    models(scenario, model)
    sensitivity(day)


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
    """A row for each group."""
    st.subheader("Groups", anchor=False)
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


COPY = "a copy of the model shown"
MODELS = "Models Θ the curator guards against"


def models(scenario: Scenario, shown: int) -> None:
    """Name, remove and add models; choose the one that generates the day. A set of one is folded."""
    if len(scenario.models) == 1:
        lazy_expander(MODELS, partial(_models, scenario, shown), ":material/account_tree:")
        return
    st.subheader(MODELS, anchor=False, help=help_for("curator, Θ"))
    _models(scenario, shown)


def _models(scenario: Scenario, shown: int) -> None:
    for m, model in enumerate(scenario.models):
        with st.container(border=True), st.grid(3, min_column_width=170, vertical_alignment="bottom"):
            _model(m, model, alone=len(scenario.models) == 1)
    _add(scenario, shown)


def _model(m: int, model: OccupancyModel, alone: bool) -> None:
    here = lab()
    text(
        model.name,
        partial(here.change_part, here.parts, edit.rename_model, m),
        key=here.part_key(f"model:{m}"),
        label="The model by which people live" if m == 0 else "Another model to guard against",
    )
    st.button(
        "People live by it" if m == 0 else "Let people live by it",
        key=here.part_key(f"generate:{m}"),
        icon=":material/casino:",
        disabled=m == 0,
        on_click=press,
        args=(here.change_parts, here.parts, edit.generate_with, m),
        width="stretch",
    )
    st.button(
        "Remove",
        key=here.part_key(f"remove model:{m}"),
        icon=":material/delete:",
        disabled=alone,
        on_click=press,
        args=(here.change_parts, here.parts, edit.remove_model, m),
        width="stretch",
    )


def _add(scenario: Scenario, shown: int) -> None:
    offers = _offers(scenario, shown)
    full = len(scenario.models) == MAX_MODELS
    with st.container(horizontal=True, vertical_alignment="bottom"):
        source = url_select("Start the new model from", list(offers), "new model")
        st.button(
            "Add a model",
            key="add model",
            icon=":material/add:",
            disabled=full,
            on_click=press,
            args=(lab().change, edit.add_model, offers[source]),
        )


def _offers(scenario: Scenario, shown: int) -> dict[str, OccupancyModel]:
    """The model shown, and the presets' models for as many groups."""
    offers = {COPY: scenario.models[shown]}
    for name, preset in PRESETS.items():
        for model in preset.models:
            if len(model.habits) == len(scenario.groups):
                offers[f"{model.name} (preset {name})"] = model
    return offers
