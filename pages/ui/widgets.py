"""Input widgets that show a value of the lab and hand the user's changes back to it, each by its `versions`.

Those whose names begin with `url_` show a setting of the screen (see `params`); the others are given a value,
and what to do with another one. Bounds and words come from where they are written. What else is given, the
`look`, is passed on to Streamlit: help, width, disabled.

*Numbers.* `st.number_input` turns an emptied field into its minimum, drops a decimal comma, and reads 1e4 as
1. Here what is typed is understood exactly, or refused beneath the field: a line of text, which
`rtp.scenario.typed` reads. What is refused stays in the field, where it can be corrected, until the number
changes; meanwhile the last good number holds.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import isclose
from typing import Any, Literal, NamedTuple, TypeVar

import streamlit as st

from pages.ui.session import lab
from pages.ui.versions import Save, remembered, versioned
from rtp.core import formatting
from rtp.core.formatting import in_markdown
from rtp.core.time import hhmm
from rtp.mechanisms import REGISTRY, offered
from rtp.scenario import BOUNDS, LABELS, VALUE_LABELS, Bounds, Scenario, ScenarioError
from rtp.scenario.typed import parse, parse_hour, shown
from rtp.scenario.units import Quantity, unit

Option = TypeVar("Option")
Number = TypeVar("Number", bound=float)


def number(
    name: str, value: float | None, save: Save[float], *, key: str = "", label: str = "", **look: Any
) -> None:
    """A number within the bounds of `name`; what is refused is said beneath it."""
    bounds = BOUNDS[name]
    number_field(label or bounds.words, value, save, bounds, key=f"number:{key or name}", **look)


def field(name: str, *, quantity: Quantity | None = None, **look: Any) -> None:
    """A number that is a field of the scenario itself; where it has a unit, the symbol with that unit."""
    scenario, save = lab().scenario, partial(lab().set, name)
    measured = unit(scenario, quantity) if quantity else ""
    label = f"{BOUNDS[name].words.partition(' — ')[0]} ({measured})" if measured else ""
    number(name, getattr(scenario, name), save, label=label, **look)


def choice(name: str, more: Sequence[str] = (), save: Save[Any] | None = None, **look: Any) -> None:
    """A field of the scenario with few values, each with its words, and more that are their own."""
    value, save = getattr(lab().scenario, name), save or partial(lab().set, name)
    options: dict[str | None, str] = VALUE_LABELS[name] | {each: each for each in more}
    select(LABELS[name], list(options), value, options.__getitem__, save, key=f"choice:{name}", **look)


def switch(name: str, help: str) -> None:
    """A field of the scenario that is on or off."""
    value, save = getattr(lab().scenario, name), partial(lab().set, name)
    toggle(LABELS[name], value, save, key=f"switch:{name}", help=help)


def distinct(options: Sequence[Option], words: Callable[[Option], str]) -> Callable[[Option], str]:
    """Return the options' labels, no two the same: to the browser one label is one option."""
    labels = dict(zip(options, formatting.distinct(map(words, options)), strict=True))
    return lambda option: labels[option] if option in labels else words(option)


def _in_markdown(options: Sequence[Option], words: Callable[[Option], str]) -> Callable[[Option], str]:
    """Return them for where Streamlit reads Markdown."""
    label = distinct(options, words)
    return lambda option: in_markdown(label(option))


def select(
    label: str,
    options: Sequence[Option],
    value: Option,
    words: Callable[[Option], str],
    save: Save[Option],
    *,
    key: str,
    **look: Any,
) -> None:
    """One of many, from a list that opens. The browser sends a label: where another language has taken its
    place, Streamlit hands it on as it is, and it is no choice."""

    def keep(chosen: Option) -> None:
        if chosen in options:
            save(chosen)

    shows = versioned(key, value, keep)
    index, labels = options.index(value), distinct(options, words)
    st.selectbox(label, options, index, labels, key=shows.key, on_change=shows.changed, **look)


def toggle(label: str, value: bool, save: Save[bool], *, key: str, help: str | None = None) -> None:
    """A switch. Its help stands beside it: within the label, as Streamlit has it, a click on the question
    mark would switch."""
    shows = versioned(key, value, save)
    with st.container(horizontal=True, vertical_alignment="center", gap="xxsmall", width="content"):
        st.toggle(label, value, key=shows.key, on_change=shows.changed, width="content")
        if help:
            st.markdown("&nbsp;", help=help, width="content")


