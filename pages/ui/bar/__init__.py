"""The bar of the stage: line back and forward, step back and forward, play with a speed; by mouse or by keys.

A button of Streamlit's own only says that it was pressed, and two presses that arrive together count as one.
This bar says where it wants to be: every action carries a number and the whole position (step, line,
playing), so that the last action wins however fast they come, and the bar shows its position without waiting
for the app. It plays by itself, and goes on only when the app has answered. Its look is in `bar.css`, its
behaviour in `bar.js`, sent once per screen, which also keeps the active line of the listing in view.
"""

import json
from pathlib import Path
from typing import NamedTuple

import streamlit as st

from pages.ui.session import watch
from pages.ui.stage import Position, position
from rtp.scenario import Scenario
from rtp.teaching.lines import LAST

HERE = Path(__file__).parent
KEY = "stage-bar"
LISTING = "stage-listing"  # the container whose active line is kept in view

CODE = "".join(
    [
        f"const CSS = {json.dumps((HERE / 'bar.css').read_text(encoding='utf-8'))};\n",
        f"const LISTING = {json.dumps(LISTING)};\n",
        (HERE / "bar.js").read_text(encoding="utf-8"),
    ]
)
BAR = """export default async (component) => {
    while (!window.labStage) await new Promise(requestAnimationFrame);
    return window.labStage(component);
};"""

_code = st.components.v2.component("lab_stage_code", js=CODE, isolate_styles=False)
_bar = st.components.v2.component("lab_stage", js=BAR, isolate_styles=False)


class Speed(NamedTuple):
    words: str
    seconds: float
    lines: bool  # whether it goes line by line, or by whole steps


SPEEDS = (
    Speed("a line every 2 s", 2.0, True),
    Speed("a line every 4 s", 4.0, True),
    Speed("two lines a second", 0.5, True),
    Speed("a step every 2 s", 2.0, False),
    Speed("a step a second", 1.0, False),
)


def begin() -> None:
    """Send the code of the bar, once per screen."""
    _code(key="lab_stage_code", height=1)


def bar(scenario: Scenario, here: Position) -> None:
    """Of the scenario's first day."""
    day = scenario.replace(days=1)
    _bar(
        key=KEY,
        data={
            "step": here.step,
            "line": here.line,
            "lines": LAST,
            "times": [day.when(step) for step in range(day.steps)],
            "speeds": [speed._asdict() for speed in SPEEDS],
            "speed": here.speed,
            "playing": here.playing,
            "number": here.heard,
        },
        on_said_change=_on_input,
    )
    watch(KEY, _on_input)


def _on_input() -> None:
    """One action of the user; one that was dealt with before is an echo, and what makes no sense is none."""
    here = position()
    match (st.session_state.get(KEY) or {}).get("said"):
        case {
            "number": int(number),
            "step": int(step),
            "line": int(line),
            "speed": int(speed),
            "playing": bool(playing),
        } if number > here.heard and 0 <= step <= here.last_step and 1 <= line <= LAST:
            here.heard, here.playing, here.speed = number, playing, speed % len(SPEEDS)
            here.go(step, line)
