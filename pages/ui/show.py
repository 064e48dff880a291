"""Small pieces of output that several screens use."""

import re
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import partial
from importlib import import_module
from math import floor, inf, isfinite, log10
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypedDict

import streamlit as st

from pages.ui.session import lab
from rtp.core.formatting import in_markdown, shown_name
from rtp.core.tables import to_csv
from rtp.figures.style import Picture, Spec
from rtp.figures.theme import large, themed
from rtp.mechanisms import REGISTRY, UNPROTECTED
from rtp.output.glossary import help_for
from rtp.scenario import Scenario, units
from rtp.scenario.describe import origin
from rtp.simulation import Day

if TYPE_CHECKING:
    import pandas as pd

    class Figure:  # plotly says nothing of its types
        def __init__(self) -> None: ...
else:
    from plotly.graph_objects import Figure
    from plotly.io import templates

    templates.default = None  # plotly would give every figure a copy of its own, for nothing

import_module("pandas")  # plotly looks at it, and fails where another session is just loading it
CHART = {"displaylogo": False, "displayModeBar": "hover", "responsive": True}
PICTURE = "kind of picture"
SCALES = {"svg": 1, "png": 2}
CLICKED: Spec = {"clickmode": "event+select", "dragmode": "pan"}  # what streamlit would ask for, too late


class Point(TypedDict):
    """What a clicked point of a chart says of itself."""

    x: float
    customdata: Sequence[float]


class Prepared(Figure):
    """A figure whose description is finished: to let plotly check every number takes 70 ms for a day."""

    def __init__(self, description: Spec) -> None:
        super().__init__()
        self._description = description

    def to_dict(self) -> Spec:
        return self._description


def picture_kind() -> str:
    """What a chart is saved as."""
    kind: str = lab().memo.get(PICTURE, "svg")
    return kind


def _config(key: str) -> Spec:
    """How a chart behaves: its bar saves it as a picture, named after its screen and itself. Nothing of the
    scenario is in it: Plotly draws a chart anew whose configuration has changed."""
    name = re.sub(r"\W+", "-", f"{lab().screen} {key}".lower())
    kind = picture_kind()
    return CHART | {"toImageButtonOptions": {"format": kind, "filename": name, "scale": SCALES[kind]}}


def chart(picture: Picture, key: str, *, card: bool = True, **selection: Any) -> None:
    """A chart, in its card unless there is no room for one, with words for those who cannot see it; in front
    of a class in large type."""
    layout = themed(picture.spec["layout"] | (CLICKED if selection else {}))
    whole = picture.spec | {"layout": layout}
    drawn = Prepared(large(whole) if lab().presenting else whole)
    with st.container(border=True) if card else nullcontext():
        st.plotly_chart(drawn, key=key, config=_config(key), theme=None, alt=picture.words, **selection)


def clickable(picture: Picture, key: str, chosen: Callable[[Point], None]) -> None:
    """A chart whose points can be clicked."""
    chart(picture, key, on_select=partial(_clicked, key, chosen), selection_mode="points")


def _clicked(key: str, chosen: Callable[[Point], None]) -> None:
    points = st.session_state[key]["selection"].get("points")
    if isinstance(points, list) and points and all(isinstance(each, dict) for each in points):
        chosen(points[0])


def number_of(point: Point, at: int = 0) -> float | None:
    """A number that a point was drawn with; None where a script has sent a point that was not drawn."""
    told = point.get("customdata")
    number = told[at] if isinstance(told, list) and len(told) > at else None
    return number if isinstance(number, int | float) and isfinite(number) and number >= 0 else None


def selectable_table(frame: "pd.DataFrame", key: str) -> list[int]:
    """A table whose rows can be ticked; gives the numbers of those that are. A column's largest number has
    three digits, or all before its point."""
    largest = frame.select_dtypes("float").abs().max()
    digits = {name: max(2 - floor(log10(most)), 0) for name, most in largest.items() if 0 < most < inf}
    shown = st.dataframe(
        frame.round(digits),
        key=key,
        hide_index=True,
        on_select="rerun",
        selection_mode="multi-row",
        height=420,
    )
    rows, count = shown["selection"]["rows"], len(frame)
    return [row for row in rows if type(row) is int and 0 <= row < count] if isinstance(rows, list) else []


