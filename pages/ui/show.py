"""Small pieces of output that several screens use."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal, TypedDict

import streamlit as st
from plotly.basedatatypes import BaseFigure

from pages.ui import presenter, state
from rtp.core.tables import to_csv
from rtp.figures.style import Picture, Spec
from rtp.figures.theme import large, themed
from rtp.output.glossary import help_for
from rtp.scenario import Scenario
from rtp.scenario.describe import origin

if TYPE_CHECKING:
    import pandas as pd

CHART = {"displaylogo": False, "displayModeBar": "hover", "responsive": True}
NOTHING: Spec = {}
CLICKED: Spec = {"clickmode": "event+select", "dragmode": "pan"}  # what streamlit would ask for, too late


class Point(TypedDict):
    """What a clicked point of a chart says of itself."""

    x: float
    customdata: Sequence[float]


def unchecked(picture: Picture, more: Spec = NOTHING) -> BaseFigure:
    """What streamlit takes for plotly's own figure, and sends as it is: an empty one that tells ours."""
    figure = BaseFigure.__new__(BaseFigure)
    figure.to_dict = partial(_sent, picture, more, presenter.on())
    return figure


def _sent(picture: Picture, more: Spec, presenting: bool) -> Spec:
    spec = picture.spec
    whole = spec | {"layout": themed(spec["layout"] | more)}
    return large(whole) if presenting else whole


def chart(picture: Picture, key: str) -> None:
    """A chart in its card, with words for those who cannot see it."""
    with st.container(border=True):
        st.plotly_chart(unchecked(picture), key=key, config=CHART, theme=None, alt=picture.words)


def clickable(picture: Picture, key: str, chosen: Callable[[Point], None]) -> None:
    """A chart whose points can be clicked."""
    with st.container(border=True):
        st.plotly_chart(
            unchecked(picture, CLICKED),
            key=key,
            config=CHART,
            theme=None,
            alt=picture.words,
            on_select=partial(_clicked, key, chosen),
            selection_mode="points",
        )


def _clicked(key: str, chosen: Callable[[Point], None]) -> None:
    if points := st.session_state[key].selection.points:
        chosen(points[0])


def ticked(frame: "pd.DataFrame", key: str) -> list[int]:
    """A table whose rows can be ticked; gives the numbers of those that are."""
    shown = st.dataframe(
        frame, key=key, hide_index=True, on_select="rerun", selection_mode="multi-row", height=420
    )
    return list(shown.selection.rows)


def metric(
    label: str,
    value: str,
    beside: str | None = None,
    help: str | None = None,
    *,
    beneath: str | None = None,
    colour: Literal["normal", "inverse", "off", "primary"] = "off",
    arrow: Literal["auto", "off"] = "off",
) -> None:
    """A number in its card, another way to say it beneath, and what to compare it with; where nothing else
    helps, the glossary explains the label's words."""
    st.metric(
        label,
        f"{value}  \n:small[:gray[{beneath}]]" if beneath else value,
        delta=beside,
        delta_color=colour,
        delta_arrow=arrow,
        help=help or help_for(label),
        border=True,
        height="stretch",
    )


def download(
    label: str,
    make: Callable[[], str],
    name: str,
    mime: str,
    icon: str,
    *,
    help: str | None = None,
    disabled: bool = False,
    wide: bool = False,
) -> None:
    """A file that is made when it is asked for, outside the session; not in front of a class."""
    if presenter.on():
        return
    st.download_button(
        label,
        make,
        name,
        mime,
        icon=f":material/{icon}:",
        on_click="ignore",
        help=help,
        disabled=disabled,
        width="stretch" if wide else "content",
    )


def csv(
    label: str,
    frame: Callable[[], "pd.DataFrame"],
    name: str,
    *,
    help: str | None = None,
    disabled: bool = False,
    wide: bool = False,
    of: Scenario | None = None,
) -> None:
    """A table to take away, of this scenario or of that in use."""
    make = partial(_as_csv, frame, of or state.current())
    download(label, make, name, "text/csv", "table", help=help, disabled=disabled, wide=wide)


def _as_csv(frame: Callable[[], "pd.DataFrame"], scenario: Scenario) -> str:
    return to_csv(frame(), origin(scenario))


def caption(words: str) -> None:
    """A caption, or its place where there is nothing to say: what moves up is made anew by the browser."""
    if words:
        st.caption(words)
    else:
        st.empty()


def folded(title: str, draw: Callable[[], None], icon: str | None = None) -> None:
    """A section that opens; what is closed is not drawn."""
    section = st.expander(title, key=f"section:{title}", icon=icon, on_change="rerun")
    if section.open:
        with section:
            draw()


def items(lines: Sequence[str]) -> str:
    """A list in Markdown."""
    return "".join(f"\n- {line}" for line in lines)
