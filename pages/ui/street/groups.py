"""The groups of the street, which has as many houses as they together, and the models Θ that the curator
protects against: named, added and removed; and α and β by the prices that a typical day shall have."""

from functools import partial
from typing import Any

import streamlit as st

from pages.ui import cache, jobs, show
from pages.ui.cache import picture
from pages.ui.session import button, lab
from pages.ui.show import chart, lazy_expander
from pages.ui.street.habits import part_button, shown
from pages.ui.street.houses import TABLE, table
from pages.ui.widgets import Form, number, number_field, select, text, url_select, words_field
from rtp.core.formatting import in_markdown
from rtp.figures import households as figures
from rtp.meters import read
from rtp.output.roster import (
    bounds_words,
    group_doubts,
    load_words,
    measured_words,
    models_words,
    noise_words,
    outside_words,
)
from rtp.output.words import help_for
from rtp.scenario import (
    BOUNDS,
    MAX_GROUPS,
    MAX_MODELS,
    Bounds,
    Group,
    Scenario,
    ScenarioError,
    edit,
    habit_words,
)
from rtp.scenario.consumption import law_words
from rtp.scenario.presets import models_for
from rtp.scenario.spreadsheet import MAX_BYTES
from rtp.scenario.typed import parse_count
from rtp.scenario.typed import shown as written
from rtp.scenario.units import unit
from rtp.simulation import Day
from rtp.simulation.prices import load_of, prices_of, with_price, with_prices
from rtp.street.draw import group_sizes

COUNTED = Form(written, parse_count)  # thousands may be grouped: nobody means a fraction
COUNT = Bounds(0, int(BOUNDS["households"].high), "Houses")
YEARLY_MEANS = (
    "What a house uses in a year on average: its use is then mostly far below the peak. Empty: uniform up to "
    "the peak. Of a monthly bill, 12 times that."
)
LIKE_LAST = (
    "It starts with the peak, standby and habits of the last group, and half of its houses. They vary from "
    "half to all of both."
)
PRICE_MEANS = (
    "Of a typical day, without noise. α and β follow it, also when the street changes, until you set one of "
    "them. The other price stays, or moves along where this one passes it."
)
OWN_HABITS = "its own"
HABITS_MEAN = (
    "By a word, under every model; *Habits* shows and edits them. Of what opens and closes also hours, such "
    "as 9–18, and the days on which it is closed: Saturday, Sunday, weekend or never."
)
_EDGES = ("occupied_min", "occupied_max", "empty_min", "empty_max")
RANGES = dict(zip(_EDGES, ("Peak from", "Peak to", "Standby from", "Standby to"), strict=True))


def groups(scenario: Scenario) -> None:
    """A row for each group, the table they can come from, and the bounds that were drawn."""
    here, day, last = lab(), cache.day(scenario), len(scenario.groups) - 1
    st.header(in_markdown(noise_words(day)), anchor=False)
    st.caption(bounds_words(scenario))
    load, counts = load_of(scenario), _counts(scenario)
    if scenario.power_unit:
        st.caption(load_words(scenario, load))
    with st.container(key="group-rows", gap="small"):
        for g, group in enumerate(scenario.groups):
            with st.container(key=here.part_key(f"group-row:{g}"), gap="xxsmall"):
                _group(scenario, g, group, counts[g])
                _lives(scenario, g, group.name)
                for line in group_doubts(scenario, load, g):
                    st.caption(f":orange[:material/help: {in_markdown(line)}]")
    if scenario.has_laws:
        st.caption(law_words([group.name for group in scenario.groups if not group.is_uniform]))
        label, help = "Use uniformly up to the bounds", "As in the paper. Undo brings the distributions back."
        button(label, "street:uniform", "horizontal_rule", lab().change, edit.without_laws, help=help)
    full = len(scenario.groups) == MAX_GROUPS
    button("Add a group", "add group", "add", lab().change, edit.add_group, last, off=full, help=LIKE_LAST)
    prices(day)
    lazy_expander(TABLE, partial(table, day), ":material/table:")
    chart(picture(partial(figures.bounds_figure, day), "bounds", day), key="bounds")


