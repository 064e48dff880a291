"""A field for a number: what is typed is understood exactly, or refused beneath the field.

`st.number_input` turns an emptied field into its minimum, drops a decimal comma, and reads 1e4 as 1. This
field sends what was typed as text; `rtp.scenario.typed` reads it. Its look is in `field.css`, its behaviour
in `field.js`, which is sent once per screen; each field is then a few hundred bytes.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Literal, NamedTuple

import streamlit as st

from pages.ui.session import lab, watch
from rtp.scenario import Bounds, ScenarioError
from rtp.scenario.typed import parse, shown, steps

HERE = Path(__file__).parent
FIELDS = "number fields"
AHEAD = 12  # steps that plus and minus can go before the app answers
CODE = "".join(
    [
        f"const CSS = {json.dumps((HERE / 'field.css').read_text(encoding='utf-8'))};\n",
        (HERE / "field.js").read_text(encoding="utf-8"),
    ]
)
FIELD = """export default async (component) => {
    while (!window.labNumber) await new Promise(requestAnimationFrame);
    return window.labNumber(component);
};"""

_code = st.components.v2.component("lab_number_code", js=CODE, isolate_styles=False)
_field = st.components.v2.component("lab_number", js=FIELD, isolate_styles=False)

Width = int | Literal["stretch"]


class Form(NamedTuple):
    """How a number is written, and read."""

    show: Callable[[float], str] = shown
    read: Callable[..., float] = parse


PLAIN = Form()


class Empty(NamedTuple):
    """What an emptied field stands for."""

    words: str
    save: Callable[[], None]


def _nothing(text: str) -> None:
    """Until the field is drawn."""


@dataclass
class FieldState:
    """Mutable, one per session and field."""

    key: str
    number: int = 0  # of the last action that was dealt with
    refused: str = ""  # why it was refused
    value: float | None = None  # what the field showed then
    drawn: bool = True  # since the last action
    save: Callable[[str], None] = field(default=_nothing)

    def on_input(self) -> None:
        """One action of the user; one that was dealt with before is an echo."""
        match (st.session_state.get(self.key) or {}).get("said"):
            case {"number": int(number), "text": str(text)} if number > self.number:
                self.number, self.refused, self.drawn = number, "", False
            case _:
                return
        try:
            self.save(text)
            self.refused = lab().pop_message()
        except ScenarioError as error:
            self.refused = str(error)


def begin() -> None:
    """Send the code of all fields, once per screen."""
    _code(key="lab_number_code", height=1)


def number_field(
    label: str,
    value: float | None,
    save: Callable[[float], None],
    bounds: Bounds,
    *,
    key: str,
    step: float | None = None,
    help: str | None = None,
    disabled: bool = False,
    width: Width = "stretch",
    percents: bool = False,
    empty: Empty | None = None,
    form: Form = PLAIN,
) -> None:
    """A number within bounds, or of a hundred where `percents` are asked for. Plus and minus go by steps that
    suit the value unless `step` says which. An emptied field keeps its value unless `empty` is one too."""
    state = _state(key)
    if not state.drawn:
        state.drawn, state.value = True, value
    if state.value != value:
        state.refused = ""  # the value has changed since
    read = partial(form.read, bounds=bounds._replace(words=label), percents=percents)
    down, up = (() if value is None else steps(value, bounds, way, AHEAD, step) for way in (False, True))
    if form != PLAIN:
        down, up = (tuple(form.show(float(text)) for text in texts) for texts in (down, up))
    shows = {
        "label": label,
        "help": help,
        "text": "" if value is None else form.show(value),
        "down": down,
        "up": up,
        "more": [len(down) == AHEAD, len(up) == AHEAD],
        "number": state.number,
        "refused": state.refused,
        "disabled": disabled,
        "empty": empty and empty.words,
    }
    state.save = partial(_save, read, save, empty)
    _field(
        key=key, width=width, data=[shows], on_said_change=state.on_input
    )  # in a list nobody looks for tables


def _save(
    read: Callable[[str], float], save: Callable[[float], None], empty: Empty | None, text: str
) -> None:
    """What was typed; an emptied field keeps its value unless that means something."""
    if text.strip():
        save(read(text))
    elif empty:
        empty.save()


def _state(key: str) -> FieldState:
    fields: dict[str, FieldState] = st.session_state.setdefault(FIELDS, {})
    if key not in fields:
        fields[key] = FieldState(key)
        watch(key, fields[key].on_input)
    return fields[key]
