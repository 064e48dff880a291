"""What the browser adds to every screen: two buttons that save a chart as a picture, and a clicker's keys.

A chart's bar can be given more buttons by code only, which must run in the browser: `charts.js`, sent once
per screen with what the pictures are to be called and what their caption says. A chart itself costs nothing.
`charts.css` is about charts, and the page around them, where there is little room: on a phone and on paper.
Charts are drawn in the colours of the light theme; in the dark one a style sheet puts others in their place.
"""

import json
from pathlib import Path

import streamlit as st

from rtp.figures import theme
from rtp.figures.style import rgb
from rtp.figures.theme import BACKGROUND, DARK

HERE = Path(__file__).parent


def _in_both_themes(light: str, dark: str) -> str:
    """A rule for every part of a chart that is drawn in a colour."""
    both = f"light-dark({light}, {dark}) !important"
    return "".join(
        f'.js-plotly-plot [style*="{ink}: {rgb(light)}"] {{ {ink}: {both}; }}\n'
        for ink in ("fill", "stroke", "background")
    )


GROUND = f".stApp {{ --lab-background: light-dark({BACKGROUND}, {DARK[BACKGROUND]}); }}\n"
COLOURS = "".join(_in_both_themes(light, dark) for light, dark in DARK.items()) + GROUND
CSS = theme.PRINT_PAGE + COLOURS + (HERE / "charts.css").read_text(encoding="utf-8")
CODE = f"""const CSS = {json.dumps(CSS)};
const DARK = {json.dumps(DARK)};
const fits = {theme.PRINT_FITS};
{(HERE / "charts.js").read_text(encoding="utf-8")}"""

_code = st.components.v2.component("lab_charts", js=CODE, isolate_styles=False)


def begin(screen: str, caption: str, presenting: bool) -> None:
    """Tell the browser how pictures of this screen are named and captioned, once per screen."""
    data = {"screen": screen, "caption": caption, "presenting": presenting}
    _code(key="lab_charts", data=data, height=1)