def _counts(scenario: Scenario) -> list[int]:
    return group_sizes([group.share for group in scenario.groups], scenario.households)


def _set_count(scenario: Scenario, group: int, count: float) -> Scenario:
    counts = _counts(scenario)
    counts[group] = int(count)
    street = edit.set_counts(scenario, counts)
    return _of_one(street, group, "occupied", "empty") if counts[group] == 1 else street


def _set_bound(scenario: Scenario, group: int, name: str, value: float) -> Scenario:
    state, _, end = name.partition("_")
    street, alone = scenario, _counts(scenario)[group] == 1
    if alone and end == "max":
        street = edit.set_group_field(scenario, group, f"{state}_min", 0.0)
    street = edit.set_group_field(street, group, name, value)
    return _of_one(street, group, state) if alone and end == "max" else street


def _of_one(scenario: Scenario, group: int, *states: str) -> Scenario:
    """A house that is alone has what is stated, and not something up to it."""
    for state in states:
        most = getattr(scenario.groups[group], f"{state}_max")
        scenario = edit.set_group_field(scenario, group, f"{state}_min", most)
    return scenario


def _group(scenario: Scenario, g: int, group: Group, count: int) -> None:
    """A name three tracks wide, then the numbers and a button of two each."""
    here, listed, measured = lab(), scenario.houses is not None, bool(scenario.power_unit)
    look: dict[str, Any] = {"vertical_alignment": "bottom", "gap": ("xsmall", "xxsmall")}
    row = st.grid(17 if measured else 15, min_column_width=30, **look)
    save, bound = (here.part_change(change, g) for change in (edit.set_group_field, _set_bound))
    with row.cell(column_span=3):
        text(group.name, partial(save, "name"), key=here.part_key(f"group:{g}"), label="Group")
    with row.cell(column_span=2):
        resize, key = here.part_change(_set_count, g), here.part_key(f"number:count:{g}")
        together = "The street has as many houses as its groups together."
        look = {"form": COUNTED, "disabled": listed, "help": together}
        number_field(COUNT.words, count, resize, COUNT, key=key, **look)
    for name, words in RANGES.items():
        with row.cell(column_span=2):
            value, key = getattr(group, name), here.part_key(f"{name}:{g}")
            number(name, value, partial(bound, name), key=key, label=words, disabled=listed)
    if measured:
        with row.cell(column_span=2):
            yearly, key = here.part_change(edit.set_yearly, g), here.part_key(f"number:yearly_kwh:{g}")
            look, bounds = {"form": COUNTED, "empty": "–", "help": YEARLY_MEANS}, BOUNDS["yearly_kwh"]
            number_field(bounds.words, group.yearly_kwh, yearly, bounds, key=key, **look)
    with row.cell(column_span=2):
        taken = f"Remove {group.name}: the group before it takes its houses; before the first, the next."
        alone = len(scenario.groups) == 1
        part_button("Remove", "delete", f"remove group:{g}", edit.remove_group, g, off=alone, help=taken)


def _lives(scenario: Scenario, g: int, name: str) -> None:
    """The group's habits by a word and, of what opens and closes, when it does."""
    here, every = lab(), {model.habits[g] for model in scenario.models}
    said = habit_words.said_of(scenario.models[0].habits[g], name) if len(every) == 1 else None
    word, hours, closed = said or habit_words.Said(OWN_HABITS)
    save = here.part_change(_set_habits, g)
    opens = word in habit_words.BUSINESSES
    row = st.grid(17, min_column_width=30, gap=("xsmall", "xxsmall"))
    with row.cell(column_span=4):
        words = [*dict.fromkeys([word, *habit_words.offered()])]
        key = here.part_key(f"habits:{g}")
        select("Habits", words, word, str, lambda chosen: save(chosen, "", ""), key=key, help=HABITS_MEAN)
    cells = {
        "Hours": (hours, "9–18", lambda typed: save(word, typed, closed)),
        "Closed": (closed, "Sunday", lambda typed: save(word, hours, typed)),
    }
    for label, (value, example, save_cell) in cells.items():
        with row.cell(column_span=3):
            key = here.part_key(f"number:{label.lower()}:{g}")
            words_field(label, value, save_cell, key=key, empty=example if opens else "–", disabled=not opens)