def text(value: str, save: Save[str], *, key: str, label: str) -> None:
    """A line of text; what is refused is said beneath it, once."""
    name = f"text:{key}"
    refused: list[str] = remembered(name, list)

    def save_or_say(typed: str) -> None:
        save(typed)
        refused.append(lab().pop_message())

    shows = versioned(name, value, save_or_say)
    st.text_input(label, value, key=shows.key, max_chars=40, on_change=shows.changed)
    for sentence in filter(None, refused):
        st.caption(f":red[{in_markdown(sentence)}]")
    refused.clear()


def segmented(
    label: str,
    options: Sequence[Option],
    value: Option,
    words: Callable[[Option], str],
    save: Save[Option],
    *,
    key: str,
    hidden: bool = False,
    **look: Any,
) -> None:
    """One of a few that stand side by side; a label that is hidden is still heard."""
    shows = versioned(key, value, save)
    st.segmented_control(
        label,
        options,
        default=value,
        key=shows.key,
        format_func=_in_markdown(options, words),
        required=True,
        on_change=shows.changed,
        wrap=True,
        label_visibility="collapsed" if hidden else "visible",
        **look,
    )


def slider(
    label: str,
    options: Sequence[Number],
    value: Number,
    words: Callable[[Number], str],
    save: Save[Number],
    *,
    key: str,
    **look: Any,
) -> None:
    """One of many in a row; a value that is none of them has its place until the next version, and that of an
    option so close that Streamlit, which compares numbers up to 5e-12, would take it for the value."""
    shows = versioned(f"slider:{key}", value, save)
    others = [option for option in options if not isclose(option, shows.first)]
    places = options if shows.first in options else sorted([*others, shows.first])
    st.select_slider(label, places, value, words, key=shows.key, on_change=shows.changed, **look)


def span(
    label: str,
    options: Sequence[Number],
    value: tuple[Number, Number],
    words: Callable[[Number], str],
    save: Save[tuple[Number, Number]],
    *,
    key: str,
) -> None:
    """From one of many in a row to another one."""
    shows = versioned(f"slider:{key}", value, save)
    st.select_slider(label, options, value, words, key=shows.key, on_change=shows.changed)


def _setting(name: str, options: Sequence[Option], default: Option | None) -> Option:
    """The chosen one; what is not offered gives way to the default, or else to the first."""
    first = options[0] if default is None else default
    value = lab().setting(name, first)
    return value if value in options else first


def url_segmented(
    label: str,
    options: Sequence[Option],
    name: str,
    words: Callable[[Option], str] = str,
    *,
    default: Option | None = None,
    **look: Any,
) -> Option:
    """One of a few, a setting of the screen."""
    value, save = _setting(name, options, default), partial(lab().show, name)
    segmented(label, options, value, words, save, key=name, **look)
    return value


def url_select(
    label: str,
    options: Sequence[Option],
    name: str,
    words: Callable[[Option], str] = str,
    *,
    default: Option | None = None,
    **look: Any,
) -> Option:
    """One of many, from a list that opens, a setting of the screen."""
    value, save = _setting(name, options, default), partial(lab().show, name)
    select(label, options, value, words, save, key=name, **look)
    return value


def offered_rates(scenario: Scenario, name: str, among: Collection[str] = REGISTRY) -> list[str]:
    """The rates that a setting of the screen offers; `rtp.mechanisms.offered` says which are left out."""
    chosen = lab().chosen(name) or ()
    names = offered(scenario.negligible, [chosen] if isinstance(chosen, str) else chosen)
    return [each for each in names if each in among]


def url_toggle(label: str, name: str, default: bool = False, help: str | None = None) -> bool:
    """A switch, a setting of the screen."""
    value = lab().setting(name, default)
    toggle(label, value, partial(lab().show, name), key=name, help=help)
    return value


def url_pills(
    label: str, options: Sequence[Option], name: str, words: Callable[[Option], str] = str
) -> list[Option]:
    """Some of a few, a setting of the screen, in their own order."""
    chosen = lab().chosen(name) or ()
    values = [each for each in options if each in chosen]
    shows = versioned(name, values, partial(lab().show, name))
    st.pills(
        label,
        options,
        selection_mode="multi",
        default=values,
        key=shows.key,
        format_func=_in_markdown(options, words),
        on_change=shows.changed,
        wrap=True,
    )
    return values


def url_number(bounds: Bounds, default: float, name: str, **look: Any) -> float:
    """A number, a setting of the screen."""
    value, save = lab().setting(name, default), partial(lab().show, name)
    number_field(bounds.words, value, save, bounds, key=f"number:{name}", **{"width": 160} | look)
    return value


def url_optional_number(bounds: Bounds, name: str, **look: Any) -> float | None:
    """A number, or None, which an emptied field stands for: a setting of the screen."""
    value: float | None = lab().chosen(name)
    number_field(bounds.words, value, partial(lab().show, name), bounds, key=f"number:{name}", **look)
    return value