def table(frame: "pd.DataFrame") -> None:
    """A table whose texts stand in it as they are: Streamlit reads its cells and heads as Markdown."""
    st.table(frame.map(_cell).rename(index=_cell, columns=_cell))


def _cell(value: object) -> object:
    return in_markdown(value) if isinstance(value, str) else value


def metric(
    label: str,
    value: str,
    beside: str | None = None,
    help: str | None = None,
    *,
    beneath: str = "",
    colour: Literal["normal", "off", "primary"] = "off",
) -> None:
    """A number in its card, another way to say it beneath, and what to compare it with; where nothing else
    helps, the glossary explains the label's words."""
    st.metric(
        label,
        f"{value}  \n:small[:gray[{beneath}]]" if beneath else value,
        delta=beside,
        delta_color=colour,
        delta_arrow="off",
        help=help or help_for(label, lab().scenario.occupied_means),
        border=True,
        height="stretch",
    )


def warn_of_prices(day: Day, mechanisms: Sequence[str]) -> None:
    """What to say of prices of the day that nobody would publish; nothing where there are none."""
    published = {REGISTRY[name].label: day.release[name].rate for name in mechanisms}
    if lines := units.absurd_prices(day.scenario, day.release[UNPROTECTED].rate, published):
        st.warning(" ".join(lines), icon=":material/payments:")


def download(
    label: str, make: Callable[[], str], name: str, mime: str, icon: str, *, wide: bool = False, **look: Any
) -> None:
    """A file that is made when it is asked for, outside the session; not in front of a class."""
    if lab().presenting:
        return
    look |= {"icon": f":material/{icon}:", "width": "stretch" if wide else "content"}
    st.download_button(label, make, name, mime, key=f"download:{name}", on_click="ignore", **look)


def csv(
    label: str, frame: Callable[[], "pd.DataFrame"], name: str, *, of: Scenario | None = None, **look: Any
) -> None:
    """A table to take away, of this scenario or of that in use."""
    make = partial(_as_csv, frame, of or lab().scenario)
    download(label, make, name, "text/csv", "table", **look)


def _as_csv(frame: Callable[[], "pd.DataFrame"], scenario: Scenario) -> str:
    return to_csv(frame(), origin(scenario))


class Upload(Protocol):
    """What Streamlit gives of a file."""

    name: str
    file_id: str

    def getvalue(self) -> bytes: ...


def uploaded(key: str) -> Upload | None:
    """The file that an uploader holds; None where there is none, or the server has it no longer."""
    file = st.session_state[key]
    held: Upload | None = file if hasattr(file, "getvalue") else None
    return held


def upload(
    label: str, kinds: str | Sequence[str], key: str, size: int, load: Callable[[str, bytes], None]
) -> None:
    """A field for a file of so many bytes, and no more than the server was told to take; `load` is given the
    name of the file and what is in it."""
    most = min(max(size // 1_000_000, 1), int(st.get_option("server.maxUploadSize")))
    st.file_uploader(label, kinds, key=key, on_change=partial(_load, key, load), max_upload_size=most)


def _load(key: str, load: Callable[[str, bytes], None]) -> None:
    if (file := uploaded(key)) is not None:
        load(shown_name(file.name), file.getvalue())


def lazy_expander(
    title: str, draw: Callable[[], None], icon: str | None = None, *, opened: bool = False
) -> None:
    """A section that opens; what is closed is not drawn."""
    key = f"section:{title}"
    if not isinstance(st.session_state.get(key, opened), bool):
        key += " anew"  # a script has sent what is neither open nor closed
    section = st.expander(title, opened, key=key, icon=icon, on_change="rerun")
    if section.open:
        with section:
            draw()


def items(lines: Sequence[str]) -> str:
    """A list in Markdown."""
    return "".join(f"\n- {line}" for line in lines)
