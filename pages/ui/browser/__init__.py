"""What the browser is sent besides the screens: a style sheet, another in front of a class, and a few keys.

`lab.css` is about charts, and the page around them, where there is little room: on a phone and on paper.
Charts are drawn in the colours of the light theme, and so saved; in the dark one the style sheet puts others
in their place. `lab.js` is for what neither Streamlit nor a style sheet can do: a clicker's keys press the
way on, Escape closes a dialog wherever the focus is, and a chart that is to be printed is measured.
`storage.js` keeps named scenarios in the browser, `phone.js` the mark by which a room knows a phone.
"""

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
_COLOURS = "".join(_in_both_themes(light, dark) for light, dark in DARK.items()) + GROUND
_EVERYWHERE = theme.PRINT_PAGE + _COLOURS + (HERE / "lab.css").read_text(encoding="utf-8")
PRESENTING = _EVERYWHERE + (HERE / "presenting.css").read_text(encoding="utf-8")
_CODE = f"const fits = {theme.PRINT_FITS};\n" + (HERE / "lab.js").read_text(encoding="utf-8")

storage = st.components.v2.component("rtp_storage", js=(HERE / "storage.js").read_text(encoding="utf-8"))
phone = st.components.v2.component("rtp_phone", js=(HERE / "phone.js").read_text(encoding="utf-8"))
_code = st.components.v2.component("lab_keys", js=_CODE, isolate_styles=False)


def begin(presenting: bool) -> None:
    """Send all of it, once per screen."""
    st.html(f"<style>{PRESENTING if presenting else _EVERYWHERE}</style>")
    _code(key="lab_keys", height=1)
