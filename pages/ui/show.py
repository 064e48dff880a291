"""Small pieces of output that several screens use."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal, TypedDict, TypeVar

import streamlit as st

from rtp.figures.picture import Picture
from rtp.tables import to_csv

if TYPE_CHECKING:
    import pandas as pd

CHART = {"displaylogo": False, "displayModeBar": "hover", "responsive": True}
Option = TypeVar("Option")


class Point(TypedDict):
    """What a clicked point of a chart says of itself."""

    x: float
    customdata: Sequence[int]


def chart(picture: Picture, key: str) -> None:
    """A chart in its card, with words for those who cannot see it."""
    with st.container(border=True):
        st.plotly_chart(picture.figure, key=key, config=CHART, alt=picture.words)


def clickable(picture: Picture, key: str, chosen: Callable[[Point], None]) -> None:
    """A chart whose points can be clicked."""
    with st.container(border=True):
        st.plotly_chart(
            picture.figure,
            key=key,
            config=CHART,
            alt=picture.words,
            on_select=partial(_clicked, key, chosen),
            selection_mode="points",
        )


def _clicked(key: str, chosen: Callable[[Point], None]) -> None:
    if points := st.session_state[key].selection.points:
        chosen(points[0])


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
    """A number in its card, with what to compare it with, and another way to say it, beneath."""
    st.metric(
        label,
        value,
        delta=beside,
        delta_color=colour,
        delta_arrow=arrow,
        delta_description=beneath,
        help=help,
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
    """A file that is made when it is asked for, outside the session."""
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
) -> None:
    """A table to take away."""
    make = partial(_as_csv, frame)
    download(label, make, name, "text/csv", "table", help=help, disabled=disabled, wide=wide)


def _as_csv(frame: Callable[[], "pd.DataFrame"]) -> str:
    return to_csv(frame())


def one_of(
    label: str,
    options: Sequence[Option],
    key: str,
    words: Callable[[Option], str] = str,
    *,
    first: Option | None = None,
    help: str | None = None,
) -> Option:
    """One of a few; the session remembers which."""
    st.session_state.setdefault(key, options[0] if first is None else first)
    chosen = st.segmented_control(
        label,
        options,
        format_func=words,
        required=True,
        key=key,
        persist_state="session",
        help=help,
    )
    return options[0] if chosen is None else chosen


def tabs(key: str, drawn: Mapping[str, Callable[[], None]]) -> None:
    """A tab for each; only what the open one shows is computed."""
    for tab, draw in zip(st.tabs(list(drawn), key=key, on_change="rerun"), drawn.values(), strict=True):
        if tab.open:
            with tab:
                draw()


def items(lines: Sequence[str]) -> str:
    """A list in Markdown."""
    return "".join(f"\n- {line}" for line in lines)