def _set_habits(scenario: Scenario, g: int, word: str, hours: str, closed: str) -> Scenario:
    """The group's habits by a word; those of its own stay."""
    if word == OWN_HABITS:
        return scenario
    return edit.set_habits(scenario, g, habit_words.habits_of(word, hours, closed))


# The models

COPY = "a copy of the model shown"
MODELS = "Models to protect against (Θ)"


def models(scenario: Scenario) -> None:
    """Name, remove and add models; choose the one that generates the day; which of them sets the noise."""
    alone = len(scenario.models) == 1
    if not alone:
        st.header(in_markdown(models_words(cache.day(scenario))), anchor=False)
    st.caption(MODELS, help=help_for("curator, Θ"))
    for m, name in enumerate(scenario.model_names):
        with st.grid(3, min_column_width=170, vertical_alignment="bottom"):
            rename = lab().part_change(edit.rename_model, m)
            text(name, rename, key=lab().part_key(f"model:{m}"), label=f"Model θ {m + 1}")
            words = "Simulate with this model" if m else "Used for simulation"
            part_button(words, "casino", f"generate:{m}", edit.generate_with, m, off=m == 0)
            part_button("Remove", "delete", f"remove model:{m}", edit.remove_model, m, off=alone)
    offers = {COPY: scenario.models[shown(scenario)[0]]} | models_for(len(scenario.groups))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        source = url_select("Start the new model from", list(offers), "new model")
        full = len(scenario.models) == MAX_MODELS
        button("Add a model", "add model", "add", lab().change, edit.add_model, offers[source], off=full)
    if not alone:
        chart(figures.models_figure(cache.day(scenario)), key="models")


UPLOAD, _REFUSED, MEASURED = "upload:load", "load refused", "load measured"


def prices(day: Day) -> None:
    """The lowest and the highest price of a typical day, which make α and β; how often others come."""
    scenario, here = day.scenario, lab()
    low, high = prices_of(scenario)
    measured = unit(scenario, "rate")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for words, value, key in (("Lowest price", low, "lowest"), ("Highest price", high, "highest")):
            label, bounds = (
                f"{words} ({measured})" if measured else words,
                BOUNDS["price"]._replace(words=words),
            )
            save = partial(here.change, with_price, key)
            number_field(label, value, save, bounds, key=f"number:{key}", width=190, help=PRICE_MEANS)
        with st.popover("Measured load", icon=":material/show_chart:"):
            help = "Times and kW: α and β then have the two prices beside this on its mean day."
            show.upload("The feeder's load (CSV)", ["csv", "txt", "gz"], UPLOAD, MAX_BYTES, _measured)
            st.caption(help)
            if sentence := here.extras.get(_REFUSED):
                st.error(sentence, icon=":material/error:")
    st.caption(in_markdown(outside_words(day, low, high)))
    tariff, sentence = here.extras.get(MEASURED, (None, ""))
    if tariff == (scenario.alpha, scenario.beta):
        st.caption(in_markdown(sentence))


def _measured(name: str, content: bytes | str) -> None:
    """What is refused stays said until another file is loaded."""
    here = lab()
    here.extras.pop(_REFUSED, None)
    raw = content if isinstance(content, bytes) else content.encode()
    try:
        load, prices = jobs.read(read, raw).mean_day(), prices_of(here.scenario)
        here.open(with_prices(here.scenario, *prices, load))
        made = here.scenario
        here.extras[MEASURED] = (made.alpha, made.beta), measured_words(made, *prices, load)
    except ScenarioError as error:
        here.extras[_REFUSED] = in_markdown(f"{name} was not used: {error}")