def url_house(name: str, scenario: Scenario, *, empty: str, help: str) -> int | None:
    """A house, or None, which an emptied field stands for in the words `empty`; so does one that is gone. The
    field counts from 1, the address from 0."""
    chosen: int | None = lab().chosen(name)
    house = chosen if chosen is not None and chosen < scenario.households else None
    number, bounds = None if house is None else house + 1, Bounds(1, scenario.households, "House")

    def save(typed: int | None) -> None:
        lab().show(name, None if typed is None else typed - 1)

    number_field(bounds.words, number, save, bounds, key=f"number:{name}", help=help, width=190, empty=empty)
    return house


def url_tabs(name: str, drawn: Mapping[str, Callable[[], None]], default: str | None = None) -> str:
    """A tab for each, of which only the open one is drawn, a setting of the screen; gives its title."""
    names = list(drawn)
    value = _setting(name, names, default)
    shows = versioned(name, value, partial(lab().show, name))
    tabs = st.tabs(names, default=value, key=shows.key, on_change=shows.changed)
    opened = next((title for title, tab in zip(names, tabs, strict=True) if tab.open), value)
    with tabs[names.index(opened)]:
        drawn[opened]()
    return opened


Width = int | Literal["stretch"]


class Form(NamedTuple):
    """How a number is written, and read."""

    show: Callable[[float], str] = shown
    read: Callable[..., float] = parse


_PLAIN = Form()
CLOCK = Form(hhmm, parse_hour)


@dataclass
class FieldState:
    """Mutable, one per session and field."""

    value: object  # the number when it was last drawn, or taken; or the words
    typed: str = ""  # what was refused
    refused: str = ""  # and why

    def enter(
        self, read: Callable[[str], object], save: Callable[[Any], None], may_be_empty: bool, text: str
    ) -> None:
        """Save what was typed, or remember why not; an emptied field keeps its number unless None is one."""
        self.typed, self.refused = text, ""
        if not (text.strip() or may_be_empty):
            return
        try:
            value = read(text) if text.strip() else None
            save(value)
            self.refused = lab().pop_message()
        except ScenarioError as error:
            self.refused = str(error)
        if not self.refused:
            self.value = value


def number_field(
    label: str,
    value: float | None,
    save: Callable[[Any], None],
    bounds: Bounds,
    *,
    key: str,
    width: Width = "stretch",
    **look: Any,
) -> None:
    """A number as `bare_number` has it, and beneath it why one was refused. That moves nothing elsewhere."""
    with st.container(key=key, gap="xxsmall", width=width):
        if why := bare_number(label, value, save, bounds, key=key, **look):
            st.error(in_markdown(why))


def bare_number(
    label: str,
    value: float | None,
    save: Callable[[Any], None],
    bounds: Bounds,
    *,
    key: str,
    percents: bool = False,
    empty: str | None = None,
    form: Form = _PLAIN,
    **look: Any,
) -> str:
    """A number within bounds, or of a hundred where `percents` are asked for. An emptied field keeps its
    value, unless it stands for None, in the words `empty`. Gives why a number was refused, to be said where
    there is room. The `look` is that of `st.text_input`."""
    text = "" if value is None else form.show(value)
    read = partial(form.read, bounds=bounds._replace(words=label), percents=percents)
    return _bare_field(label, value, text, read, save, key, empty, **look)


def words_field(
    label: str, value: str, save: Callable[[str], None], *, key: str, empty: str, **look: Any
) -> None:
    """A line of words that may be empty, and beneath it why others were refused, which stay to be mended."""
    with st.container(key=key, gap="xxsmall"):

        def save_or_empty(typed: str | None) -> None:
            save(typed or "")

        if why := _bare_field(label, value or None, value, str.strip, save_or_empty, key, empty, **look):
            st.error(in_markdown(why))


def _bare_field(
    label: str,
    value: object,
    text: str,
    read: Callable[[str], object],
    save: Callable[[Any], None],
    key: str,
    empty: str | None,
    **look: Any,
) -> str:
    """A line of text that stands for a value; gives why another was refused, which then stays in it."""
    state = remembered(key, lambda: FieldState(value))
    if state.value != value:
        state.value, state.refused = value, ""  # it has changed since
    text = state.typed if state.refused else text
    shows = versioned(key, text, partial(state.enter, read, save, empty is not None))
    label = in_markdown(label)
    st.text_input(label, text, key=shows.key, on_change=shows.changed, placeholder=empty, **look)
    return state.refused
