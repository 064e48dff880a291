"""Small pieces of output that several screens use."""

from collections.abc import Callable, Sequence
from functools import partial
from math import floor, inf, log10
from typing import TYPE_CHECKING, Any, Literal, Protocol

import streamlit as st

from pages.ui.chart import Point as Point  # for the screens, which take it from here
from pages.ui.chart import chart as chart
from pages.ui.chart import number_of as number_of
from pages.ui.session import lab
from rtp.core.formatting import in_markdown, shown_name
from rtp.mechanisms import UNPROTECTED, title
from rtp.output.words import NO_MEAN, help_for
from rtp.scenario import Scenario, units
from rtp.scenario.describe import origin
from rtp.scenario.export import to_csv
from rtp.simulation import Day

if TYPE_CHECKING:
    import pandas as pd


def selectable_table(frame: "pd.DataFrame", key: str) -> list[int]:
    """A table whose rows can be ticked; gives the numbers of those that are. A column's largest number has
    three digits, or all before its point."""
    largest = frame.select_dtypes("float").abs().max()
    digits = {name: max(2 - floor(log10(most)), 0) for name, most in largest.items() if 0 < most < inf}
    signed: dict[Any, str | Callable[[Any], str] | None] = {
        name: partial(_signed, many) for name, many in digits.items()
    }
    shown = st.dataframe(
        frame.round(digits).style.format(signed, precision=0),
        key=key,
        hide_index=True,
        on_select="rerun",
        selection_mode="multi-row",
        height=420,
    )
    rows: list[int] = shown["selection"]["rows"]
    return rows


def _signed(digits: int, number: float) -> str:
    """The number with a minus, where a browser would write a hyphen."""
    return f"{number:z.{digits}f}".replace("-", "−")


def table(frame: "pd.DataFrame") -> None:
    """A table whose texts stand in it as they are."""
    st.table(in_cells(frame))


def in_cells(frame: "pd.DataFrame") -> "pd.DataFrame":
    """The frame for `st.table`, which reads its cells and heads as Markdown."""
    return frame.map(_cell).rename(index=_cell, columns=_cell)


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
    published = {title(name): day.release[name].rate for name in mechanisms}
    lines = units.absurd_prices(day.scenario, day.release[UNPROTECTED].rate, published)
    if not day.market.error_has_mean:
        lines.append(NO_MEAN)
    if lines:
        st.warning(" ".join(lines), icon=":material/payments:")


def download(
    label: str,
    make: Callable[[], str],
    name: str,
    mime: str,
    icon: str,
    *,
    wide: bool = False,
    in_class: bool = False,
    **look: Any,
) -> None:
    """A file that is made when it is asked for, outside the session; in front of a class only where it is
    `in_class` that it is wanted."""
    if lab().presenting and not in_class:
        return
    look |= {"icon": f":material/{icon}:", "width": "stretch" if wide else "content"}
    st.download_button(label, make, name, mime, key=f"download:{name}", on_click="ignore", **look)


def csv(
    label: str, frame: Callable[[], "pd.DataFrame"], name: str, *, of: Scenario | None = None, **look: Any
) -> None:
    """A table to take away, of this scenario or of that in use."""
    scenario = of or lab().scenario
    download(label, lambda: to_csv(frame(), origin(scenario)), name, "text/csv", "table", **look)


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
    section = st.expander(title, opened, key=f"section:{title}", icon=icon, on_change="rerun")
    if section.open:
        with section:
            draw()


def items(lines: Sequence[str]) -> str:
    """A list in Markdown."""
    return "".join(f"\n- {line}" for line in lines)
