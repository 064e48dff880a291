"""What the pictures of joint states share: which law is shown, its colours, what a state says of itself."""

from rtp.algorithm1 import ModelStep
from rtp.core.types import Bools, Floats
from rtp.figures import style
from rtp.figures.style import Spec, Trace
from rtp.teaching.lines import POSSIBLE, POSTERIOR, PRIOR, state_label

HEIGHT = 368  # on a stage that fits 1024 × 768
TABS = 54  # less where tabs stand above it
SCALE = ((0.0, "#5b7a99"), (1.0, "#c25400"))  # each stands out 3:1 on light, on dark and against white
GREY = style.GREY  # out of κ, impossible, or not known yet
TRUE_STATE = style.MODEL_COLOURS[3]


def house_colour(house: int) -> str:
    """Never grey, which means that a house is out of κ."""
    return (*style.MODEL_COLOURS[:-1], style.SIMULATED.colour)[house]


def house_count(own: ModelStep) -> int:
    return len(own.prior).bit_length() - 1


def shown_law(own: ModelStep, line: int) -> tuple[Floats, str]:
    """The law known when that line has been executed, and its name."""
    return (own.posterior, "Posterior") if line >= POSTERIOR else (own.prior, "Prior")


def shown_possible(own: ModelStep, line: int) -> Bools:
    return own.possible if line >= POSSIBLE else own.possible | True


def hover(own: ModelStep, state: int, line: int) -> str:
    text = f"State {state_label(state, house_count(own))}"
    if line >= PRIOR:
        text += f"<br>prior {own.prior[state]:.4g}"
    if line >= POSTERIOR:
        text += f"<br>posterior {own.posterior[state]:.4g}"
    return text + ("<br>impossible" if line >= POSSIBLE and not own.possible[state] else "")


def colour_bar(name: str) -> Spec:
    return {
        "title": {"text": name, "side": "top"},
        "orientation": "h",
        "thickness": 10,
        "len": 0.9,
        "y": -0.02,
        "yanchor": "top",
        "nticks": 6,
        "tickformat": ".2~g",
    }


def star(x: float, y: float, size: float) -> Trace:
    """The true state, which only the street knows."""
    return {
        "type": "scatter",
        "x": [x],
        "y": [y],
        "mode": "markers",
        "marker": {"symbol": "star-open", "size": size, "color": TRUE_STATE, "line": {"width": 2.5}},
        "name": "The true state",
        "hoverinfo": "name",
    }
