"""What the browser adds to every chart of a screen: two buttons in its bar, which save it as a picture.

A chart's bar can be given more buttons by code only, which must run in the browser: `charts.js`, sent once
per screen with what the pictures are to be called and what their caption says. A chart itself costs nothing.
`charts.css` is about charts, and the page around them, where there is little room: on a phone and on paper.
"""

import json
from pathlib import Path

import streamlit as st

from rtp.figures import printing

HERE = Path(__file__).parent
CSS = printing.PAGE + (HERE / "charts.css").read_text(encoding="utf-8")
CODE = f"""const CSS = {json.dumps(CSS)};
const fits = {printing.FITS};
{(HERE / "charts.js").read_text(encoding="utf-8")}"""

_code = st.components.v2.component("lab_charts", js=CODE, isolate_styles=False)


def begin(screen: str, caption: str, presenting: bool) -> None:
    """Tell the browser how pictures of this screen are named and captioned, once per screen."""
    data = {"screen": screen, "caption": caption, "presenting": presenting}
    _code(key="lab_charts", data=data, height=1)
