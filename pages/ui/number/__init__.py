"""A field for a number: what is typed is understood exactly, or refused beneath the field.

`st.number_input` turns an emptied field into its minimum, drops a decimal comma, and reads 1e4 as 1. This
field sends what was typed as text; `rtp.scenario.typed` reads it. Its look is in `field.css`, its behaviour
in `field.js`, which is sent once per screen; each field is then a few hundred bytes.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal, NamedTuple

import streamlit as st

from pages.ui import state
from rtp.scenario import Bounds, ScenarioError
from rtp.scenario.typed import parse, shown, steps

HERE = Path(__file__).parent
NUMBERS = "numbers"
NEVER = object()
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
    commit: Callable[[], None]


@dataclass
class Heard:
    """Mutable, one per session and field."""

    number: int = 0  # of the last action that was dealt with
    refused: str = ""  # why it was refused
    value: float | None = None  # what the fact was then
    during: object = NEVER  # the scenario that it met, until the next run


def begin() -> None:
    """Send the code of all fields, once per screen."""
    _code(key="lab_number_code", height=1)


def number_field(
    label: str,
    value: float | None,
    commit: Callable[[float], None],
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
    heard = _heard(key)
    if heard.during is st.session_state.get("scenario"):
        heard.value = value  # an action just before it may have changed what the field had shown
    heard.during = NEVER
    if heard.value != value:
        heard.refused = ""  # the fact has changed since
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
        "number": heard.number,
        "refused": heard.refused,
        "disabled": disabled,
        "empty": empty and empty.words,
    }
    said = partial(_said, key, value, read, commit, empty)
    _field(key=key, width=width, data=[shows], on_said_change=said)  # in a list nobody looks for tables


def _said(
    key: str,
    value: float | None,
    read: Callable[[str], float],
    commit: Callable[[float], None],
    empty: Empty | None,
) -> None:
    """One action of the user; one that was dealt with before is an echo."""
    heard = _heard(key)
    match st.session_state[key].get("said"):
        case {"number": int(number), "text": str(text)} if number > heard.number:
            heard.number, heard.refused, heard.value = number, "", value
            heard.during = st.session_state.get("scenario")
        case _:
            return
    if not text.strip():
        if empty:
            empty.commit()
        return
    try:
        commit(read(text))
        heard.refused = state.take_refusal()
    except ScenarioError as error:
        heard.refused = str(error)


def _heard(key: str) -> Heard:
    kept: dict[str, Heard] = st.session_state.setdefault(NUMBERS, {})
    return kept.setdefault(key, Heard())
